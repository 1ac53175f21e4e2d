import * as vscode from 'vscode';
import type { AuthenticationProvider } from '../../auth/authenticationProvider.ts';
import type { Connection, Connections } from '../../auth/connection.ts';
import { plainText } from '../../workbench/texts.ts';

type SignIns = Pick<AuthenticationProvider, 'isBusy'>;

/** The title, the message and the welcome texts of the Resources view. */
export class ViewTexts {
  readonly #view: Pick<vscode.TreeView<unknown>, 'description' | 'message'>;
  readonly #connections: Connections;
  readonly #signIns: SignIns;
  /** Counts the questions for the connection. */
  #questions = 0;

  constructor(
    view: Pick<vscode.TreeView<unknown>, 'description' | 'message'>,
    connections: Connections,
    signIns: SignIns,
  ) {
    this.#signIns = signIns;
    this.#view = view;
    this.#connections = connections;
  }

  /**
   * The connection in use. The texts follow it, unless there was a later call meanwhile; also while the view is hidden, because
   * the walkthrough depends on them.
   */
  async currentConnection(): Promise<Connection> {
    const question = ++this.#questions;
    const connection = await this.#connections.current();
    if (question === this.#questions) {
      this.showConnection(connection);
    }
    return connection;
  }

  /** Has them follow the connection. @param failure why nothing of the account can be shown; the view's only row says it. */
  showConnection(connection: Connection, failure?: unknown): void {
    if (connection.kind === 'signedOut' && connection.service.local && this.#signIns.isBusy) {
      // The window signs in by itself: a Sign In button would be gone before the user can click it.
      return;
    }
    // A broken connection is no reason to disable commands: they say what is wrong.
    const isUnconfigured = connection.kind === 'unconfigured';
    const isSignedOut = isUnconfigured || connection.kind === 'signedOut';
    void vscode.commands.executeCommand('setContext', 'appBuild.signedOut', isSignedOut);
    void vscode.commands.executeCommand('setContext', 'appBuild.unconfigured', isUnconfigured);
    const service = 'service' in connection ? connection.service : undefined;
    void vscode.commands.executeCommand('setContext', 'appBuild.localService', service?.local ?? false);
    const place = service === undefined ? '' : service.local ? vscode.l10n.t('Local Service') : service.url.host;
    this.#view.description = plainText(place);
    // VS Code hides the welcome view while there is a message, so there is one only beside rows.
    this.#view.message = plainText(messageFor(connection, failure));
  }
}

function messageFor(connection: Connection, failure: unknown): string {
  if (connection.kind !== 'signedIn') {
    return '';
  }
  if (failure !== undefined) {
    return vscode.l10n.t('You stay signed in. The row says what is in the way.');
  }
  const { local, demo = false } = connection.service;
  if (!local) {
    return '';
  }
  return demo
    ? vscode.l10n.t('The local service, on this machine, with demo data.')
    : vscode.l10n.t('The local service, on this machine.');
}
