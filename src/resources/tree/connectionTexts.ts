import * as vscode from 'vscode';
import type { Connection } from '../../auth/connection.ts';
import { plainText } from '../../workbench/plainText.ts';

/**
 * Has the title, the message and the welcome texts of the Resources view follow the connection.
 *
 * @param failure why nothing of the account can be shown; the view's only row says it.
 * @param filterText what a filter hides; undefined without one.
 */
export function showConnection(
  view: Pick<vscode.TreeView<unknown>, 'description' | 'message'>,
  connection: Connection,
  failure?: unknown,
  filterText?: string,
): void {
  void vscode.commands.executeCommand('setContext', 'appBuild.connection', connection.kind);
  const service = 'service' in connection ? connection.service : undefined;
  void vscode.commands.executeCommand('setContext', 'appBuild.localService', service?.local ?? false);
  const place =
    service === undefined ? '' : service.local ? vscode.l10n.t('Local Service') : new URL(service.url.href).host;
  view.description = plainText(place);
  // VS Code hides the welcome view while there is a message, so there is one only beside rows.
  view.message = plainText(messageFor(connection, failure, filterText));
}

function messageFor(connection: Connection, failure: unknown, filterText: string | undefined): string {
  if (connection.kind !== 'signedIn') {
    return '';
  }
  if (failure !== undefined) {
    return vscode.l10n.t('You stay signed in. The row says what is in the way.');
  }
  if (filterText !== undefined) {
    return filterText;
  }
  return connection.service.local
    ? vscode.l10n.t('The local service, on this machine. Its first apps and keys are demo data.')
    : '';
}
