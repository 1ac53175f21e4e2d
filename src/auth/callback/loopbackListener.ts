import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import * as vscode from 'vscode';
import { Failure } from '../../api/errors/buildServiceError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { answerPage, messagePage } from '../../workbench/browserPage.ts';
import { refuseTunnels } from '../../workbench/refuseTunnels.ts';
import { CALLBACK_LIFETIME_MS } from '../limits.ts';
import type { CallbackOutcome } from './pendingSignIns.ts';

/** The loopback address of the registered Callback Url cannot be listened on. */
function cannotListen(host: string, isInUse: boolean): Failure {
  return new Failure('loopback', {
    what: isInUse
      ? sentence('Another program uses {0}, where the browser is to return to.', host)
      : sentence('This computer does not let the extension listen on {0}, where the browser is to return to.', host),
    next: sentence('End that program, or sign in another way.'),
    remedy: 'signIn',
  });
}

/**
 * Listens on exactly the registered loopback address (RFC 8252 §7.3) while a sign-in is pending, and for nothing but the
 * callback. `localhost` is both 127.0.0.1 and [::1] where this machine has both: the browser chooses.
 *
 * @param callbackUrl `http:` URL whose host is 127.0.0.1, [::1] or localhost.
 * @param handleCallback takes the query of a callback.
 * @throws {@link cannotListen} when an address is in use, or none can be listened on.
 */
export async function listenOnLoopback(
  callbackUrl: URL,
  handleCallback: (query: string) => CallbackOutcome,
): Promise<vscode.Disposable> {
  const host = callbackUrl.hostname.replace(/^\[|\]$/g, '');
  const addresses = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
  const servers: Server[] = [];
  const listener = new vscode.Disposable(() => servers.forEach(close));
  for (const address of addresses) {
    const server = createServer({ requestTimeout: CALLBACK_LIFETIME_MS }, (request, response) =>
      answer(request, response, callbackUrl, handleCallback),
    );
    refuseTunnels(server, 'GET');
    try {
      server.listen({ host: address, port: Number(callbackUrl.port || '80'), exclusive: true });
      await once(server, 'listening');
      servers.push(server);
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

/** True for the failure of a machine that has no such address: IPv6, or IPv4, is switched off. */
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
  response.setHeader('connection', 'close');
  // A request line holds a path, or a whole URL with a host of its own (RFC 9112 §3.2). `//host` is a path there.
  const target = URL.parse(url.startsWith('/') ? callbackUrl.origin + url : url);
  // A page of another name that resolves to this machine must not reach the listener (DNS rebinding).
  if (headers.host?.toLowerCase() !== callbackUrl.host || (target !== null && target.host !== callbackUrl.host)) {
    refuse(response, 421);
  } else if (target?.pathname !== callbackUrl.pathname) {
    refuse(response, 404);
  } else if (method !== 'GET') {
    response.setHeader('allow', 'GET');
    refuse(response, 405);
  } else if (isNavigation(headers) && handleCallback(target.search.slice(1)).accepted) {
    answerPage(
      response,
      200,
      messagePage(vscode.l10n.t('Go back to VS Code'), vscode.l10n.t('You can close this tab.')),
    );
  } else {
    refuse(response, 400);
  }
}

/** Answers with a page of fixed words: it repeats nothing of the request. */
function refuse(response: ServerResponse, status: number): void {
  const text = vscode.l10n.t('Go back to VS Code and sign in again.');
  answerPage(response, status, messagePage(vscode.l10n.t('No sign-in is waiting for this page'), text));
}

/**
 * False for what a page of another website loads behind a person's back: images, frames, scripts. Browsers say so (Fetch
 * Metadata, §2); a client without these headers is no such browser.
 */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  return mode === 'navigate' && destination === 'document';
}

function close(server: Server): void {
  server.close();
  // The answer that is being sent gets a moment to arrive.
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), CALLBACK_LIFETIME_MS).unref();
}
