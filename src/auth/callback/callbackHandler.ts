import { timingSafeEqual } from 'node:crypto';
import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import { callbackPath, readCallback, type Callback } from './callback.ts';

/** An answer of the service to a sign-in that a person started. */
export type Answer = Exclude<Callback, { readonly kind: 'invalid' }> & {
  /** True when the service sent the `state` back, which proves that the answer belongs to this sign-in. */
  readonly stateEchoed: boolean;
};

/** A sign-in that waits for the browser. */
export interface Awaited {
  readonly state: string;
  /** The service has echoed `state` before: an answer without it is not the service's. */
  readonly stateRequired: boolean;
  /** The page in the browser that it waits for. */
  readonly page: string;
}

interface Pending extends Awaited {
  /** Aborts when the wait is over, however it ends. */
  readonly over: AbortSignal;
  readonly settle: (answer: Answer) => void;
  readonly cancel: () => void;
}

/** What became of a callback. */
export type Verdict =
  { readonly accepted: true } | { readonly accepted: false; readonly reason: string; readonly unsolicited?: true };

/**
 * Receives the browser's return. A callback counts only while a sign-in is pending, once, and when its `state` fits;
 * anything else changes nothing and causes no request (RFC 9700 §4.7).
 */
export class CallbackHandler extends Disposable implements vscode.UriHandler {
  readonly #log: Log;
  readonly #unsolicited = this.register(new vscode.EventEmitter<string>());
  /** Fires with the query of a well-formed callback that no sign-in of this window waits for. */
  readonly onDidReceiveUnsolicited = this.#unsolicited.event;
  readonly #pendingChanged = this.register(new vscode.EventEmitter<boolean>());
  /** Fires when a sign-in starts to wait (true) and when the wait is over (false). */
  readonly onDidChangePending = this.#pendingChanged.event;
  #pending: Pending | undefined;

  constructor(log: Log) {
    super();
    this.#log = log;
  }

  /**
   * Waits for the answer to the sign-in that sent `state`.
   *
   * @throws CancelledError when `signal` aborts, or another sign-in takes over.
   */
  async wait(awaited: Awaited, signal: AbortSignal): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const over = new AbortController();
      const end = () => {
        signal.removeEventListener('abort', cancel);
        over.abort();
        if (this.#pending === pending) {
          this.#pending = undefined;
          this.#pendingChanged.fire(false);
        }
      };
      const cancel = () => {
        end();
        reject(new CancelledError());
      };
      const pending: Pending = {
        ...awaited,
        over: over.signal,
        settle: (answer) => {
          end();
          resolve(answer);
        },
        cancel,
      };
      if (signal.aborted) {
        cancel();
        return;
      }
      this.#pending?.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      this.#pending = pending;
      this.#pendingChanged.fire(true);
    });
  }

  handleUri(uri: vscode.Uri): void {
    if (uri.path !== callbackPath) {
      this.#log.warn('Ignored a link to this extension: its path is not the one of a sign-in.');
      return;
    }
    const verdict = this.offer(uri.query);
    if (!verdict.accepted) {
      this.#log.warn(`Ignored a sign-in callback: ${verdict.reason}.`);
      if (verdict.unsolicited) {
        this.#unsolicited.fire(uri.query);
      }
    }
  }

  /** Hands a callback's query to the pending sign-in. */
  offer(query: string): Verdict {
    const callback = readCallback(query);
    if (callback.kind === 'invalid') {
      return { accepted: false, reason: callback.reason };
    }
    const pending = this.#pending;
    if (pending === undefined) {
      return { accepted: false, reason: 'no sign-in is waiting for one', unsolicited: true };
    }
    if (callback.state === undefined && pending.stateRequired) {
      return { accepted: false, reason: 'it lacks the state that this service always returns' };
    }
    if (callback.state !== undefined && !equal(callback.state, pending.state)) {
      return { accepted: false, reason: 'it belongs to another sign-in', unsolicited: true };
    }
    pending.settle({ ...callback, stateEchoed: callback.state !== undefined });
    return { accepted: true };
  }

  /**
   * Hands over a bare code that the person pasted. Nothing proves where it comes from: the person confirms the account.
   *
   * @returns false when no sign-in is pending.
   */
  offerCode(code: string): boolean {
    const pending = this.#pending;
    pending?.settle({ kind: 'code', code, state: undefined, stateEchoed: false });
    return pending !== undefined;
  }

  /** Aborts when the pending sign-in needs no answer any more. */
  get pendingOver(): AbortSignal | undefined {
    return this.#pending?.over;
  }

  /** The page that a pending sign-in waits for. */
  get pendingPage(): string | undefined {
    return this.#pending?.page;
  }
}

/** Compares in constant time. */
function equal(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
