import * as vscode from 'vscode';
import { ResourceTooLargeError } from '../resources/resourceTooLargeError.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { Notifications } from '../workbench/notifications.ts';

/** As package.json declares them. */
const commands = [
  'appBuild.chooseService',
  'appBuild.connect',
  'appBuild.copyAsCurl',
  'appBuild.copyAsJsonp',
  'appBuild.copyLink',
  'appBuild.copySignInLink',
  'appBuild.download',
  'appBuild.enterSignInCode',
  'appBuild.exchangeAuthenticationToken',
  'appBuild.followLink',
  'appBuild.getAuthenticationToken',
  'appBuild.getResource',
  'appBuild.goToResource',
  'appBuild.loadMore',
  'appBuild.openApiHome',
  'appBuild.openAsJson',
  'appBuild.openInBrowser',
  'appBuild.openTemplate',
  'appBuild.refresh',
  'appBuild.refreshResource',
  'appBuild.retry',
  'appBuild.sendDraft',
  'appBuild.sendRequest',
  'appBuild.showCurrentUser',
  'appBuild.showLog',
  'appBuild.signIn',
  'appBuild.signInWith',
  'appBuild.signOut',
  'appBuild.startLocalService',
  'appBuild.stopLocalService',
  'appBuild.switchAccount',
] as const;

type Command = (typeof commands)[number];

/** A command's handler. What VS Code passes is unknown until the handler has looked at it. */
export type Handler = (...args: unknown[]) => unknown;

/** Some commands' handlers. */
export type Handlers = Partial<Record<Command, Handler>>;

/** Ties what a handler registers to the life of the commands. */
export type Keep = <T extends vscode.Disposable>(part: T) => T;

/**
 * Registers every command so that each failure becomes one notification, never an unhandled rejection. What the commands do
 * is loaded when the first of them runs.
 */
export class CommandRegistry extends Disposable {
  readonly #notifications: Notifications;
  readonly #load: (keep: Keep) => Promise<Required<Handlers>>;
  #handlers: Promise<Required<Handlers>> | undefined;

  /** @param load is called once. */
  constructor(notifications: Notifications, load: (keep: Keep) => Promise<Required<Handlers>>) {
    super();
    this.#notifications = notifications;
    this.#load = load;
    for (const command of commands) {
      this.register(vscode.commands.registerCommand(command, (...args: unknown[]) => this.#run(command, args)));
    }
  }

  async #run(command: Command, args: readonly unknown[]): Promise<unknown> {
    try {
      this.#handlers ??= this.#load((part) => this.register(part));
      const handlers = await this.#handlers;
      return await handlers[command](...args);
    } catch (error) {
      this.#notifications.failure(command, error, {
        retry: () => this.#run(command, args),
        ...(error instanceof ResourceTooLargeError && {
          download: () => this.#run('appBuild.download', [{ url: error.url }]),
        }),
      });
      return undefined;
    }
  }
}
