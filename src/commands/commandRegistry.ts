import * as vscode from 'vscode';
import type { BuildSubject } from '../builds/watching/buildActions.ts';
import { ResourceTooLargeError } from '../resources/resourceTooLargeError.ts';
import { Disposable } from '../workbench/disposable.ts';
import { loadOnce } from '../workbench/loadOnce.ts';
import type { Notifications } from '../workbench/notifications.ts';

/** As package.json declares them: it is the list that is registered, so that activation does not load another. */
export type CommandId =
  | 'appBuild.addCollaborator'
  | 'appBuild.addKey'
  | 'appBuild.allowSecret'
  | 'appBuild.askAgent'
  | 'appBuild.buildAgain'
  | 'appBuild.buildApp'
  | 'appBuild.buildFolder'
  | 'appBuild.cancelBuild'
  | 'appBuild.changeCollaboratorRole'
  | 'appBuild.checkFolder'
  | 'appBuild.chooseService'
  | 'appBuild.closePreflight'
  | 'appBuild.collectDiagnostics'
  | 'appBuild.configureDefaultBuild'
  | 'appBuild.connect'
  | 'appBuild.copyAsCurl'
  | 'appBuild.copyAsJsonp'
  | 'appBuild.copyInstallLink'
  | 'appBuild.copyLink'
  | 'appBuild.copySignInLink'
  | 'appBuild.createApp'
  | 'appBuild.createSampleProject'
  | 'appBuild.deleteApp'
  | 'appBuild.deleteKey'
  | 'appBuild.download'
  | 'appBuild.downloadBuild'
  | 'appBuild.enterSignInCode'
  | 'appBuild.exchangeAuthenticationToken'
  | 'appBuild.followLink'
  | 'appBuild.getAuthenticationToken'
  | 'appBuild.getResource'
  | 'appBuild.getStarted'
  | 'appBuild.goToResource'
  | 'appBuild.ignoreFile'
  | 'appBuild.installBuildEngine'
  | 'appBuild.installEachBuild'
  | 'appBuild.installOnConnectedDevice'
  | 'appBuild.installOnDevice'
  | 'appBuild.linkFolder'
  | 'appBuild.loadMore'
  | 'appBuild.lockKey'
  | 'appBuild.openApiHome'
  | 'appBuild.openInBrowser'
  | 'appBuild.openResource'
  | 'appBuild.openTemplate'
  | 'appBuild.previewOnPhone'
  | 'appBuild.pullApp'
  | 'appBuild.refresh'
  | 'appBuild.refreshPreflight'
  | 'appBuild.refreshResource'
  | 'appBuild.refuseSecret'
  | 'appBuild.removeCollaborator'
  | 'appBuild.reportIssue'
  | 'appBuild.retry'
  | 'appBuild.revokeInstallLink'
  | 'appBuild.saveConfig'
  | 'appBuild.sendDraft'
  | 'appBuild.sendRequest'
  | 'appBuild.setAppIcon'
  | 'appBuild.setDefaultKey'
  | 'appBuild.showBuildLog'
  | 'appBuild.showBuildProblem'
  | 'appBuild.showBuilds'
  | 'appBuild.showCurrentUser'
  | 'appBuild.showLog'
  | 'appBuild.showPackage'
  | 'appBuild.showSharing'
  | 'appBuild.signIn'
  | 'appBuild.signInWith'
  | 'appBuild.signOut'
  | 'appBuild.sortFilesByName'
  | 'appBuild.sortFilesBySize'
  | 'appBuild.startLocalService'
  | 'appBuild.stopInstallingBuilds'
  | 'appBuild.stopLocalService'
  | 'appBuild.stopSharing'
  | 'appBuild.stopWatching'
  | 'appBuild.switchAccount'
  | 'appBuild.tryDemo'
  | 'appBuild.unlinkFolder'
  | 'appBuild.unlockKey'
  | 'appBuild.updateApp';

/** A handler. Its arguments are unchecked, and its result reaches any extension that runs the command. */
export type Handler = (...args: unknown[]) => unknown;

/** Some commands' handlers. */
export type Handlers = Readonly<Partial<Record<CommandId, Handler>>>;

/** The handlers, and the functions that `extension.ts` calls without a command. */
export interface Commands {
  readonly handlers: Required<Handlers>;
  connectToService(): Promise<void>;
  chooseService(): Promise<void>;
  changeRegistration(): Promise<void>;
  refresh(): Promise<void>;
  /** @param url absolute, or a path below the service's address. */
  download(url: string): Promise<unknown>;
  /** Installs the Android build of an app on the device that was used last. What fails is shown. */
  installOnLastDevice(subject: BuildSubject): Promise<void>;
  /** Resumes what was under way before the window was loaded. Making the commands has already resumed the watching of builds. */
  resume(): Promise<void>;
}

/** Disposes what is passed to it together with the commands. */
export type Register = <T extends vscode.Disposable>(disposable: T) => T;

/**
 * Registers every command so that each failure becomes one notification, never an unhandled rejection. The handlers are loaded
 * when the first command runs.
 */
export class CommandRegistry extends Disposable {
  readonly commands: () => Promise<Commands>;

  /** @param ids those of package.json. @param load is called again only when it has failed. */
  constructor(
    ids: readonly CommandId[],
    notifications: Notifications,
    load: (register: Register) => Promise<Commands>,
  ) {
    super();
    this.commands = loadOnce(() => load((disposable) => this.register(disposable)));
    const actionsFor = (error: unknown) =>
      error instanceof ResourceTooLargeError
        ? { download: async () => (await this.commands()).download(error.url) }
        : {};
    for (const id of ids) {
      const run = async (...args: unknown[]): Promise<unknown> => {
        const handle = async () => (await this.commands()).handlers[id](...args);
        return notifications.run(id, handle, actionsFor);
      };
      this.register(vscode.commands.registerCommand(id, run));
    }
  }
}
