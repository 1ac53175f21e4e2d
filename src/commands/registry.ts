import * as vscode from 'vscode';
import { Disposable } from '../workbench/disposable.ts';
import type { Notifications } from '../workbench/notifications.ts';

/** A command's handler. What VS Code passes is unknown until the handler has looked at it. */
export type Handler = (...args: unknown[]) => unknown;

/** Registers commands so that each failure becomes one notification, never an unhandled rejection. */
export class CommandRegistry extends Disposable {
  readonly #notifications: Notifications;

  constructor(notifications: Notifications) {
    super();
    this.#notifications = notifications;
  }

  /** @param handlers by command identifier, as in package.json. */
  add(handlers: Readonly<Record<`appBuild.${string}`, Handler>>): void {
    for (const [id, handler] of Object.entries(handlers)) {
      const run = async (...args: unknown[]): Promise<unknown> => {
        try {
          return await handler(...args);
        } catch (error) {
          this.#notifications.failure(id, error, { retry: () => run(...args) });
          return undefined;
        }
      };
      this.register(vscode.commands.registerCommand(id, run));
    }
  }
}
