import * as vscode from 'vscode';
import { Disposable } from './disposable.ts';
import { CLEAR_CLIPBOARD_MS } from './limits.ts';

/** Puts secrets on the clipboard for a short time. */
export class SecretClipboard extends Disposable {
  readonly #clearAfterMs: number;
  #pending: { readonly timer: NodeJS.Timeout; readonly secret: string } | undefined;

  constructor(clearAfterMs = CLEAR_CLIPBOARD_MS) {
    super();
    this.#clearAfterMs = clearAfterMs;
  }

  /** Copies `secret` and clears the clipboard later, unless it holds something else by then. */
  async write(secret: string): Promise<void> {
    await vscode.env.clipboard.writeText(secret);
    clearTimeout(this.#pending?.timer);
    this.#pending = { secret, timer: setTimeout(() => void this.#clear(secret), this.#clearAfterMs) };
  }

  /** When the window closes, the secret is cleared as well, as far as there is time for that. */
  override dispose(): void {
    if (this.#pending !== undefined) {
      clearTimeout(this.#pending.timer);
      void this.#clear(this.#pending.secret);
    }
    super.dispose();
  }

  async #clear(secret: string): Promise<void> {
    this.#pending = undefined;
    if ((await vscode.env.clipboard.readText()) === secret) {
      await vscode.env.clipboard.writeText('');
    }
  }
}
