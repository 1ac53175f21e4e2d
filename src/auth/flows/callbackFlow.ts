import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { NotRegisteredError, SignInFailedError, SignInRefusedError } from '../authErrors.ts';
import type { Answer, CallbackHandler } from '../callback/callbackHandler.ts';
import type { StateMemory } from '../callback/stateMemory.ts';
import type { Environment, Flow, FlowContext, FlowId, Grant } from './flow.ts';

/** What the flows with a browser share. */
export interface CallbackFlowParts {
  readonly callbacks: CallbackHandler;
  readonly memory: StateMemory;
}

/**
 * The contract's OAuth web application flow: a page in the browser, then a code, then the exchange. The flows differ in
 * how the browser's return reaches this window.
 */
export abstract class CallbackFlow implements Flow {
  abstract readonly id: FlowId;
  abstract readonly label: string;
  abstract readonly detail: string;
  readonly #parts: CallbackFlowParts;

  constructor(parts: CallbackFlowParts) {
    this.#parts = parts;
  }

  protected get callbacks(): CallbackHandler {
    return this.#parts.callbacks;
  }

  abstract worksIn(environment: Environment): boolean;

  /** Makes ready for the browser's return. What is returned is disposed when the wait is over, however it ends. */
  protected abstract listen(context: FlowContext): Promise<vscode.Disposable>;

  /** Runs beside the wait, once the browser is open. Its failure ends the sign-in. */
  protected beside?(context: FlowContext): Promise<void>;

  async run(context: FlowContext): Promise<Grant> {
    const { service, client, registration, signal, report } = context;
    if (registration === undefined) {
      throw new NotRegisteredError(new URL(service.url.href).host);
    }
    const { callbacks, memory } = this.#parts;
    const { origin } = service.url;
    const state = randomBytes(16).toString('base64url');
    const page = client.authorizeUrl({ clientId: registration.clientId, state });
    const ended = new AbortController();
    const listening = await this.listen(context);
    try {
      const answer = callbacks.wait(
        { state, stateRequired: memory.echoes(origin), page },
        AbortSignal.any([signal, ended.signal]),
      );
      // The wait may end while the browser opens; it is awaited below.
      answer.catch(() => undefined);
      report(waiting());
      // False is no cancellation: the person may have copied the link instead.
      await vscode.env.openExternal(vscode.Uri.parse(page, true));
      const beside = this.beside?.({ ...context, signal: AbortSignal.any([signal, ended.signal]) });
      const received = await (beside === undefined ? answer : Promise.race([answer, beside.then(() => answer)]));
      if (received.stateEchoed) {
        await memory.remember(origin);
      }
      const code = codeOf(received);
      const accessToken = await client.exchangeCode({ ...registration, code }, signal);
      return { token: { type: 'accessToken', accessToken }, proven: received.stateEchoed };
    } finally {
      ended.abort();
      listening.dispose();
    }
  }
}

/** VS Code renders links to commands in a notification: buttons that do not end the progress. */
function waiting(): string {
  const link = (title: string, command: string) => `[${title}](command:${command})`;
  return [
    vscode.l10n.t('Waiting for the browser…'),
    link(vscode.l10n.t('Copy Link'), 'appBuild.copySignInLink'),
    '·',
    link(vscode.l10n.t('Enter Code Instead…'), 'appBuild.enterSignInCode'),
  ].join(' ');
}

function codeOf(answer: Answer): string {
  switch (answer.kind) {
    case 'code':
      return answer.code;
    case 'denied':
      throw new SignInRefusedError();
    case 'failed':
      throw new SignInFailedError(answer.error);
  }
}
