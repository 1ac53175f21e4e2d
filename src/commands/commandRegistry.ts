import * as vscode from 'vscode';
import type { BuildCommandId, BuildSubject } from '../builds/watching/buildActions.ts';
import { ResourceTooLargeError } from '../resources/resourceTooLargeError.ts';
import { Disposable } from '../workbench/disposable.ts';
import { loadOnce } from '../workbench/loadOnce.ts';
import type { Notifications } from '../workbench/notifications.ts';

/** As package.json declares it. `test/unit/commands/handlers.test.ts` compares its commands with the handlers. */
export type CommandId = `appBuild.${string}`;

/** A handler. Its arguments are unchecked, and its result reaches any extension that runs the command. */
export type Handler = (...args: unknown[]) => unknown;

/** Some commands' handlers. */
export type Handlers = Readonly<Record<CommandId, Handler>>;

/** The result of a handler where another extension runs the command: a failure goes to that extension, and is not shown. */
export class AnswerForExtension {
  readonly give: () => Promise<unknown>;

  constructor(give: () => Promise<unknown>) {
    this.give = give;
  }
}

/** The handlers, and the functions that `extension.ts` calls without a command. */
export interface Commands {
  readonly handlers: Handlers & Readonly<Record<BuildCommandId, Handler>>;
  connectToService(): Promise<void>;
  chooseService(): Promise<void>;
  refresh(): Promise<void>;
  /** @param url absolute, or a path below the service's address. */
  download(url: string): Promise<unknown>;
  /** Installs the Android build of an app on the device that was used last. What fails is shown. */
  installOnLastDevice(subject: BuildSubject): Promise<void>;
}

/** Disposes what is passed to it together with the commands. */
export type Register = <T extends vscode.Disposable>(disposable: T) => T;

/**
 * Registers every command so that each failure becomes one notification, never an unhandled rejection; another extension gets
 * the rejection where a command answers it. The handlers are loaded when the first command runs.
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
        const handle = async () => (await this.commands()).handlers[id]?.(...args);
        const result: unknown = await notifications.run(id, handle, actionsFor);
        return result instanceof AnswerForExtension ? result.give() : result;
      };
      this.register(vscode.commands.registerCommand(id, run));
    }
  }
}
