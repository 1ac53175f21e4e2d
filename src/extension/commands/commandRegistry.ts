import * as vscode from 'vscode';
import { ResourceTooLargeError } from '../resources/resourceTooLargeError.ts';
import { Disposable } from '../workbench/disposable.ts';
import { loadOnce } from '../workbench/loadOnce.ts';
import { type Notifications, withCommandProgress } from '../workbench/notifications.ts';
import type { Commands } from './commands.ts';
import type { RegisterDisposable } from './dependencies.ts';

/** A command in package.json, with the title translated by VS Code. */
interface ContributedCommand {
  readonly command: string;
  readonly title: string;
}

/** Commands that take a while before they show anything. */
const SLOW_COMMANDS = /^appBuild\.(?:build|check|download|install(?:Over|$)|preview|showPackage)/;

interface RegistryDependencies {
  readonly notifications: Notifications;
  /** The view that shows progress while it's visible. */
  readonly view: Pick<vscode.TreeView<unknown>, 'visible'>;
  /** Loads the handlers. Called again only after a failure. */
  readonly load: (register: RegisterDisposable) => Promise<Commands>;
}

/**
 * Registers all commands. A failure becomes a single notification, and never an unhandled rejection. The handlers are loaded when
 * the first command runs.
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

  /**
   * Runs one of this extension's commands. A slow command shows its progress immediately, even while the handlers are loading. Rejects if
   * the command fails.
   */
  async run(id: string, ...args: readonly unknown[]): Promise<unknown> {
    const task = async (): Promise<unknown> => (await this.commands()).handlers[id]?.(...args);
    if (!SLOW_COMMANDS.test(id)) {
      return task();
    }
    const title = this.#contributed.find(({ command }) => command === id)?.title ?? '';
    return withCommandProgress(title, this.#dependencies.view, task);
  }
}
