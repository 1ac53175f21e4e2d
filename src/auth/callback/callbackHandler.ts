import * as vscode from 'vscode';
import { plainText } from '../../api/errors/sentence.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import { CALLBACK_PATH } from './callback.ts';
import { PendingSignIns } from './pendingSignIns.ts';

/** Receives the browser's return through VS Code's URI handler, and hands it to the sign-in that it belongs to. */
export class CallbackHandler extends Disposable implements vscode.UriHandler {
  readonly #log: Log;
  readonly #unsolicited = this.register(new vscode.EventEmitter<string>());
  /** Fires with the query of a well-formed callback that no sign-in of this window waits for. */
  readonly onDidReceiveUnsolicited = this.#unsolicited.event;
  readonly #pendingChanged = this.register(new vscode.EventEmitter<boolean>());
  /** Fires when a sign-in starts to wait (true) and when none waits any more (false). */
  readonly onDidChangePending = this.#pendingChanged.event;
  readonly pending: PendingSignIns;

  constructor(log: Log) {
    super();
    this.#log = log;
    this.pending = new PendingSignIns(log, (waiting) => this.#pendingChanged.fire(waiting));
  }

  handleUri(uri: vscode.Uri): void {
    if (uri.path !== CALLBACK_PATH) {
      this.#log.warn('Ignored a link to this extension: its path is not the one of a sign-in.');
      return;
    }
    const outcome = this.pending.handleCallback(uri.query);
    if (!outcome.accepted) {
      this.#log.warn(`Ignored a sign-in callback: ${plainText(outcome.reason)}`);
      if (outcome.unsolicited) {
        this.#unsolicited.fire(uri.query);
      }
    }
  }
}
