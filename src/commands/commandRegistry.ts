import * as vscode from 'vscode';
import { ResourceTooLargeError } from '../resources/resourceTooLargeError.ts';
import { Disposable } from '../workbench/disposable.ts';
import { loadOnce } from '../workbench/loadOnce.ts';
import { type Notifications, withCommandProgress } from '../workbench/notifications.ts';
import type { Commands } from './commands.ts';
import type { Register } from './dependencies.ts';

/** A command in package.json. VS Code translates the title. */
interface ContributedCommand {
  readonly command: string;
  readonly title: string;
}

/** Commands whose work takes a while before it shows anything. */
const SLOW = /^appBuild\.(?:build|check|download|install(?:Over|$)|preview|showPackage)/;

interface RegistryDependencies {
  readonly notifications: Notifications;
  /** The view whose bar shows that a command runs, while it's visible. */
  readonly view: Pick<vscode.TreeView<unknown>, 'visible'>;
  /** Called again only when it has failed. */
  readonly load: (register: Register) => Promise<Commands>;
}

/**
 * Registers every command so that each failure becomes one notification, never an unhandled rejection. The handlers are loaded
 * when the first command runs.
 */
export class CommandRegistry extends Disposable {
  readonly commands: () => Promise<Commands>;
  readonly #contributed: readonly ContributedCommand[];
  readonly #dependencies: RegistryDependencies;

  constructor(contributed: readonly ContributedCommand[], dependencies: RegistryDependencies) {
    super();
    const { notifications, load } = dependencies;
    this.#contributed = contributed;
    this.#dependencies = dependencies;
    this.commands = loadOnce(() => load((disposable) => this.register(disposable)));
    const actionsFor = (error: unknown) =>
      error instanceof ResourceTooLargeError
        ? { download: async () => (await this.commands()).download(error.url) }
        : {};
    for (const { command } of contributed) {
      const run = (...args: unknown[]) => notifications.run(command, () => this.run(command, ...args), actionsFor);
      this.register(vscode.commands.registerCommand(command, run));
    }
  }

  /** Runs a command of ours, and shows at once that it runs, even while the handlers are loaded. Rejects with its failure. */
  async run(id: string, ...args: readonly unknown[]): Promise<unknown> {
    const task = async (): Promise<unknown> => (await this.commands()).handlers[id]?.(...args);
    if (!SLOW.test(id)) {
      return task();
    }
    const title = this.#contributed.find(({ command }) => command === id)?.title ?? '';
    return withCommandProgress(title, this.#dependencies.view, task);
  }
}
