import { timingSafeEqual } from 'node:crypto';
import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import { CALLBACK_PATH, readCallback, type Callback } from './callback.ts';

/** The service's answer to a sign-in that a person started (RFC 6749 §4.1.2). */
export type AuthorizationResponse = Exclude<Callback, { readonly kind: 'invalid' }> & {
  /** True when the service sent the right `state` back: then the answer belongs to this sign-in. */
  readonly stateVerified: boolean;
};

/** A sign-in that waits for the browser. */
export interface PendingSignIn {
  readonly state: string;
  /** The service has sent `state` back before: an answer without it is not the service's. */
  readonly stateRequired: boolean;
  /** The page in the browser that it waits for. */
  readonly page: string;
}

interface PendingEntry extends PendingSignIn {
  /** Aborts when the wait is over, however it ends. */
  readonly signal: AbortSignal;
  readonly resolve: (response: AuthorizationResponse) => void;
  readonly cancel: () => void;
}

/** What became of a callback. */
export type CallbackOutcome =
  { readonly accepted: true } | { readonly accepted: false; readonly reason: string; readonly unsolicited?: true };

/**
 * Receives the browser's return. A callback is accepted only while a sign-in is pending, once, and when its `state` is the
 * right one; anything else changes nothing and causes no request (RFC 9700 §4.7).
 */
export class CallbackHandler extends Disposable implements vscode.UriHandler {
  readonly #log: Log;
  readonly #unsolicited = this.register(new vscode.EventEmitter<string>());
  /** Fires with the query of a well-formed callback that no sign-in of this window waits for. */
  readonly onDidReceiveUnsolicited = this.#unsolicited.event;
  readonly #pendingChanged = this.register(new vscode.EventEmitter<boolean>());
  /** Fires when a sign-in starts to wait (true) and when the wait is over (false). */
  readonly onDidChangePending = this.#pendingChanged.event;
  #pending: PendingEntry | undefined;

  constructor(log: Log) {
    super();
    this.#log = log;
  }

  /**
   * Waits for the answer to the sign-in that sent `state`.
   *
   * @throws CancelledError when `signal` aborts, or another sign-in starts to wait.
   */
  async wait(signIn: PendingSignIn, signal: AbortSignal): Promise<AuthorizationResponse> {
    return new Promise<AuthorizationResponse>((resolve, reject) => {
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
      const pending: PendingEntry = {
        ...signIn,
        signal: over.signal,
        resolve: (response) => {
          end();
          resolve(response);
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
    if (uri.path !== CALLBACK_PATH) {
      this.#log.warn('Ignored a link to this extension: its path is not the one of a sign-in.');
      return;
    }
    const outcome = this.handleCallback(uri.query);
    if (!outcome.accepted) {
      this.#log.warn(`Ignored a sign-in callback: ${outcome.reason}.`);
      if (outcome.unsolicited) {
        this.#unsolicited.fire(uri.query);
      }
    }
  }

  /** Hands a callback's query to the pending sign-in. */
  handleCallback(query: string): CallbackOutcome {
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
    if (callback.state !== undefined && !isEqual(callback.state, pending.state)) {
      return { accepted: false, reason: 'it belongs to another sign-in', unsolicited: true };
    }
    pending.resolve({ ...callback, stateVerified: callback.state !== undefined });
    return { accepted: true };
  }

  /**
   * Hands over a bare code that the person pasted. Without `state` nobody can tell where it comes from, so that the person
   * confirms the account.
   *
   * @returns false when no sign-in is pending.
   */
  handlePastedCode(code: string): boolean {
    const pending = this.#pending;
    pending?.resolve({ kind: 'code', code, state: undefined, stateVerified: false });
    return pending !== undefined;
  }

  /** Aborts when the pending sign-in no longer waits; undefined when none is pending. */
  get pendingSignal(): AbortSignal | undefined {
    return this.#pending?.signal;
  }

  /** The page that the pending sign-in waits for; undefined when none is pending. */
  get pendingPage(): string | undefined {
    return this.#pending?.page;
  }
}

/** Compares in constant time. */
function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
