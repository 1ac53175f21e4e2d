import * as vscode from 'vscode';
import { Disposable } from './disposable.ts';

/** How long a secret may stay on the clipboard, milliseconds. */
const defaultLifetime = 60_000;

/** Puts secrets on the clipboard for a short time. */
export class SecretClipboard extends Disposable {
  readonly #lifetime: number;
  #clear: { readonly timer: NodeJS.Timeout; readonly secret: string } | undefined;

  constructor(lifetime = defaultLifetime) {
    super();
    this.#lifetime = lifetime;
  }

  /** Copies `secret` and clears the clipboard later, unless it holds something else by then. */
  async write(secret: string): Promise<void> {
    await vscode.env.clipboard.writeText(secret);
    clearTimeout(this.#clear?.timer);
    this.#clear = { secret, timer: setTimeout(() => void this.#clearIfStill(secret), this.#lifetime) };
  }

  /** The window goes: the secret goes with it, as far as there is time for that. */
  override dispose(): void {
    if (this.#clear !== undefined) {
      clearTimeout(this.#clear.timer);
      void this.#clearIfStill(this.#clear.secret);
    }
    super.dispose();
  }

  async #clearIfStill(secret: string): Promise<void> {
    this.#clear = undefined;
    if ((await vscode.env.clipboard.readText()) === secret) {
      await vscode.env.clipboard.writeText('');
    }
  }
}
