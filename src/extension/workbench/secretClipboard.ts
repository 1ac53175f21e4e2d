import * as vscode from 'vscode';
import { Disposable } from './disposable.ts';
import { CLEAR_CLIPBOARD_MS } from './limits.ts';

/** Copies secrets to the clipboard for a short time. */
export class SecretClipboard extends Disposable {
  readonly #clearAfterMs: number;
  #pending: { readonly timer: NodeJS.Timeout; readonly secret: string } | undefined;

  constructor(clearAfterMs = CLEAR_CLIPBOARD_MS) {
    super();
    this.#clearAfterMs = clearAfterMs;
  }

  /** Copies `secret` and clears the clipboard later, unless it has other content by then. */
  async write(secret: string): Promise<void> {
    await vscode.env.clipboard.writeText(secret);
    clearTimeout(this.#pending?.timer);
    this.#pending = { secret, timer: setTimeout(() => void this.#clear(secret), this.#clearAfterMs) };
  }

  /** Also clears the secret when the window closes, if time permits. */
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
