import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

import { Failure, sentence } from '../../../errors/index.ts';
import type { Input } from '../../workbench/input.ts';
import { localize } from '../../workbench/notifications.ts';
import { CALLBACK_PATH, readPastedCallback } from '../callback/callback.ts';
import type { CallbackHandler } from '../callback/callbackHandler.ts';
import { listenOnLoopback } from '../callback/loopbackListener.ts';
import type { CallbackAnswer, AuthorizationResponse, PendingSignIns } from '../callback/pendingSignIns.ts';
import { exchanged, notRegistered, type SignInFlow, type FlowContext, type SignInGrant } from './flow.ts';

interface CallbackFlowDependencies {
  readonly callbacks: CallbackHandler;
  /**
   * Stores which services return `state`. The contract doesn't require it, but a service that has returned it once always does. From then
   * on, a response without `state` can't be from that service.
   */
  readonly globalState: vscode.Memento;
}

/** How the browser returns to this window, which is the only difference between the browser flows. */
interface BrowserReturn {
  /** Prepares for the browser's return. The result is disposed when the wait ends for any reason. */
  readonly listen?: (context: FlowContext) => Promise<vscode.Disposable>;
  /** Runs while the sign-in waits, after the browser is opened. If it fails, the sign-in ends. */
  readonly whileWaiting?: (context: FlowContext) => Promise<void>;
}

/** Runs the contract's OAuth web application flow: opens a page in the browser, receives a code, and exchanges it for a token. */
async function runInBrowser(
  context: FlowContext,
  { callbacks, globalState }: CallbackFlowDependencies,
  { listen, whileWaiting }: BrowserReturn,
): Promise<SignInGrant> {
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
    const confirm = (answer: CallbackAnswer) => confirmAnswer(answer, context);
    const response = callbacks.pending.wait({ origin, state, stateRequired, page, confirm }, eitherSignal);
    // Handle the rejection here, because the wait may end while the browser opens. The response is awaited later.
    response.catch(() => undefined);
    report(vscode.l10n.t('Waiting for the browser…'), {
      links: [
        { title: vscode.l10n.t('Copy Link'), command: 'appBuild.copySignInLink', argument: origin },
        { title: vscode.l10n.t('Enter Code Instead…'), command: 'appBuild.enterSignInCode', argument: origin },
      ],
    });
    // False doesn't mean that the user canceled: they may have copied the link.
    await vscode.env.openExternal(vscode.Uri.parse(page, true));
    const parallel = whileWaiting?.({ ...context, signal: eitherSignal });
    const received = await (parallel === undefined
      ? response
      : Promise.race([response, parallel.then(() => response)]));
    if (received.stateVerified && !stateRequired) {
      await globalState.update(stateKey, true);
    }
    const exchange = client.exchangeCode({ ...registration, code: getCode(received) }, signal);
    const accessToken = await exchanged('code', service, exchange);
    return { token: { type: 'accessToken', accessToken }, stateVerified: received.stateVerified };
  } finally {
    ended.abort();
    listener?.dispose();
  }
}

/**
 * Asks the user about a response without `state`, which may come from another page. The question doesn't repeat any text from the response.
 */
function confirmAnswer({ kind }: CallbackAnswer, { service, input }: FlowContext): Promise<boolean> {
  const { host } = new URL(service.url.href);
  const detail = vscode.l10n.t(
    'The browser returned without this sign-in’s state, so another page may have sent it. If you’re not sure, cancel. The sign-in keeps waiting for {0}’s page.',
    host,
  );
  switch (kind) {
    case 'code':
      return input.confirm(
        vscode.l10n.t('Did you just allow access on {0}’s page?', host),
        detail,
        vscode.l10n.t('Yes, I Allowed It'),
      );
    case 'denied':
      return input.confirm(
        vscode.l10n.t('Did you just deny access on {0}’s page?', host),
        detail,
        vscode.l10n.t('Yes, I Denied It'),
      );
    case 'failed':
      return input.confirm(
        vscode.l10n.t('Did {0}’s page just show you an error?', host),
        detail,
        vscode.l10n.t('Yes, End the Sign-In'),
      );
  }
}

function getCode(response: AuthorizationResponse): string {
  switch (response.kind) {
    case 'code':
      return response.code;
    case 'denied':
      throw new Failure('signInRefused', {
        what: sentence('You denied access on the service’s page, so you’re not signed in.'),
        next: sentence('You can sign in again at any time.'),
        remedy: 'signIn',
        calm: true,
      });
    case 'failed':
      throw new Failure('signInFailed', {
        what: sentence('The service ended the sign-in with “{0}”.', response.error),
        next: sentence('Sign in again. If the problem persists, check your client registration with the service.'),
        remedy: 'signIn',
      });
  }
}

/** Returns the URI that opens this extension in the current edition of VS Code. Forks have their own URI schemes. */
export function extensionCallback(extensionId: string): vscode.Uri {
  return vscode.Uri.parse(`${vscode.env.uriScheme}://${extensionId}${CALLBACK_PATH}`);
}

/**
 * Creates the flow in which the browser returns through the operating system, or through the page where VS Code is running.
 */
export function uriHandlerFlow(extensionId: string, dependencies: CallbackFlowDependencies): SignInFlow {
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
    detail: vscode.l10n.t('Allow access on the service’s page. The browser then returns here.'),
    // On the web, the callback has a different address each time, so the service must accept it from this extension.
    worksIn: ({ registered, callback, host, ownCallback }) =>
      registered && (ownCallback || (callback === 'extension' && host === 'desktop')),
    run: (context) => runInBrowser(context, dependencies, { listen }),
  };
}

/** Creates the flow for a registered callback URL on this computer: the browser returns to a local listener. */
export function loopbackFlow(dependencies: CallbackFlowDependencies): SignInFlow {
  /** Listeners by callback URL, because sign-ins to two services may be waiting at the same address. */
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
    detail: vscode.l10n.t('Allow access on the service’s page. The browser then opens an address on this computer.'),
    // In a remote window, the browser and this extension may be on different computers.
    worksIn: ({ registered, callback, remote }) => registered && callback === 'loopback' && !remote,
    run: (context) => runInBrowser(context, dependencies, { listen }),
  };
}

/** Creates the flow for environments that no callback can reach: the user pastes the callback URL. */
export function pastedCallbackFlow(dependencies: CallbackFlowDependencies): SignInFlow {
  const { pending } = dependencies.callbacks;
  return {
    id: 'pastedCallback',
    label: vscode.l10n.t('Browser (Paste the Code)'),
    detail: vscode.l10n.t('Allow access on the service’s page, then paste the final address from the browser.'),
    worksIn: ({ registered }) => registered,
    run: (context) =>
      runInBrowser(context, dependencies, {
        whileWaiting: ({ input, service, signal }) => askForCallback(input, pending, service.url.origin, signal),
      }),
  };
}

/**
 * Asks the user to paste the callback URL, or its code, for a pending sign-in. The input box shows any problem.
 *
 * @param origin service of the sign-in. Defaults to the latest sign-in.
 * @throws {@link CancelledError} when the box is closed or `signal` aborts.
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
      prompt: vscode.l10n.t('Paste the full address from the browser’s address bar, or the code in it.'),
      placeholder: 'https://…?code=…',
      secret: true,
      validate: (text) => handlePasted(text, pending, origin),
    },
    signal,
  );
}

/** Passes the pasted text to the pending sign-in. @returns an error message, or undefined. */
function handlePasted(text: string, pending: PendingSignIns, origin: string | undefined): string | undefined {
  const pasted = readPastedCallback(text);
  if (pasted.kind === 'unusable') {
    return vscode.l10n.t('This is neither the final browser address nor a code. The address contains “code=”.');
  }
  if (pending.page(origin) === undefined) {
    return vscode.l10n.t('This sign-in has ended. Start again.');
  }
  const outcome = pending.handlePasted(pasted, origin);
  return outcome.accepted ? undefined : vscode.l10n.t('This address doesn’t match: {0}', localize(outcome.reason));
}
