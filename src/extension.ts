import * as vscode from 'vscode';
import { registerAgentTools, type AgentTools, type ToolName } from './extension/agents/agentTools.ts';
import type { BuildServices } from './extension/apps/builds/createBuildServices.ts';
import { isUnfinished, LOG_SCHEME, TASK_TYPE } from './extension/apps/builds/names.ts';
import { Redactor } from './service-client/index.ts';
import { AuthenticationProvider, offerSignInFromAccountsMenu } from './extension/auth/authenticationProvider.ts';
import { CallbackHandler, CallbackRelay } from './extension/auth/callback/callbackHandler.ts';
import { ClientRegistrations, ServiceSelection } from './extension/auth/serviceSelection.ts';
import { Connections } from './extension/auth/connection.ts';
import type { SignIn } from './extension/auth/signIn.ts';
import { SessionStore } from './extension/auth/sessionStore.ts';
import { CommandRegistry } from './extension/commands/commandRegistry.ts';
import { OpenConfigFiles } from './extension/config-editor/openConfigFiles.ts';
import type { Devices } from './extension/devices/devices.ts';
import { LocalService } from './extension/service-host/localService.ts';
import { DocumentProviders, type Documents } from './extension/resources/documents/documentProviders.ts';
import { RecentResources } from './extension/resources/recentResources.ts';
import { ResourceTree } from './extension/resources/tree/resourceTree.ts';
import { Configuration } from './extension/workbench/configuration.ts';
import type { Input } from './extension/workbench/input.ts';
import { loadOnce } from './extension/workbench/loadOnce.ts';
import { Log } from './extension/workbench/log.ts';
import { Notifications } from './extension/workbench/notifications.ts';
import { SharedState } from './extension/workbench/sharedState.ts';

/** Download page for adb. */
const PLATFORM_TOOLS = 'https://developer.android.com/tools/releases/platform-tools';

/** Loads the code that activation doesn't need. */
const later = () => import('./extension/later.ts');

/** Contributions in package.json that are registered on activation. */
interface ExtensionManifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly languageModelTools: readonly { readonly name: ToolName }[];
  };
}

/** Internals for the extension's own tests. Other extensions must not have access to a signed-in client. */
export interface TestAccess {
  readonly context: vscode.ExtensionContext;
  /** The state that all windows share. Tests write through it, because concurrent writes would delete each other. */
  readonly globalState: vscode.Memento;
  readonly provider: AuthenticationProvider;
  readonly notifications: Notifications;
  readonly tree: ResourceTree;
  readonly loadInput: () => Promise<Input>;
  readonly callbacks: CallbackHandler;
  readonly connections: Connections;
  readonly sessions: SessionStore;
  readonly localService: LocalService;
  readonly loadBuildServices: () => Promise<BuildServices>;
  readonly loadDevices: () => Promise<Devices>;
  readonly loadTools: () => Promise<AgentTools>;
}

/** Set when the sharing code is loaded. Global, because VS Code calls `deactivate` without the context. */
let stopSharing: (() => Promise<unknown>) | undefined;

/** Stops all sharing and previews. When the window closes, VS Code waits for this function, but not for disposals. */
export async function deactivate(): Promise<void> {
  await stopSharing?.();
}

/**
 * Creates and connects the parts of the extension, without network access. Parts that hold state or listen to events are created here.
 * Parts for sign-ins, commands, or a visible tree are loaded on first use.
 *
 * @returns access for tests, or undefined outside of tests.
 */
export function activate(context: vscode.ExtensionContext): TestAccess | undefined {
  const { secrets, workspaceState, extensionUri, globalStorageUri, subscriptions } = context;
  const globalState = new SharedState(context.globalState);
  const extensionId = context.extension.id;
  const { contributes } = context.extension.packageJSON as ExtensionManifest;
  // Registered objects are disposed when the window closes.
  const register = <T extends vscode.Disposable>(disposable: T): T => {
    subscriptions.push(disposable);
    return disposable;
  };

  const redactor = new Redactor();
  const log = register(new Log(redactor));
  const loadInput = loadOnce(async () => new (await later()).Input());
  const laterWithInput = () => Promise.all([later(), loadInput()]);
  const notifications: Notifications = new Notifications(log, redactor, {
    signIn: () => provider.signIn(),
    connect: async () => (await registry.commands()).connectToService(),
    changeRegistration: () => changeRegistration(),
    refresh: async () => (await registry.commands()).refresh(),
    getAdb: () => vscode.env.openExternal(vscode.Uri.parse(PLATFORM_TOOLS)),
    setAdbPath: () => vscode.commands.executeCommand('workbench.action.openSettings', 'adbPath'),
    openFolder: () => vscode.commands.executeCommand('workbench.action.files.openFolder'),
    createSample: () => registry.run('appBuild.createSampleProject'),
    buildFolder: () => registry.run('appBuild.buildFolder'),
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
  const loadSignIn: () => Promise<SignIn> = loadOnce(() =>
    laterWithInput().then(([{ createSignIn }, input]) => createSignIn({ ...parts, input })),
  );
  const chooseService = async () => {
    if (selection.current === undefined) {
      await notifications.run('Choosing a service', async () => (await registry.commands()).chooseService());
    }
    return selection.started();
  };
  const changeRegistration = async (): Promise<void> => (await registry.commands()).changeRegistration();
  const provider = register(
    new AuthenticationProvider({ sessions, notifications, selection, loadSignIn, chooseService, changeRegistration }),
  );
  register(vscode.window.registerUriHandler(callbacks));
  register(new CallbackRelay(secrets, callbacks, log));

  const recent = new RecentResources();
  const tree = register(
    new ResourceTree({
      connections,
      signIns: provider,
      recent,
      loadNodes: later,
      loadPresenter: async () => (await loadBuildServices()).presenter,
    }),
  );
  let documents: Promise<Documents> | undefined;
  const loadDocuments = () =>
    (documents ??= later().then(({ ResourceDocuments, ResponseDocuments }) => ({
      resources: register(new ResourceDocuments(connections, recent, providers)),
      responses: register(new ResponseDocuments()),
    })));
  const providers: DocumentProviders = register(new DocumentProviders(loadDocuments));
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

  /** Dependencies of the parts that are loaded later. */
  const parts = {
    ...{ extensionId, globalState, workspaceState, secrets, log, redactor, notifications, configuration },
    ...{ sessions, registrations, selection, connections, callbacks, provider, recent, tree, localService },
  };
  const loadBuildServices: () => Promise<BuildServices> = loadOnce(async () => {
    const [{ createBuildServices }, input] = await laterWithInput();
    return createBuildServices(
      {
        ...parts,
        input,
        loadCommands: () => registry.commands(),
        runBuildCommand: (id, subject) => registry.run(id, subject),
        startLocalService: () => localService.start(),
        signIn: () => provider.signIn({ scopes: [], asOwner: true }),
        duringSignIn: (action) => provider.runDuringSignIn(action),
        setBadge: (badge) => tree.setBadge(badge),
      },
      register,
    );
  });
  const loadDevices = loadOnce(() =>
    laterWithInput().then(([{ createDevices }, input]) => {
      const cordovaScript = vscode.Uri.joinPath(extensionUri, 'dist', 'shell', 'cordova.js').fsPath;
      const devices = createDevices({ ...parts, input, cordovaScript }, register);
      stopSharing = devices.close;
      return devices;
    }),
  );
  register(
    vscode.tasks.registerTaskProvider(TASK_TYPE, {
      provideTasks: async () => (await loadBuildServices()).tasks.provideTasks(),
      resolveTask: async (task) => (await loadBuildServices()).tasks.resolveTask(task),
    }),
  );
  register(
    vscode.workspace.registerTextDocumentContentProvider(LOG_SCHEME, {
      provideTextDocumentContent: async (uri) => (await loadBuildServices()).logs.provideTextDocumentContent(uri),
    }),
  );
  const toolNames = contributes.languageModelTools.map(({ name }) => name);
  const loadTools = loadOnce(async () =>
    (await later()).createAgentTools({ ...parts, loadBuildServices, loadDevices }),
  );
  register(registerAgentTools(toolNames, loadTools));
  register(
    new OpenConfigFiles(async () => {
      const [{ createConfigEditor, readAppFolder }, apps] = await Promise.all([later(), loadBuildServices()]);
      vscode.workspace.textDocuments.forEach((document) => apps.problems.open(document));
      return createConfigEditor(readAppFolder, (config) => apps.problems.supportFor(config), register);
    }, log),
  );

  const registry = register(
    new CommandRegistry(contributes.commands, {
      notifications,
      view: tree.view,
      load: async (registerWithCommands) => {
        const [{ createCommands }, input, apps, devices, { resources, responses }] = await Promise.all([
          later(),
          loadInput(),
          loadBuildServices(),
          loadDevices(),
          loadDocuments(),
        ]);
        return createCommands(
          { ...parts, input, documents: resources, responses, apps, devices },
          registerWithCommands,
        );
      },
    }),
  );

  register(connections.onDidExpire((error) => notifications.failure('Checking the session', error)));
  register(offerSignInFromAccountsMenu(connections, provider, tree.view));
  localService.resume();
  if (isUnfinished(globalState, workspaceState)) {
    void notifications.run('Resuming', async () => (await registry.commands()).resume());
  }

  return context.extensionMode === vscode.ExtensionMode.Test
    ? { ...parts, context, loadInput, loadBuildServices, loadDevices, loadTools }
    : undefined;
}
