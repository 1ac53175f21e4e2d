import * as vscode from 'vscode';
import { label } from '../api/hypermedia/label.ts';
import { askForCallback } from '../auth/flows/browserFlows.ts';
import type { Session } from '../auth/session.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../workbench/progress.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';
import { openResource, type ResourceDependencies } from './resource.ts';

type AccountDependencies = ResourceDependencies & Pick<CommandDependencies, 'provider' | 'selection' | 'callbacks'>;

/** Commands about who is signed in. */
export function accountCommands(dependencies: AccountDependencies) {
  const { provider, callbacks, input } = dependencies;
  return {
    'appBuild.signIn': async () => {
      await provider.signIn();
    },
    'appBuild.signInWith': async () => {
      await provider.signIn({ scopes: [], choose: true });
    },
    'appBuild.signOut': () => signOut(dependencies),
    'appBuild.switchAccount': () => switchAccount(dependencies),
    'appBuild.showCurrentUser': () => showCurrentUser(dependencies),
    'appBuild.copySignInLink': async (origin) => {
      const page = callbacks.pending.page(textOf(origin));
      if (page !== undefined) {
        await vscode.env.clipboard.writeText(page);
      }
    },
    'appBuild.enterSignInCode': (origin) => askForCallback(input, callbacks.pending, textOf(origin)),
  } satisfies Handlers;
}

/** Signs the account in use out; asks which one when there are several. */
async function signOut({ selection, connections, input, notifications, provider }: AccountDependencies): Promise<void> {
  const service = selection.current;
  const sessions = service === undefined ? [] : await connections.accountsAt(service);
  if (sessions.length === 0) {
    notifications.information(vscode.l10n.t('You are not signed in.'));
    return;
  }
  const chosen =
    sessions.length === 1
      ? { session: sessions[0] }
      : await input.pick(sessions.map(toPickItem), {
          title: vscode.l10n.t('Sign Out'),
          placeholder: vscode.l10n.t('Which account do you want to sign out?'),
        });
  if (chosen?.session !== undefined) {
    await provider.removeSession(chosen.session.id);
  }
}

/** Uses another account that is signed in, or signs in to one. */
async function switchAccount({ selection, connections, input, provider }: AccountDependencies): Promise<void> {
  const service = selection.require();
  const accounts = (await connections.accountsAt(service)).map((session, index) => ({
    ...toPickItem(session),
    ...(index === 0 && { description: vscode.l10n.t('in use') }),
  }));
  const another = { icon: 'add', label: vscode.l10n.t('Sign In to Another Account…'), session: undefined };
  const chosen = await input.pick([...accounts, another], {
    title: vscode.l10n.t('Switch Account'),
    placeholder: vscode.l10n.t('Which account do you want to use at {0}?', new URL(service.url.href).host),
  });
  const session = chosen === another ? await provider.signIn() : chosen?.session;
  if (session !== undefined) {
    await connections.prefer(service, session.account.id);
  }
}

/** Asks the service who the user is, and says it. */
async function showCurrentUser(dependencies: AccountDependencies): Promise<void> {
  const { connections, notifications } = dependencies;
  const { client, service } = await connections.requireSignedIn();
  const { host } = new URL(service.url.href);
  const { username, email } = await withProgress(
    { notification: vscode.l10n.t('Asking {0} who you are', host), delayMs: CALL_PROGRESS_DELAY_MS },
    (signal) => client.currentUser(signal),
  );
  const name = label(email === undefined ? username : `${username} (${email})`);
  notifications.information(vscode.l10n.t('Signed in as {0} at {1}.', name, host), {
    title: vscode.l10n.t('Open Resource'),
    run: () => openResource(dependencies, client.homeUrl),
  });
}

function textOf(argument: unknown): string | undefined {
  return typeof argument === 'string' ? argument : undefined;
}

function toPickItem(session: Session): { readonly label: string; readonly session: Session } {
  return { label: session.account.label, session };
}
