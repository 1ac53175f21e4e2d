import * as vscode from 'vscode';
import { InvalidResponseError, label } from '../../service-client/index.ts';
import { askForCallback } from '../auth/flows/browserFlows.ts';
import { askForAuthToken, askForPassword } from '../auth/flows/tokenFlows.ts';
import type { Session } from '../auth/session.ts';
import { exchanged, notRegistered } from '../auth/flows/flow.ts';
import { withCallProgress } from '../workbench/progress.ts';
import type { CommandDependencies, CommandHandlers } from './dependencies.ts';
import { openResource } from './resourceCommands.ts';
import { readArgument } from './wizard/subject.ts';

/** Creates the commands for signing in and out. */
export function accountCommands(dependencies: CommandDependencies) {
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
      const page = callbacks.pending.page(readArgument(origin).url);
      if (page !== undefined) {
        await vscode.env.clipboard.writeText(page);
      }
    },
    'appBuild.getAuthenticationToken': () => getAuthenticationToken(dependencies),
    'appBuild.exchangeAuthenticationToken': () => exchangeAuthenticationToken(dependencies),
    'appBuild.enterSignInCode': (origin) => askForCallback(input, callbacks.pending, readArgument(origin).url),
  } satisfies CommandHandlers;
}

async function signOut({ selection, connections, input, notifications, provider }: CommandDependencies): Promise<void> {
  const service = selection.current;
  const sessions = service === undefined ? [] : await connections.accountsAt(service);
  if (sessions.length === 0) {
    notifications.information(vscode.l10n.t('You’re not signed in.'));
    return;
  }
  const { session } = await input.pickUnlessOne(sessions.map(toPickItem), {
    title: vscode.l10n.t('Sign Out'),
    placeholder: vscode.l10n.t('Which account do you want to sign out of?'),
  });
  await provider.removeSession(session.id);
}

async function switchAccount({ selection, connections, input, provider }: CommandDependencies): Promise<void> {
  const service = selection.require();
  const accounts = (await connections.accountsAt(service)).map((session, index) => ({
    ...toPickItem(session),
    ...(index === 0 && { description: vscode.l10n.t('in use') }),
  }));
  const another = { icon: 'add', label: vscode.l10n.t('Sign In to Another Account…'), session: undefined };
  const chosen = await input.pick([...accounts, another], {
    title: vscode.l10n.t('Switch Account'),
    placeholder: vscode.l10n.t('Which account do you want to use at {0}?', service.url.host),
  });
  const session = chosen.session ?? (await provider.signIn());
  if (session !== undefined) {
    await connections.prefer(service, session.account.id);
  }
}

async function showCurrentUser(dependencies: CommandDependencies): Promise<void> {
  const { connections, notifications } = dependencies;
  const { client, service } = await connections.requireSignedIn();
  const { host } = new URL(service.url.href);
  const { username, email } = await withCallProgress(vscode.l10n.t('Getting your account from {0}', host), (signal) =>
    client.currentUser(signal),
  );
  const name = label(email === undefined ? username : `${username} (${email})`);
  notifications.information(vscode.l10n.t('Signed in as {0} at {1}.', name, host), {
    title: vscode.l10n.t('Open Resource'),
    run: () => openResource(dependencies, client.homeUrl),
  });
}

function toPickItem(session: Session): { readonly label: string; readonly session: Session } {
  return { label: session.account.label, session };
}

// Endpoints 3 and 6 of the contract create tokens, which are copied only to the clipboard.

/** Requests an authentication token with a user name and password and copies it (endpoint 3 of the contract). */
export async function getAuthenticationToken(dependencies: CommandDependencies): Promise<void> {
  const { connections, selection, input } = dependencies;
  const service = await selection.requireStarted();
  const { host } = new URL(service.url.href);
  const credentials = await askForPassword(input, host);
  const client = await connections.anonymousClient(service);
  const title = vscode.l10n.t('Getting an authentication token from {0}', host);
  const token = await withCallProgress(title, (signal) => client.createAuthenticationToken(credentials, signal));
  await copyToken(dependencies, vscode.l10n.t('The service gave you an authentication token.'), token);
}

/**
 * Exchanges an authentication token for an access token and copies it (endpoint 6 of the contract).
 *
 * @throws Failure if this extension isn't registered at the service.
 */
export async function exchangeAuthenticationToken(dependencies: CommandDependencies): Promise<void> {
  const { connections, selection, input } = dependencies;
  const service = await selection.requireStarted();
  const { host } = new URL(service.url.href);
  const registration = await service.registration();
  if (registration === undefined) {
    throw notRegistered(host);
  }
  const authToken = await askForAuthToken(input, service.url.href);
  const client = await connections.anonymousClient(service);
  const title = vscode.l10n.t('Exchanging the authentication token at {0}', host);
  const token = await withCallProgress(title, (signal) =>
    exchanged('token', service, client.exchangeAuthenticationToken({ ...registration, authToken }, signal)),
  );
  const question = vscode.l10n.t('The service gave this extension an access token for your account.');
  await copyToken(dependencies, question, token);
}

/**
 * Characters allowed in a token (RFC 6749, Appendix A.12). Control characters could run commands when the user pastes the token into a
 * terminal.
 */
const TOKEN = /^[ -~]+$/;

/** Copies a secret to the clipboard if the user agrees. */
async function copyToken({ clipboard, input }: CommandDependencies, question: string, token: string): Promise<void> {
  if (!TOKEN.test(token)) {
    throw new InvalidResponseError('missingField', 'token');
  }
  const detail = vscode.l10n.t(
    'Anyone who has it can act as you. It’s copied to the clipboard, which is cleared after a minute.',
  );
  await input.confirmOrCancel(question, detail, vscode.l10n.t('Copy to Clipboard'), 'information');
  await clipboard.write(token);
}
