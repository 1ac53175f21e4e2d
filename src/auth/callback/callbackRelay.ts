import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import type { CallbackHandler } from './callbackHandler.ts';

/** Says until when a sign-in waits, one entry for each window; holds no secret. */
const waitingPrefix = 'relay/waiting/';
/** A callback on its way to the window that waits for it. */
const callbackKey = 'relay/callback';
/** How long a callback may lie there, milliseconds. */
const longestRelay = 10_000;
/** Longer than a sign-in may take: a mark that a closed window left behind does not count for ever. */
const longestWait = 6 * 60_000;

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
  readonly #waitingKey = waitingPrefix + randomUUID();

  constructor(secrets: vscode.SecretStorage, callbacks: CallbackHandler, log: Log) {
    super();
    this.#secrets = secrets;
    this.#callbacks = callbacks;
    this.#log = log;
    this.register(callbacks.onDidChangePending((pending) => this.#quietly(() => this.#mark(pending))));
    this.register(callbacks.onDidReceiveUnsolicited((query) => this.#quietly(() => this.#send(query))));
    this.register(
      secrets.onDidChange(({ key }) => {
        if (key === callbackKey) {
          this.#quietly(() => this.#receive());
        }
      }),
    );
    this.#quietly(() => this.#cleanUp());
  }

  override dispose(): void {
    for (const timer of this.#timers) {
      clearTimeout(timer);
    }
    super.dispose();
  }

  async #mark(pending: boolean): Promise<void> {
    if (pending) {
      await this.#secrets.store(this.#waitingKey, String(Date.now() + longestWait));
    } else {
      await this.#secrets.delete(this.#waitingKey);
    }
  }

  async #send(query: string): Promise<void> {
    if (!(await this.#someWindowWaits())) {
      return;
    }
    await this.#secrets.store(callbackKey, JSON.stringify({ query, expires: Date.now() + longestRelay }));
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#quietly(() => this.#cleanUp());
    }, longestRelay);
    this.#timers.add(timer);
  }

  async #someWindowWaits(): Promise<boolean> {
    const keys = (await this.#secrets.keys()).filter((key) => key.startsWith(waitingPrefix));
    const ends = await Promise.all(keys.map(async (key) => Number(await this.#secrets.get(key))));
    return ends.some((end) => end > Date.now());
  }

  async #receive(): Promise<void> {
    const relayed = this.#callbacks.pendingPage === undefined ? undefined : await this.#relayed();
    if (relayed !== undefined && relayed.expires > Date.now() && this.#callbacks.offer(relayed.query).accepted) {
      await this.#secrets.delete(callbackKey);
    }
  }

  /** Removes what is out of date: a relayed callback, and marks of windows that were closed while they waited. */
  async #cleanUp(): Promise<void> {
    for (const key of await this.#secrets.keys()) {
      if (key.startsWith(waitingPrefix) && !(Number(await this.#secrets.get(key)) > Date.now())) {
        await this.#secrets.delete(key);
      }
    }
    const text = await this.#secrets.get(callbackKey);
    if (text !== undefined && ((await this.#relayed())?.expires ?? 0) <= Date.now()) {
      await this.#secrets.delete(callbackKey);
    }
  }

  async #relayed(): Promise<{ readonly query: string; readonly expires: number } | undefined> {
    try {
      const { query, expires } = JSON.parse((await this.#secrets.get(callbackKey)) ?? '') as Record<string, unknown>;
      return typeof query === 'string' && typeof expires === 'number' ? { query, expires } : undefined;
    } catch {
      return undefined;
    }
  }

  /** A keychain that fails costs the relay, not the sign-in. */
  #quietly(task: () => Promise<void>): void {
    task().catch((error: unknown) =>
      this.#log.warn(`Relaying a sign-in between windows failed: ${error instanceof Error ? error.name : ''}.`),
    );
  }
}
