import * as vscode from 'vscode';
import { Redactor } from './api/redaction.ts';
import { offerSignInFromAccountsMenu } from './auth/accountsMenu.ts';
import { AuthenticationProvider } from './auth/authenticationProvider.ts';
import { CallbackHandler } from './auth/callback/callbackHandler.ts';
import { CallbackRelay } from './auth/callback/callbackRelay.ts';
import { ClientRegistrations } from './auth/clientRegistration.ts';
import { Connections } from './auth/connection.ts';
import { ServiceSelection } from './auth/serviceSelection.ts';
import { SessionStore } from './auth/sessionStore.ts';
import type { SignIn } from './auth/signIn.ts';
import { LocalService } from './localServiceHost/localService.ts';
import { CommandRegistry } from './commands/registry.ts';
import { ResourceDocuments } from './resources/documents/resourceDocuments.ts';
import { ResourceTree } from './resources/tree/resourceTree.ts';
import { RecentResources } from './resources/recentResources.ts';
import { ResponseDocuments } from './resources/documents/responseDocuments.ts';
import { Configuration } from './workbench/configuration.ts';
import { Dialogs } from './workbench/dialogs.ts';
import { Log } from './workbench/log.ts';
import { Notifications } from './workbench/notifications.ts';

/** Loads what activation does not need. */
const later = () => import('./later.ts');

/** What the extension's own tests reach inside; nobody else is handed a signed-in client. */
export interface TestAccess {
  readonly context: vscode.ExtensionContext;
  readonly provider: AuthenticationProvider;
  readonly notifications: Notifications;
  readonly tree: ResourceTree;
  readonly dialogs: Dialogs;
  readonly callbacks: CallbackHandler;
  readonly connections: Connections;
  readonly sessions: SessionStore;
  readonly localService: LocalService;
}

/**
 * Builds the parts and hands them to each other. Nothing here talks to the network. What holds state or listens is built here;
 * what only a sign-in, a command, or a shown tree needs is loaded by the first of these.
 */
export function activate(context: vscode.ExtensionContext): TestAccess | undefined {
  const { secrets, globalState, extensionUri, globalStorageUri, subscriptions } = context;
  const extensionId = context.extension.id;
  // What is kept is disposed with the window, the last first.
  const keep = <T extends vscode.Disposable>(part: T): T => {
    subscriptions.push(part);
    return part;
  };

  const redactor = new Redactor();
  const log = keep(new Log(redactor));
  const notifications = new Notifications(log, redactor, {
    signIn: () => vscode.commands.executeCommand('appBuild.signIn'),
    connect: () => vscode.commands.executeCommand('appBuild.connect'),
    refresh: () => vscode.commands.executeCommand('appBuild.refresh'),
  });
  const configuration = keep(new Configuration());

  const sessions = keep(new SessionStore(secrets, log, redactor));
  const registrations = new ClientRegistrations(secrets, configuration, redactor);
  const selection = keep(new ServiceSelection(configuration, registrations));
  const connections = keep(
    new Connections({
      selection,
      sessions,
      preferences: globalState,
      log,
      loadClients: async () => new (await later()).Clients(log, redactor),
    }),
  );
  const callbacks = keep(new CallbackHandler(log));
  let signIn: Promise<SignIn> | undefined;
  const beginSignIn = () =>
    (signIn ??= later().then(({ signingIn }) =>
      signingIn({ extensionId, callbacks, state: globalState, sessions, connections }),
    ));
  const provider = keep(
    new AuthenticationProvider(sessions, beginSignIn, notifications, async () => {
      if (selection.current === undefined) {
        await vscode.commands.executeCommand('appBuild.chooseService');
      }
      return selection.current;
    }),
  );
  keep(vscode.window.registerUriHandler(callbacks));
  keep(new CallbackRelay(secrets, callbacks, log));

  const recent = new RecentResources();
  const tree = keep(new ResourceTree(connections, recent, async () => (await later()).nodes));
  const documents = keep(new ResourceDocuments(connections, recent, async () => (await later()).jsonText));
  const localService = keep(
    new LocalService(
      {
        script: vscode.Uri.joinPath(extensionUri, 'dist', 'localService.cjs'),
        data: vscode.Uri.joinPath(globalStorageUri, 'localService', 'data.json'),
      },
      selection,
      globalState,
      redactor,
      async () => (await later()).LocalServiceProcess,
    ),
  );

  const dialogs = new Dialogs();
  const responses = keep(new ResponseDocuments());
  keep(
    new CommandRegistry(notifications, async (keepWithCommands) => {
      const { handlersOf } = await later();
      return handlersOf(
        {
          extensionId,
          log,
          redactor,
          notifications,
          configuration,
          dialogs,
          provider,
          callbacks,
          registrations,
          selection,
          connections,
          localService,
          tree,
          documents,
          responses,
          recent,
        },
        keepWithCommands,
      );
    }),
  );

  keep(connections.onDidExpire((error) => notifications.failure('Checking the session', error)));
  keep(offerSignInFromAccountsMenu(connections));
  localService.resume();

  return context.extensionMode === vscode.ExtensionMode.Test
    ? { context, provider, notifications, tree, dialogs, callbacks, connections, sessions, localService }
    : undefined;
}
