import * as vscode from 'vscode';
import type { Connection, SignedInConnection } from '../../auth/connection.ts';
import { plainText } from '../../workbench/plainText.ts';

/**
 * Has the title, the message and the welcome texts of the Resources view follow the connection.
 *
 * @param filterText what a filter hides; undefined without one.
 */
export function showConnection(
  view: Pick<vscode.TreeView<unknown>, 'description' | 'message'>,
  connection: Connection,
  filterText: string | undefined,
): void {
  void vscode.commands.executeCommand('setContext', 'appBuild.connection', connection.kind);
  const service = 'service' in connection ? connection.service : undefined;
  void vscode.commands.executeCommand('setContext', 'appBuild.localService', service?.local ?? false);
  const place =
    service === undefined ? '' : service.local ? vscode.l10n.t('Local Service') : new URL(service.url.href).host;
  view.description = plainText(place);
  // VS Code hides the welcome view while there is a message, so there is one only beside the user's resources.
  view.message = connection.kind === 'signedIn' ? plainText(filterText ?? aboutService(connection)) : '';
}

function aboutService({ service }: SignedInConnection): string {
  return service.local
    ? vscode.l10n.t('The local service, on this machine. Its first apps and keys are demo data.')
    : '';
}
