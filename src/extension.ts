import * as vscode from 'vscode';
import { registerAgentTools, type AgentTools, type ToolName } from './agentTools/agentTools.ts';
import type { Apps } from './apps/apps.ts';
import { registerBuildLogs } from './apps/logs/logContent.ts';
import { registerBuildTasks } from './apps/task/taskProvider.ts';
import { WATCHED_KEY } from './apps/watching/watchedKey.ts';
import { Redactor } from './api/redaction.ts';
import { AuthenticationProvider, offerSignInFromAccountsMenu } from './auth/authenticationProvider.ts';
import { CallbackHandler } from './auth/callback/callbackHandler.ts';
import { CallbackRelay } from './auth/callback/callbackRelay.ts';
import { ClientRegistrations } from './auth/clientRegistration.ts';
import { Connections } from './auth/connection.ts';
import { ServiceSelection } from './auth/serviceSelection.ts';
import { SessionStore } from './auth/sessionStore.ts';
import type { SignIn } from './auth/signIn.ts';
import { type CommandId, CommandRegistry } from './commands/commandRegistry.ts';
import { OpenConfigFiles } from './configXml/editor/openConfigFiles.ts';
import type { Devices } from './devices/devices.ts';
import { LocalService } from './localServiceHost/localService.ts';
import { ResourceDocuments } from './resources/documents/resourceDocuments.ts';
import { ResponseDocuments } from './resources/documents/responseDocuments.ts';
import { RecentResources } from './resources/recentResources.ts';
import { ResourceTree } from './resources/tree/resourceTree.ts';
import { Configuration } from './workbench/configuration.ts';
import type { Input } from './workbench/input.ts';
import { Log } from './workbench/log.ts';
import { Notifications } from './workbench/notifications.ts';

/** Loads what activation does not need. */
const later = () => import('./later.ts');

/** What package.json lists, and activation registers. */
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: CommandId }[];
    readonly languageModelTools: readonly { readonly name: ToolName }[];
  };
}

/** What the extension's own tests reach inside; nobody else is handed a signed-in client. */
export interface TestAccess {
  readonly context: vscode.ExtensionContext;
  readonly provider: AuthenticationProvider;
  readonly notifications: Notifications;
  readonly tree: ResourceTree;
  readonly loadInput: () => Promise<Input>;
  readonly callbacks: CallbackHandler;
  readonly connections: Connections;
  readonly sessions: SessionStore;
  readonly localService: LocalService;
  readonly loadApps: () => Promise<Apps>;
  readonly loadDevices: () => Promise<Devices>;
  readonly loadTools: () => Promise<AgentTools>;
}

/**
 * Builds the parts and hands them to each other. Nothing here talks to the network. What holds state or listens is built here;
 * what only a sign-in, a command, or a shown tree needs is loaded by the first of these.
 */
export function activate(context: vscode.ExtensionContext): TestAccess | undefined {
  const { secrets, globalState, workspaceState, extensionUri, globalStorageUri, subscriptions } = context;
  const extensionId = context.extension.id;
  const { contributes } = context.extension.packageJSON as Manifest;
  // What is registered is disposed when the window closes.
  const register = <T extends vscode.Disposable>(disposable: T): T => {
    subscriptions.push(disposable);
    return disposable;
  };

  const redactor = new Redactor();
  const log = register(new Log(redactor));
  let input: Promise<Input> | undefined;
  const loadInput = () => (input ??= later().then((modules) => new modules.Input()));
  const notifications: Notifications = new Notifications(log, redactor, {
    signIn: () => provider.signIn(),
    connect: async () => (await registry.commands()).connectToService(),
    refresh: async () => (await registry.commands()).refresh(),
  });
  const configuration = register(new Configuration());

  const sessions = register(new SessionStore({ secrets, log, redactor, notifications }));
  const registrations = new ClientRegistrations(secrets, configuration, redactor);
  const selection = register(new ServiceSelection(configuration, registrations));
  const connections = register(
    new Connections({
      selection,
      sessions,
      preferences: globalState,
      log,
      loadClientFactory: async () => new (await later()).ClientFactory(log, redactor),
    }),
  );
  const callbacks = register(new CallbackHandler(log));
  let signIn: Promise<SignIn> | undefined;
  const loadSignIn = () =>
    (signIn ??= Promise.all([later(), loadInput()]).then(([{ createSignIn }, input]) =>
      createSignIn({ extensionId, callbacks, connections, globalState, sessions, input, notifications }),
    ));
  const chooseService = async () => {
    if (selection.current === undefined) {
      await notifications.run('Choosing a service', async () => (await registry.commands()).chooseService());
    }
    return selection.started();
  };
  const provider = register(
    new AuthenticationProvider({ sessions, notifications, selection, loadSignIn, chooseService }),
  );
  register(vscode.window.registerUriHandler(callbacks));
  register(new CallbackRelay(secrets, callbacks, log));

  const recent = new RecentResources();
  const tree = register(
    new ResourceTree({
      connections,
      recent,
      workspaceState,
      loadNodes: async () => (await later()).nodes,
      loadPresenter: async () => (await loadApps()).presenter,
    }),
  );
  const documents = register(new ResourceDocuments(connections, recent, async () => (await later()).jsonText));
  const responses = register(new ResponseDocuments());
  const localService = register(
    new LocalService({
      script: vscode.Uri.joinPath(extensionUri, 'dist', 'localService.cjs'),
      data: vscode.Uri.joinPath(globalStorageUri, 'localService'),
      demoData: vscode.Uri.joinPath(globalStorageUri, 'localServiceDemo'),
      selection,
      globalState,
      log,
      redactor,
      loadProgram: later,
    }),
  );

  let apps: Promise<Apps> | undefined;
  const loadApps = (): Promise<Apps> =>
    (apps ??= Promise.all([later(), loadInput()]).then(([{ createApps }, input]) =>
      createApps(
        {
          connections,
          selection,
          globalState,
          workspaceState,
          secrets,
          globalStorageUri,
          configuration,
          input,
          notifications,
          log,
          redactor,
          loadCommands: () => registry.commands(),
          startLocalService: () => localService.start(),
          signIn: () => provider.signIn({ scopes: [], asOwner: true }),
          duringSignIn: (action) => provider.duringSignIn(action),
          setBadge: (badge) => tree.setBadge(badge),
        },
        register,
      ),
    ));
  let devices: Promise<Devices> | undefined;
  const loadDevices = (): Promise<Devices> =>
    (devices ??= Promise.all([later(), loadInput()]).then(([{ createDevices }, input]) =>
      createDevices({ connections, configuration, input, notifications, log, globalState }, register),
    ));
  register(registerBuildTasks(loadApps));
  register(registerBuildLogs(loadApps));
  const toolNames = contributes.languageModelTools.map(({ name }) => name);
  const loadTools = async () =>
    (await later()).createAgentTools({ loadApps, loadDevices, connections, selection, redactor, log });
  register(registerAgentTools(toolNames, loadTools));
  register(
    new OpenConfigFiles(
      () => later().then(({ createConfigEditor, pagesOf }) => createConfigEditor(pagesOf, register)),
      log,
    ),
  );

  const commandIds = contributes.commands.map(({ command }) => command);
  const registry = register(
    new CommandRegistry(commandIds, notifications, async (registerWithCommands) => {
      const [{ createCommands }, input, apps, devices] = await Promise.all([
        later(),
        loadInput(),
        loadApps(),
        loadDevices(),
      ]);
      return createCommands(
        {
          extensionId,
          log,
          redactor,
          notifications,
          configuration,
          input,
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
          apps,
          devices,
        },
        registerWithCommands,
      );
    }),
  );

  register(connections.onDidExpire((error) => notifications.failure('Checking the session', error)));
  register(offerSignInFromAccountsMenu(connections, provider));
  localService.resume();
  if (globalState.get(WATCHED_KEY) === true) {
    void notifications.run('Going on with builds', loadApps);
  }

  return context.extensionMode === vscode.ExtensionMode.Test
    ? {
        context,
        provider,
        notifications,
        tree,
        loadInput,
        callbacks,
        connections,
        sessions,
        localService,
        loadApps,
        loadDevices,
        loadTools,
      }
    : undefined;
}
