import * as vscode from 'vscode';
import { askForCallback } from '../auth/flows/askForCallback.ts';
import type { AuthenticationProvider } from '../auth/authenticationProvider.ts';
import type { Connections } from '../auth/connection.ts';
import type { CallbackHandler } from '../auth/callback/callbackHandler.ts';
import type { Session } from '../auth/session.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import { inert } from '../workbench/inert.ts';
import { callPatience, withProgress } from '../workbench/progress.ts';
import type { Handlers } from './registry.ts';
import { notConnected, signedIn } from './signedIn.ts';

interface Parts {
  readonly provider: AuthenticationProvider;
  readonly connections: Connections;
  readonly selection: ServiceSelection;
  readonly callbacks: CallbackHandler;
}

/** Commands about who is signed in. */
export function accountCommands(parts: Parts) {
  const { provider, connections, selection, callbacks } = parts;

  return {
    'appBuild.signIn': async () => {
      await provider.signIn({ scopes: [] });
    },

    'appBuild.signInWith': async () => {
      await provider.signIn({ scopes: [], choose: true });
    },

    'appBuild.signOut': async () => {
      const service = selection.current;
      const sessions = service === undefined ? [] : await connections.accountsAt(service);
      const session =
        sessions.length > 1
          ? await pickAccount(
              sessions,
              vscode.l10n.t('Sign Out'),
              vscode.l10n.t('Which account do you want to sign out?'),
            )
          : sessions[0];
      if (session !== undefined) {
        await provider.removeSession(session.id);
      } else if (sessions.length === 0) {
        void vscode.window.showInformationMessage(vscode.l10n.t('You are not signed in.'));
      }
    },

    'appBuild.switchAccount': async () => {
      const service = selection.current;
      if (service === undefined) {
        throw notConnected();
      }
      const another = { label: `$(add) ${vscode.l10n.t('Sign In to Another Account…')}`, session: undefined };
      const accounts = (await connections.accountsAt(service)).map((session, index) => ({
        label: inert(session.account.label),
        ...(index === 0 && { description: vscode.l10n.t('in use') }),
        session,
      }));
      const chosen = await vscode.window.showQuickPick([...accounts, another], {
        title: vscode.l10n.t('Switch Account'),
        placeHolder: vscode.l10n.t('Which account do you want to use at {0}?', new URL(service.url.href).host),
      });
      const session = chosen === another ? await provider.signIn({ scopes: [] }) : chosen?.session;
      if (session !== undefined) {
        await connections.prefer(service, session.account.id);
      }
    },

    'appBuild.showCurrentUser': async () => {
      const { client, service } = await signedIn(connections);
      const title = vscode.l10n.t('Asking {0} who you are', new URL(service.url.href).host);
      const user = await withProgress({ notification: title, patience: callPatience }, (signal) =>
        client.currentUser(signal),
      );
      const openAsJson = vscode.l10n.t('Open as JSON');
      const who = user.email === undefined ? user.username : `${user.username} (${user.email})`;
      const text = vscode.l10n.t('Signed in as {0} at {1}.', inert(who), new URL(service.url.href).host);
      void vscode.window.showInformationMessage(text, openAsJson).then((chosen) => {
        if (chosen === openAsJson) {
          void vscode.commands.executeCommand('appBuild.openAsJson', { url: client.homeUrl });
        }
      });
    },

    'appBuild.copySignInLink': async () => {
      const page = callbacks.pendingPage;
      if (page !== undefined) {
        await vscode.env.clipboard.writeText(page);
      }
    },

    'appBuild.enterSignInCode': () => askForCallback(callbacks, callbacks.pendingOver),
  } satisfies Handlers;
}

async function pickAccount(
  sessions: readonly Session[],
  title: string,
  placeHolder: string,
): Promise<Session | undefined> {
  const items = sessions.map((session) => ({ label: inert(session.account.label), session }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.session;
}
