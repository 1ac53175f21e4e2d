import { createHash, randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

import { formatSentence } from '../../../errors/index.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import { CALLBACK_LIFETIME_MS, SIGN_IN_TIMEOUT_MS } from '../limits.ts';
import { CALLBACK_PATH, readCallback } from './callback.ts';
import { PendingSignIns } from './pendingSignIns.ts';

/** Receives the browser's callbacks through VS Code's URI handler and passes them to the matching sign-in. */
export class CallbackHandler extends Disposable implements vscode.UriHandler {
  readonly #log: Log;
  readonly #unsolicited = this.register(new vscode.EventEmitter<string>());
  /** Fires with the query of a well-formed callback that doesn't match any pending sign-in in this window. */
  readonly onDidReceiveUnsolicited = this.#unsolicited.event;
  readonly #pendingChanged = this.register(new vscode.EventEmitter<boolean>());
  /** Fires with true when a sign-in starts waiting, and with false when none is waiting anymore. */
  readonly onDidChangePending = this.#pendingChanged.event;
  readonly pending: PendingSignIns;

  constructor(log: Log) {
    super();
    this.#log = log;
    this.pending = new PendingSignIns(log, (waiting) => this.#pendingChanged.fire(waiting));
  }

  /** Handles a URI that opens this extension. Logs and ignores URIs that aren't expected callbacks. */
  handleUri(uri: vscode.Uri): void {
    if (uri.path !== CALLBACK_PATH) {
      this.#log.warn('Ignored a link that isn’t a callback.');
      return;
    }
    const outcome = this.pending.handleCallback(uri.query);
    if (!outcome.accepted) {
      this.#log.warn(`Ignored a sign-in callback: ${formatSentence(outcome.reason)}`);
      if (outcome.unsolicited) {
        this.#unsolicited.fire(uri.query);
      }
    }
  }
}

/** Prefix of entries for the callbacks that a window is waiting for. They don't contain secrets. */
const WAITING_KEY_PREFIX = 'relay/waiting/';
/** Prefix of entries for callbacks to be received by another window. */
const CALLBACK_KEY_PREFIX = 'relay/callback/';

/** Entry of either kind. `expires` is in ms since the epoch. */
interface ExpiringEntry {
  readonly expires: number;
}

interface WaitingEntry extends ExpiringEntry {
  /** SHA-256 of the `state` of each pending sign-in. */
  readonly states: readonly string[];
  /** Whether any pending sign-in accepts a response without `state`. */
  readonly withoutState: boolean;
}

interface CallbackEntry extends ExpiringEntry {
  readonly query: string;
}

/**
 * Relays callbacks between windows. On a desktop, the topmost window receives the callback, even if another window is signing in
 * (vscode#79635). All windows share SecretStorage, so callbacks are passed through it. A callback is stored only if a window is waiting for
 * it. A callback is deleted when it's used, after a few seconds, or when the next window starts.
 */
export class CallbackRelay extends Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #callbacks: CallbackHandler;
  readonly #log: Log;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #waitingKey = WAITING_KEY_PREFIX + randomUUID();

  constructor(secrets: vscode.SecretStorage, callbacks: CallbackHandler, log: Log) {
    super();
    this.#secrets = secrets;
    this.#callbacks = callbacks;
    this.#log = log;
    this.register(callbacks.onDidChangePending((pending) => this.#run(() => this.#setWaiting(pending))));
    this.register(callbacks.onDidReceiveUnsolicited((query) => this.#run(() => this.#send(query))));
    this.register(
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(CALLBACK_KEY_PREFIX)) {
          this.#run(() => this.#receive(key));
        }
      }),
    );
    this.#run(() => this.#deleteExpired());
  }

  override dispose(): void {
    for (const timer of this.#timers) {
      clearTimeout(timer);
    }
    super.dispose();
  }

  async #setWaiting(waiting: boolean): Promise<void> {
    if (waiting) {
      const { states, withoutState } = this.#callbacks.pending.expected;
      // The entry outlives the longest sign-in. If the window closes without deleting it, it expires.
      const expires = Date.now() + SIGN_IN_TIMEOUT_MS + CALLBACK_LIFETIME_MS;
      const entry: WaitingEntry = { states: states.map(hash), withoutState, expires };
      await this.#secrets.store(this.#waitingKey, JSON.stringify(entry));
    } else {
      await this.#secrets.delete(this.#waitingKey);
    }
  }

  async #send(query: string): Promise<void> {
    if (!(await this.#someWindowWaitsFor(query))) {
      return;
    }
    // A unique key, so that other callbacks don't replace this one.
    const entry: CallbackEntry = { query, expires: Date.now() + CALLBACK_LIFETIME_MS };
    await this.#secrets.store(CALLBACK_KEY_PREFIX + randomUUID(), JSON.stringify(entry));
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#run(() => this.#deleteExpired());
    }, CALLBACK_LIFETIME_MS);
    this.#timers.add(timer);
  }

  async #someWindowWaitsFor(query: string): Promise<boolean> {
    const callback = readCallback(query);
    if (callback.kind === 'invalid') {
      return false;
    }
    const { state } = callback;
    for (const key of await this.#secrets.keys()) {
      const entry = key.startsWith(WAITING_KEY_PREFIX) ? await this.#read<WaitingEntry>(key) : undefined;
      if (state === undefined ? entry?.withoutState === true : entry?.states?.includes(hash(state)) === true) {
        return true;
      }
    }
    return false;
  }

  async #receive(key: string): Promise<void> {
    const { query } =
      (this.#callbacks.pending.page() === undefined ? undefined : await this.#read<CallbackEntry>(key)) ?? {};
    if (typeof query === 'string' && this.#callbacks.pending.handleCallback(query).accepted) {
      await this.#secrets.delete(key);
    }
  }

  /** Deletes callbacks that no window has accepted, and entries of windows that were closed while waiting. */
  async #deleteExpired(): Promise<void> {
    for (const key of await this.#secrets.keys()) {
      if (key.startsWith('relay/') && (await this.#read(key)) === undefined) {
        await this.#secrets.delete(key);
      }
    }
  }

  /** Reads an entry whose members aren't validated. Returns undefined when it doesn't exist or has expired. */
  async #read<T extends ExpiringEntry>(key: string): Promise<Partial<T> | undefined> {
    try {
      const entry = JSON.parse((await this.#secrets.get(key)) ?? 'null') as Partial<T> | null;
      return entry !== null && Number(entry.expires) > Date.now() ? entry : undefined;
    } catch {
      return undefined;
    }
  }

  /** Runs a task and logs its failure. If the keychain fails, the relay doesn't work, but the sign-in continues. */
  #run(task: () => Promise<void>): void {
    task().catch((error: unknown) =>
      this.#log.warn(`Relaying a sign-in failed: ${error instanceof Error ? error.name : ''}.`),
    );
  }
}

/** Returns the hash of a `state`. Other windows see only the hash. */
function hash(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}
