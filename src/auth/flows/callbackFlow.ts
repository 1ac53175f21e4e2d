import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { NotRegisteredError, SignInFailedError, SignInRefusedError } from '../signInErrors.ts';
import type { Answer, AuthorizationResponse } from '../callback/pendingSignIns.ts';
import type { CallbackHandler } from '../callback/callbackHandler.ts';
import type { StateSupport } from '../callback/stateSupport.ts';
import type { Environment, Flow, FlowContext, FlowId, Grant } from './flow.ts';

/** What the flows with a browser share. */
export interface CallbackFlowDependencies {
  readonly callbacks: CallbackHandler;
  readonly stateSupport: StateSupport;
}

/**
 * The contract's OAuth web application flow: a page in the browser, then a code, then the exchange. The flows differ in
 * how the browser's return reaches this window.
 */
export abstract class CallbackFlow implements Flow {
  abstract readonly id: FlowId;
  abstract readonly label: string;
  abstract readonly detail: string;
  readonly #dependencies: CallbackFlowDependencies;

  constructor(dependencies: CallbackFlowDependencies) {
    this.#dependencies = dependencies;
  }

  protected get callbacks(): CallbackHandler {
    return this.#dependencies.callbacks;
  }

  abstract worksIn(environment: Environment): boolean;

  /** Prepares for the browser's return. What it returns is disposed when the wait is over, however it ends. */
  protected abstract listen(context: FlowContext): Promise<vscode.Disposable>;

  /** Runs while the sign-in waits, once the browser is open. Its failure ends the sign-in. */
  protected whileWaiting?(context: FlowContext): Promise<void>;

  async run(context: FlowContext): Promise<Grant> {
    const { service, client, registration, signal, report } = context;
    if (registration === undefined) {
      throw new NotRegisteredError(new URL(service.url.href).host);
    }
    const { callbacks, stateSupport } = this.#dependencies;
    const { origin } = service.url;
    const state = randomBytes(16).toString('base64url');
    const authorizeUrl = client.authorizeUrl({ clientId: registration.clientId, state });
    const ended = new AbortController();
    const listener = await this.listen(context);
    try {
      const page = (await service.signInPage?.(authorizeUrl)) ?? authorizeUrl;
      const response = callbacks.pending.wait(
        {
          origin,
          state,
          stateRequired: stateSupport.has(origin),
          page,
          confirm: (answer) => confirmAnswer(answer, context),
        },
        AbortSignal.any([signal, ended.signal]),
      );
      // The wait may end while the browser opens; it is awaited below.
      response.catch(() => undefined);
      report(vscode.l10n.t('Waiting for the browser…'), {
        links: [
          { title: vscode.l10n.t('Copy Link'), command: 'appBuild.copySignInLink', argument: origin },
          { title: vscode.l10n.t('Enter Code Instead…'), command: 'appBuild.enterSignInCode', argument: origin },
        ],
      });
      // False is no cancellation: the person may have copied the link instead.
      await vscode.env.openExternal(vscode.Uri.parse(page, true));
      const parallel = this.whileWaiting?.({ ...context, signal: AbortSignal.any([signal, ended.signal]) });
      const received = await (parallel === undefined
        ? response
        : Promise.race([response, parallel.then(() => response)]));
      if (received.stateVerified) {
        await stateSupport.add(origin);
      }
      const accessToken = await client.exchangeCode({ ...registration, code: codeOf(received) }, signal);
      return { token: { type: 'accessToken', accessToken }, stateVerified: received.stateVerified };
    } finally {
      ended.abort();
      listener.dispose();
    }
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

function codeOf(response: AuthorizationResponse): string {
  switch (response.kind) {
    case 'code':
      return response.code;
    case 'denied':
      throw new SignInRefusedError();
    case 'failed':
      throw new SignInFailedError(response.error);
  }
}
