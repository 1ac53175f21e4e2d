import * as vscode from 'vscode';
import { CALLBACK_PATH } from '../callback/callback.ts';
import { CallbackFlow, type CallbackFlowDependencies } from './callbackFlow.ts';
import type { Environment, FlowContext } from './flow.ts';

/** The URI that opens this extension, in whichever build of VS Code this is: forks have schemes of their own. */
export function extensionCallback(extensionId: string): vscode.Uri {
  return vscode.Uri.parse(`${vscode.env.uriScheme}://${extensionId}${CALLBACK_PATH}`);
}

/** The browser returns through the operating system, or through the page that VS Code runs in. */
export class UriHandlerFlow extends CallbackFlow {
  readonly id = 'uriHandler';
  readonly label = vscode.l10n.t('Browser');
  readonly detail = vscode.l10n.t('Allow access on the service’s page; the browser then returns here.');
  readonly #extensionId: string;

  constructor(extensionId: string, dependencies: CallbackFlowDependencies) {
    super(dependencies);
    this.#extensionId = extensionId;
  }

  /** In a web host the callback has another address each time, so that the service has to accept it from this extension. */
  worksIn({ registered, callback, host, ownCallback }: Environment): boolean {
    return registered && (ownCallback || (callback === 'extension' && host === 'desktop'));
  }

  protected async listen({ service }: FlowContext): Promise<vscode.Disposable> {
    if (service.registerCallback !== undefined) {
      const external = await vscode.env.asExternalUri(extensionCallback(this.#extensionId));
      await service.registerCallback(external.toString(true));
    }
    return vscode.Disposable.from();
  }
}
