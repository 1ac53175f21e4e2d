import * as vscode from 'vscode';
import { Redactor } from './api/redaction.ts';
import { Transport } from './api/transport.ts';
import { offerSignInFromAccountsMenu } from './auth/accountsMenu.ts';
import { AuthenticationProvider } from './auth/authenticationProvider.ts';
import { CallbackHandler } from './auth/callbackHandler.ts';
import { CallbackRelay } from './auth/callbackRelay.ts';
import { ClientRegistrations } from './auth/clientRegistration.ts';
import { Connections } from './auth/connection.ts';
import { AuthTokenFlow } from './auth/flows/authTokenFlow.ts';
import { LoopbackFlow } from './auth/flows/loopbackFlow.ts';
import { PasswordFlow } from './auth/flows/passwordFlow.ts';
import { PastedCallbackFlow } from './auth/flows/pastedCallbackFlow.ts';
import { UriHandlerFlow } from './auth/flows/uriHandlerFlow.ts';
import { ServiceSelection } from './auth/serviceSelection.ts';
import { SessionStore } from './auth/sessionStore.ts';
import { SignIn } from './auth/signIn.ts';
import { StateMemory } from './auth/stateMemory.ts';
import { registerAccountCommands } from './commands/account.ts';
import { registerCopyCommands } from './commands/copy.ts';
import { registerDownloadCommands } from './commands/download.ts';
import { LocalService, registerLocalServiceCommands } from './commands/localService.ts';
import { registerLogCommands } from './commands/log.ts';
import { CommandRegistry } from './commands/registry.ts';
import { registerRequestCommands } from './commands/request.ts';
import { registerResourceCommands } from './commands/resource.ts';
import { registerServiceCommands } from './commands/service.ts';
import { registerTokenCommands } from './commands/token.ts';
import { RequestDrafts } from './resources/requestDrafts.ts';
import { ResourceDocuments } from './resources/resourceDocuments.ts';
import { ResourceTree } from './resources/resourceTree.ts';
import { SeenResources } from './resources/seenResources.ts';
import { ResponseDocuments } from './resources/responseDocuments.ts';
import { Configuration } from './workbench/configuration.ts';
import { Dialogs } from './workbench/dialogs.ts';
import { Log } from './workbench/log.ts';
import { Network } from './workbench/network.ts';
import { Notifications } from './workbench/notifications.ts';
import { SecretClipboard } from './workbench/secretClipboard.ts';

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

/** Builds the parts and hands them to each other. Nothing here talks to the network. */
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
  const transport = new Transport(new Network(log));
  keep({ dispose: () => void transport.dispose() });

  const sessions = keep(new SessionStore(secrets, log, redactor));
  const registrations = new ClientRegistrations(secrets, configuration, redactor);
  const selection = keep(new ServiceSelection(configuration, registrations));
  const connections = keep(new Connections({ selection, sessions, transport, preferences: globalState, log, redactor }));
  const callbacks = keep(new CallbackHandler(log));
  const browser = { callbacks, memory: new StateMemory(globalState) };
  const flows = [
    new UriHandlerFlow(extensionId, browser),
    new LoopbackFlow(browser),
    new AuthTokenFlow(),
    new PasswordFlow(),
    new PastedCallbackFlow(browser),
  ];
  const signIn = new SignIn(flows, sessions, (service) => connections.clientFor(service));
  const provider = keep(
    new AuthenticationProvider(sessions, signIn, notifications, async () => {
      if (selection.current === undefined) {
        await vscode.commands.executeCommand('appBuild.chooseService');
      }
      return selection.current;
    }),
  );
  keep(vscode.window.registerUriHandler(callbacks));
  keep(new CallbackRelay(secrets, callbacks, log));

  const seen = new SeenResources();
  const tree = keep(new ResourceTree(connections, seen));
  const documents = keep(new ResourceDocuments(connections, seen));
  const localService = keep(
    new LocalService(
      {
        script: vscode.Uri.joinPath(extensionUri, 'dist', 'localService.js'),
        data: vscode.Uri.joinPath(globalStorageUri, 'localService', 'data.json'),
      },
      selection,
      globalState,
      redactor,
    ),
  );

  const dialogs = new Dialogs();
  const registry = keep(new CommandRegistry(notifications));
  registerAccountCommands(registry, { provider, connections, selection, callbacks });
  registerServiceCommands(registry, { extensionId, configuration, registrations, localService });
  registerLocalServiceCommands(registry, localService);
  registerResourceCommands(registry, { connections, tree, documents, seen });
  registerRequestCommands(registry, {
    connections,
    drafts: keep(new RequestDrafts()),
    responses: keep(new ResponseDocuments()),
    dialogs,
    redactor,
    changed: () => Promise.all([tree.refresh(), documents.refresh()]),
  });
  registerDownloadCommands(registry, { connections, dialogs, notifications });
  registerCopyCommands(registry, { connections, redactor });
  registerTokenCommands(registry, { connections, selection, clipboard: keep(new SecretClipboard()) });
  registerLogCommands(registry, log);

  keep(connections.onDidExpire((error) => notifications.failure('Checking the session', error)));
  keep(offerSignInFromAccountsMenu(connections));
  localService.resume();

  return context.extensionMode === vscode.ExtensionMode.Test
    ? { context, provider, notifications, tree, dialogs, callbacks, connections, sessions, localService }
    : undefined;
}
