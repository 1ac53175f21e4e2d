import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

import { Failure } from '../../api/errors/buildServiceError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { Input } from '../../workbench/input.ts';
import { localised } from '../../workbench/notifications.ts';
import { CALLBACK_PATH, readPastedCallback } from '../callback/callback.ts';
import type { CallbackHandler } from '../callback/callbackHandler.ts';
import { listenOnLoopback } from '../callback/loopbackListener.ts';
import type { Answer, AuthorizationResponse, PendingSignIns } from '../callback/pendingSignIns.ts';
import { exchanged, notRegistered, type Flow, type FlowContext, type Grant } from './flow.ts';

interface CallbackFlowDependencies {
  readonly callbacks: CallbackHandler;
  /**
   * Remembers which services send `state` back. The contract does not promise it; a service that has done it once does it always,
   * so that after that an answer without `state` is not the service's.
   */
  readonly globalState: vscode.Memento;
}

/** How the browser's return reaches this window: the part in which these flows differ. */
interface Return {
  /** Prepares for the browser's return. What it returns is disposed when the wait is over, however it ends. */
  readonly listen?: (context: FlowContext) => Promise<vscode.Disposable>;
  /** Runs while the sign-in waits, once the browser is open. Its failure ends the sign-in. */
  readonly whileWaiting?: (context: FlowContext) => Promise<void>;
}

/** The contract's OAuth web application flow: a page in the browser, then a code, then the exchange. */
async function runInBrowser(
  context: FlowContext,
  { callbacks, globalState }: CallbackFlowDependencies,
  { listen, whileWaiting }: Return,
): Promise<Grant> {
  const { service, client, registration, signal, report } = context;
  if (registration === undefined) {
    throw notRegistered(service.url.host);
  }
  const { origin } = service.url;
  const stateKey = `echoesState/${origin}`;
  const stateRequired = globalState.get<boolean>(stateKey) ?? false;
  const state = randomBytes(16).toString('base64url');
  const authorizeUrl = client.authorizeUrl({ clientId: registration.clientId, state });
  const ended = new AbortController();
  const eitherSignal = AbortSignal.any([signal, ended.signal]);
  const listener = await listen?.(context);
  try {
    const page = (await service.signInPage?.(authorizeUrl)) ?? authorizeUrl;
    const confirm = (answer: Answer) => confirmAnswer(answer, context);
    const response = callbacks.pending.wait({ origin, state, stateRequired, page, confirm }, eitherSignal);
    // The wait may end while the browser opens; it is awaited below.
    response.catch(() => undefined);
    report(vscode.l10n.t('Waiting for the browser…'), {
      links: [
        { title: vscode.l10n.t('Copy Link'), command: 'appBuild.copySignInLink', argument: origin },
        { title: vscode.l10n.t('Enter Code Instead…'), command: 'appBuild.enterSignInCode', argument: origin },
      ],
    });
    // False doesn't mean cancelled: the user may have copied the link instead.
    await vscode.env.openExternal(vscode.Uri.parse(page, true));
    const parallel = whileWaiting?.({ ...context, signal: eitherSignal });
    const received = await (parallel === undefined
      ? response
      : Promise.race([response, parallel.then(() => response)]));
    if (received.stateVerified && !stateRequired) {
      await globalState.update(stateKey, true);
    }
    const exchange = client.exchangeCode({ ...registration, code: codeOfResponse(received) }, signal);
    const accessToken = await exchanged('code', service, exchange);
    return { token: { type: 'accessToken', accessToken }, stateVerified: received.stateVerified };
  } finally {
    ended.abort();
    listener?.dispose();
  }
}

/** Asks about an answer without `state`: it may be another page's. No text of it is repeated. */
function confirmAnswer({ kind }: Answer, { service, input }: FlowContext): Promise<boolean> {
  const { host } = new URL(service.url.href);
  const detail = vscode.l10n.t(
    'The browser came back without the mark of this sign-in. Another page may have sent it. If you are not sure, cancel: the sign-in goes on waiting for the page of {0}.',
    host,
  );
  switch (kind) {
    case 'code':
      return input.confirm(
        vscode.l10n.t('Did you just allow access on the page of {0}?', host),
        detail,
        vscode.l10n.t('Yes, I Allowed It'),
      );
    case 'denied':
      return input.confirm(
        vscode.l10n.t('Did you just deny access on the page of {0}?', host),
        detail,
        vscode.l10n.t('Yes, I Denied It'),
      );
    case 'failed':
      return input.confirm(
        vscode.l10n.t('Did the page of {0} just show you an error?', host),
        detail,
        vscode.l10n.t('Yes, End the Sign-In'),
      );
  }
}

function codeOfResponse(response: AuthorizationResponse): string {
  switch (response.kind) {
    case 'code':
      return response.code;
    case 'denied':
      throw new Failure('signInRefused', {
        what: sentence('You denied access on the service’s page, so you are not signed in.'),
        next: sentence('Sign in again whenever you like.'),
        remedy: 'signIn',
        calm: true,
      });
    case 'failed':
      throw new Failure('signInFailed', {
        what: sentence('The service ended the sign-in with “{0}”.', response.error),
        next: sentence('Sign in again; if it happens again, check the client registration with the service.'),
        remedy: 'signIn',
      });
  }
}

/** The URI that opens this extension, in whichever build of VS Code this is: forks have schemes of their own. */
export function extensionCallback(extensionId: string): vscode.Uri {
  return vscode.Uri.parse(`${vscode.env.uriScheme}://${extensionId}${CALLBACK_PATH}`);
}

/** The browser returns through the operating system, or through the page that VS Code runs in. */
export function uriHandlerFlow(extensionId: string, dependencies: CallbackFlowDependencies): Flow {
  const listen = async ({ service }: FlowContext) => {
    if (service.registerCallback !== undefined) {
      const external = await vscode.env.asExternalUri(extensionCallback(extensionId));
      await service.registerCallback(external.toString(true));
    }
    return vscode.Disposable.from();
  };
  return {
    id: 'uriHandler',
    label: vscode.l10n.t('Browser'),
    detail: vscode.l10n.t('Allow access on the service’s page; the browser then returns here.'),
    // In a web host the callback has another address each time, so that the service has to accept it from this extension.
    worksIn: ({ registered, callback, host, ownCallback }) =>
      registered && (ownCallback || (callback === 'extension' && host === 'desktop')),
    run: (context) => runInBrowser(context, dependencies, { listen }),
  };
}

/** The registered Callback Url is an address on this machine: the browser returns to a listener that waits there. */
export function loopbackFlow(dependencies: CallbackFlowDependencies): Flow {
  /** By Callback Url: sign-ins at two services may wait for the browser at the same address. */
  const listeners = new Map<string, { readonly listener: Promise<vscode.Disposable>; users: number }>();
  const { pending } = dependencies.callbacks;

  const listen = async ({ service, registration }: FlowContext) => {
    if (registration?.callbackUrl === undefined) {
      throw notRegistered(service.url.host);
    }
    const { href } = new URL(registration.callbackUrl);
    const shared = listeners.get(href) ?? {
      listener: listenOnLoopback(new URL(href), (query) => pending.handleCallback(query)),
      users: 0,
    };
    listeners.set(href, shared);
    shared.users += 1;
    const release = new vscode.Disposable(() => {
      shared.users -= 1;
      if (shared.users === 0) {
        listeners.delete(href);
        shared.listener.then(
          (listener) => void listener.dispose(),
          () => undefined,
        );
      }
    });
    try {
      await shared.listener;
      return release;
    } catch (error) {
      release.dispose();
      throw error;
    }
  };
  return {
    id: 'loopback',
    label: vscode.l10n.t('Browser, Returning to This Computer'),
    detail: vscode.l10n.t('Allow access on the service’s page; the browser then calls an address on this computer.'),
    // In a remote window the browser and this extension may be on different machines.
    worksIn: ({ registered, callback, remote }) => registered && callback === 'loopback' && !remote,
    run: (context) => runInBrowser(context, dependencies, { listen }),
  };
}

/** For hosts that no callback can reach: the person pastes the callback's address. */
export function pastedCallbackFlow(dependencies: CallbackFlowDependencies): Flow {
  const { pending } = dependencies.callbacks;
  return {
    id: 'pastedCallback',
    label: vscode.l10n.t('Browser (Paste the Code)'),
    detail: vscode.l10n.t('Allow access on the service’s page, then paste the address that the browser ends at.'),
    worksIn: ({ registered }) => registered,
    run: (context) =>
      runInBrowser(context, dependencies, {
        whileWaiting: ({ input, service, signal }) => askForCallback(input, pending, service.url.origin, signal),
      }),
  };
}

/**
 * Lets a person paste the callback's address, or the code in it, for a pending sign-in. What does not fit is answered
 * in the box.
 *
 * @param origin the service of the sign-in; the latest one when it is undefined.
 * @throws CancelledError when the box is closed or `signal` aborts.
 */
export async function askForCallback(
  input: Input,
  pending: PendingSignIns,
  origin?: string,
  signal = pending.signal(origin),
): Promise<void> {
  await input.askText(
    {
      title: vscode.l10n.t('Sign In'),
      prompt: vscode.l10n.t('Paste the whole address that the browser ended at, or the code in it.'),
      placeholder: 'https://…?code=…',
      secret: true,
      validate: (text) => handlePasted(text, pending, origin),
    },
    signal,
  );
}

/** Hands what was pasted to the pending sign-in. @returns what is wrong with it. */
function handlePasted(text: string, pending: PendingSignIns, origin: string | undefined): string | undefined {
  const pasted = readPastedCallback(text);
  if (pasted.kind === 'unusable') {
    return vscode.l10n.t(
      'This is neither the address that the browser ended at nor a code. The address contains “code=”.',
    );
  }
  if (pending.page(origin) === undefined) {
    return vscode.l10n.t('This sign-in has ended. Start again.');
  }
  const outcome = pending.handlePasted(pasted, origin);
  return outcome.accepted ? undefined : vscode.l10n.t('This address does not fit: {0}', localised(outcome.reason));
}
