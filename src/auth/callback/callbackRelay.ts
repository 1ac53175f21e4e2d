import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import type { CallbackHandler } from './callbackHandler.ts';

/** Entries that say until when a sign-in waits, one for each window; they hold no secret. */
const WAITING_KEY_PREFIX = 'relay/waiting/';
/** A callback on its way to the window that waits for it. */
const CALLBACK_KEY = 'relay/callback';
/** How long a callback may stay there. */
const CALLBACK_LIFETIME_MS = 10_000;
/** Longer than a sign-in may take: the entry of a window that was closed meanwhile becomes invalid. */
const WAITING_LIFETIME_MS = 6 * 60_000;

/**
 * On a desktop the topmost window gets the callback, not the one that signs in (vscode#79635). SecretStorage is shared
 * by all windows, so the callback goes through it: written only while some window waits, and deleted on use, after a
 * few seconds, and by the next window that starts.
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
        if (key === CALLBACK_KEY) {
          this.#run(() => this.#receive());
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
      await this.#secrets.store(this.#waitingKey, String(Date.now() + WAITING_LIFETIME_MS));
    } else {
      await this.#secrets.delete(this.#waitingKey);
    }
  }

  async #send(query: string): Promise<void> {
    if (!(await this.#someWindowWaits())) {
      return;
    }
    await this.#secrets.store(CALLBACK_KEY, JSON.stringify({ query, expires: Date.now() + CALLBACK_LIFETIME_MS }));
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#run(() => this.#deleteExpired());
    }, CALLBACK_LIFETIME_MS);
    this.#timers.add(timer);
  }

  async #someWindowWaits(): Promise<boolean> {
    const keys = (await this.#secrets.keys()).filter((key) => key.startsWith(WAITING_KEY_PREFIX));
    const ends = await Promise.all(keys.map(async (key) => Number(await this.#secrets.get(key))));
    return ends.some((end) => end > Date.now());
  }

  async #receive(): Promise<void> {
    const relayed = this.#callbacks.pendingPage === undefined ? undefined : await this.#readCallback();
    if (
      relayed !== undefined &&
      relayed.expires > Date.now() &&
      this.#callbacks.handleCallback(relayed.query).accepted
    ) {
      await this.#secrets.delete(CALLBACK_KEY);
    }
  }

  /** Deletes a callback that nobody took, and entries of windows that were closed while they waited. */
  async #deleteExpired(): Promise<void> {
    for (const key of await this.#secrets.keys()) {
      if (key.startsWith(WAITING_KEY_PREFIX) && !(Number(await this.#secrets.get(key)) > Date.now())) {
        await this.#secrets.delete(key);
      }
    }
    const text = await this.#secrets.get(CALLBACK_KEY);
    if (text !== undefined && ((await this.#readCallback())?.expires ?? 0) <= Date.now()) {
      await this.#secrets.delete(CALLBACK_KEY);
    }
  }

  async #readCallback(): Promise<{ readonly query: string; readonly expires: number } | undefined> {
    try {
      const { query, expires } = JSON.parse((await this.#secrets.get(CALLBACK_KEY)) ?? '') as Record<string, unknown>;
      return typeof query === 'string' && typeof expires === 'number' ? { query, expires } : undefined;
    } catch {
      return undefined;
    }
  }

  /** When the keychain fails, only the relay does not work; the sign-in goes on. */
  #run(task: () => Promise<void>): void {
    task().catch((error: unknown) =>
      this.#log.warn(`Relaying a sign-in between windows failed: ${error instanceof Error ? error.name : ''}.`),
    );
  }
}
