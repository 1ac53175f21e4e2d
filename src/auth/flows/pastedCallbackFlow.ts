import * as vscode from 'vscode';
import { askForCallback } from './askForCallback.ts';
import { CallbackFlow } from './callbackFlow.ts';
import type { Environment, FlowContext } from './flow.ts';

/** For hosts that no callback can reach: the person brings the callback's address over. */
export class PastedCallbackFlow extends CallbackFlow {
  readonly id = 'pastedCallback';
  readonly label = vscode.l10n.t('Browser, Pasting the Result');
  readonly detail = vscode.l10n.t(
    'Allow access on the service’s page, then paste the address that the browser ends at.',
  );

  worksIn({ registered }: Environment): boolean {
    return registered;
  }

  protected listen(): Promise<vscode.Disposable> {
    return Promise.resolve(vscode.Disposable.from());
  }

  protected override async beside({ signal }: FlowContext): Promise<void> {
    await askForCallback(this.callbacks, signal);
  }
}
