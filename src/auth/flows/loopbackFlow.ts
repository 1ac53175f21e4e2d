import * as vscode from 'vscode';
import { NotRegisteredError } from '../authErrors.ts';
import { listenOnLoopback } from '../callback/loopbackListener.ts';
import { CallbackFlow } from './callbackFlow.ts';
import type { Environment, FlowContext } from './flow.ts';

/** The registered Callback Url is an address on this machine: the browser returns to a listener that waits there. */
export class LoopbackFlow extends CallbackFlow {
  readonly id = 'loopback';
  readonly label = vscode.l10n.t('Browser, Returning to This Machine');
  readonly detail = vscode.l10n.t(
    'Allow access on the service’s page; the browser then calls an address on this machine.',
  );

  /** In a remote window the browser and this extension may be on different machines. */
  worksIn({ registered, callback, remote }: Environment): boolean {
    return registered && callback === 'loopback' && !remote;
  }

  protected async listen({ service, registration }: FlowContext): Promise<vscode.Disposable> {
    if (registration?.callbackUrl === undefined) {
      throw new NotRegisteredError(new URL(service.url.href).host);
    }
    return listenOnLoopback(new URL(registration.callbackUrl), (query) => this.callbacks.handleCallback(query));
  }
}
