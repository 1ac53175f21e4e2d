import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { Failure, sentence } from '../../../errors/index.ts';
import { startHttpServer, type HttpServer } from '../../../http-server/index.ts';
import { answerPage, messagePage } from '../../workbench/browserPage.ts';
import { CALLBACK_LIFETIME_MS, MAX_CALLBACK_CONNECTIONS } from '../limits.ts';
import type { CallbackOutcome } from './pendingSignIns.ts';

/** Returns the failure for a registered callback URL whose loopback address can't be used. */
function cannotListen(host: string, isInUse: boolean): Failure {
  return new Failure('loopback', {
    what: isInUse
      ? sentence('Another program is using {0}, which the browser has to return to.', host)
      : sentence('This computer doesn’t let the extension listen on {0}, which the browser has to return to.', host),
    next: sentence('Quit that program, or sign in another way.'),
    remedy: 'signIn',
  });
}

/**
 * Listens only on the registered loopback address (RFC 8252 §7.3) while a sign-in is pending, and accepts only its callback. For
 * `localhost`, listens on both 127.0.0.1 and [::1] if available, because the browser may choose either.
 *
 * @param callbackUrl `http:` URL whose host is 127.0.0.1, [::1], or localhost.
 * @param handleCallback receives the query of a callback.
 * @param timeoutMs time for a request, for a connection without traffic, and for the last response after the listener is disposed.
 * @returns the listener. Dispose it to stop listening.
 * @throws {@link cannotListen} when an address is in use, or none is available.
 */
export async function listenOnLoopback(
  callbackUrl: URL,
  handleCallback: (query: string) => CallbackOutcome,
  timeoutMs = CALLBACK_LIFETIME_MS,
): Promise<vscode.Disposable> {
  const host = callbackUrl.hostname.replace(/^\[|\]$/g, '');
  const addresses = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
  const servers: HttpServer[] = [];
  const listener = new vscode.Disposable(() => servers.forEach((server) => void server.close()));
  for (const address of addresses) {
    try {
      servers.push(
        await startHttpServer({
          host: address,
          port: Number(callbackUrl.port || '80'),
          maxConnections: MAX_CALLBACK_CONNECTIONS,
          headersTimeoutMs: timeoutMs,
          requestTimeoutMs: timeoutMs,
          idleTimeoutMs: timeoutMs,
          // Allow a moment for the pending response to arrive.
          closeTimeoutMs: timeoutMs,
          createHandlers: () => ({
            hosts: new Set([callbackUrl.host]),
            answer: (request, response) => answer(request, response, callbackUrl, handleCallback),
            answerOtherHost: (_request, response) => refuse(response, 421),
          }),
          describeRefusal: ({ status }) => ({ headers: status === 405 ? [['allow', 'GET']] : [], body: '' }),
        }),
      );
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!isMissingFamily(code)) {
        listener.dispose();
        throw cannotListen(callbackUrl.host, code === 'EADDRINUSE');
      }
    }
  }
  if (servers.length === 0) {
    throw cannotListen(callbackUrl.host, false);
  }
  return listener;
}

/** Reports whether an error means that this computer has no such address because IPv6 or IPv4 is disabled. */
function isMissingFamily(code: string | undefined): boolean {
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT';
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  callbackUrl: URL,
  handleCallback: (query: string) => CallbackOutcome,
): void {
  const { headers, method, url = '' } = request;
  const target = URL.parse(callbackUrl.origin + url);
  if (target?.pathname !== callbackUrl.pathname) {
    refuse(response, 404);
  } else if (method !== 'GET') {
    response.setHeader('allow', 'GET');
    refuse(response, 405);
  } else if (isNavigation(headers) && handleCallback(target.search.slice(1)).accepted) {
    response.setHeader('connection', 'close');
    answerPage(
      response,
      200,
      messagePage(vscode.l10n.t('Go back to VS Code'), vscode.l10n.t('You can close this tab.')),
    );
  } else {
    refuse(response, 400);
  }
}

/** Responds with a fixed page that doesn't repeat any part of the request. */
function refuse(response: ServerResponse, status: number): void {
  response.setHeader('connection', 'close');
  const text = vscode.l10n.t('Go back to VS Code and sign in again.');
  answerPage(response, status, messagePage(vscode.l10n.t('No sign-in is waiting for this page'), text));
}

/**
 * Reports whether a request is a navigation. Requests that other websites send in the background, such as for images and scripts, aren't.
 * Browsers specify this in headers (Fetch Metadata, §2). A request without these headers isn't from such a browser, so it counts as a
 * navigation.
 */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  return mode === 'navigate' && destination === 'document';
}
