import * as vscode from 'vscode';
import { ResourceTooLargeError } from '../resources/resourceTooLargeError.ts';
import { Disposable } from '../workbench/disposable.ts';
import { loadOnce } from '../workbench/loadOnce.ts';
import type { Notifications } from '../workbench/notifications.ts';
import type { Commands } from './commands.ts';
import type { Register } from './dependencies.ts';

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
