import * as vscode from 'vscode';
import { providerId } from './authenticationProvider.ts';
import type { Connections } from './connection.ts';

/**
 * VS Code lists a sign-in in the Accounts menu once somebody has asked for a session without insisting. Asks while
 * nobody is signed in; VS Code takes the entry away when a session appears.
 */
export function offerSignInFromAccountsMenu(connections: Connections): vscode.Disposable {
  const offer = async () => {
    if (await connections.lacksAccount()) {
      await vscode.authentication.getSession(providerId, []);
    }
  };
  void offer();
  return connections.onDidChange(() => void offer());
}
