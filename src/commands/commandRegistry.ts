import * as vscode from 'vscode';
import type { BuildCommandId, BuildSubject } from '../builds/watching/buildProgress.ts';
import { ResourceTooLargeError } from '../resources/resourceTooLargeError.ts';
import { Disposable } from '../workbench/disposable.ts';
import { loadOnce } from '../workbench/loadOnce.ts';
import type { Notifications } from '../workbench/notifications.ts';

/**
 * A handler. Its arguments are unchecked, and its result reaches any extension that runs the command. What it throws becomes a
 * notification; a closed question throws a CancelledError, which is silent.
 */
export type Handler = (...args: unknown[]) => unknown;

/** Handlers by the IDs of commands. A test compares them with package.json. */
export type Handlers = Readonly<Record<`appBuild.${string}`, Handler>>;

/** The handlers, and the functions that `extension.ts` calls without a command. */
export interface Commands {
  readonly handlers: Readonly<Partial<Record<string, Handler>>> & Readonly<Record<BuildCommandId, Handler>>;
  connectToService(): Promise<void>;
  chooseService(): Promise<void>;
  changeRegistration(): Promise<void>;
  refresh(): Promise<void>;
  /** @param url absolute, or a path below the service's address. */
  download(url: string): Promise<unknown>;
  /** Installs the Android build of an app on the device that was used last. What fails is shown. */
  installOnLastDevice(subject: BuildSubject): Promise<void>;
  /** Resumes the tasks from before the window was loaded. Creating the commands has already resumed watching builds. */
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
  constructor(ids: readonly string[], notifications: Notifications, load: (register: Register) => Promise<Commands>) {
    super();
    this.commands = loadOnce(() => load((disposable) => this.register(disposable)));
    const actionsFor = (error: unknown) =>
      error instanceof ResourceTooLargeError
        ? { download: async () => (await this.commands()).download(error.url) }
        : {};
    for (const id of ids) {
      const run = async (...args: unknown[]): Promise<unknown> => {
        const handle = async () => (await this.commands()).handlers[id]?.(...args);
        return notifications.run(id, handle, actionsFor);
      };
      this.register(vscode.commands.registerCommand(id, run));
    }
  }
}
