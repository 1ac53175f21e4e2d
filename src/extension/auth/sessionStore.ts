import * as vscode from 'vscode';
import type { Redactor } from '../../service-client/index.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { Log } from '../workbench/log.ts';
import type { Notifications } from '../workbench/notifications.ts';
import { KeychainError } from './authErrors.ts';
import { deserialize, serialize, type Session } from './session.ts';

const KEY_PREFIX = 'session/';

/** Difference between two lists of sessions. */
export interface SessionChange {
  readonly added: readonly Session[];
  readonly removed: readonly Session[];
  readonly changed: readonly Session[];
}

interface SessionStoreDependencies {
  readonly secrets: vscode.SecretStorage;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly notifications: Notifications;
}

/**
 * Stores each session as a secret that all windows share. `secrets.onDidChange` reports changes by other windows. That event also fires for
 * this window's own writes and for equal values, so the store rereads and compares the sessions on every event.
 */
export class SessionStore extends Disposable {
  readonly #dependencies: SessionStoreDependencies;
  readonly #changed = this.register(new vscode.EventEmitter<SessionChange>());
  readonly onDidChange = this.#changed.event;

  #sessions: ReadonlyMap<string, Session> = new Map();
  /** IDs of the sessions that were last read from the keychain. */
  #stored = new Set<string>();
  /** Sessions that the keychain couldn't store, kept until the window closes. */
  readonly #unsaved = new Map<string, Session>();
  /** Keys of secrets that aren't valid sessions. Each is logged once. */
  readonly #corruptKeys = new Set<string>();
  /** Labels of the accounts whose sessions a service has ended, by service origin. */
  readonly #ended = new Map<string, string>();
  #reading: Promise<void> | undefined;
  /** Number of reads so far. Only the result of the latest one is used. */
  #readings = 0;
  #hasWarned = false;

  constructor(dependencies: SessionStoreDependencies) {
    super();
    this.#dependencies = dependencies;
    this.register(
      dependencies.secrets.onDidChange(({ key }) => {
        if (key.startsWith(KEY_PREFIX)) {
          this.#readAgain();
        }
      }),
    );
  }

  /**
   * Returns all sessions. Doesn't write, use the network, or prompt.
   *
   * @throws {@link KeychainError} when the keychain can't be read and no sessions were read before.
   */
  async all(): Promise<readonly Session[]> {
    this.#reading ??= this.#read();
    try {
      await this.#reading;
    } catch (error) {
      this.#reading = undefined;
      if (this.#sessions.size === 0) {
        throw error;
      }
    }
    return this.known;
  }

  /** Sessions read so far. */
  get known(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Stores a session and replaces the one with the same ID. */
  async store(session: Session): Promise<void> {
    await this.all().catch(() => []);
    this.#dependencies.redactor.add(session.accessToken);
    this.#ended.delete(session.service.origin);
    try {
      await this.#dependencies.secrets.store(KEY_PREFIX + session.id, serialize(session));
      this.#unsaved.delete(session.id);
      this.#stored.add(session.id);
    } catch (error) {
      this.#unsaved.set(session.id, session);
      this.#warnUnsaved(error);
    }
    this.#replace(new Map(this.#sessions).set(session.id, session));
    this.#readAgain();
  }

  /**
   * Deletes a session, first in the keychain and then here. A session that was never in the keychain is removed even if
   * the keychain fails.
   *
   * @throws {@link KeychainError} and keeps the session.
   */
  async remove(id: string): Promise<void> {
    try {
      await this.#dependencies.secrets.delete(KEY_PREFIX + id);
    } catch (error) {
      if (!this.#unsaved.has(id) || this.#stored.has(id)) {
        throw new KeychainError(error);
      }
    }
    this.#unsaved.delete(id);
    const rest = new Map(this.#sessions);
    rest.delete(id);
    this.#replace(rest);
    this.#readAgain();
  }

  /**
   * Removes the session if its token is still the stored one. A newer token stays, including one that another window
   * has stored and this window hasn't read yet.
   *
   * @returns whether the session was removed.
   * @throws {@link KeychainError}
   */
  async removeIfCurrent(session: Session): Promise<boolean> {
    const current =
      this.#unsaved.get(session.id) ?? (await this.#readOne(session.id)) ?? this.#sessions.get(session.id);
    if (current?.accessToken !== session.accessToken) {
      return false;
    }
    this.#ended.set(session.service.origin, session.account.label);
    await this.remove(session.id);
    return true;
  }

  /**
   * Returns the label of the account whose session the service at this origin has ended, or undefined after the next sign-in there.
   */
  getEndedAccount(origin: string): string | undefined {
    return this.#ended.get(origin);
  }

  /** Starts a new read, which makes earlier reads obsolete. */
  #readAgain(): void {
    this.#reading = this.#read();
    this.#reading.catch((error: unknown) => this.#dependencies.log.error('Reading sessions', error));
  }

  async #read(): Promise<void> {
    const reading = ++this.#readings;
    const found = new Map<string, Session>();
    try {
      for (const key of await this.#dependencies.secrets.keys()) {
        const text = key.startsWith(KEY_PREFIX) ? await this.#dependencies.secrets.get(key) : undefined;
        if (text === undefined) {
          continue;
        }
        const session = deserialize(text);
        if (session !== undefined && key === KEY_PREFIX + session.id) {
          this.#dependencies.redactor.add(session.accessToken);
          found.set(session.id, session);
        } else if (!this.#corruptKeys.has(key)) {
          this.#corruptKeys.add(key);
          this.#dependencies.log.warn('Ignored an unreadable session. Sign in again to replace it.');
        }
      }
    } catch (error) {
      throw new KeychainError(error);
    }
    if (reading === this.#readings) {
      this.#stored = new Set(found.keys());
      this.#replace(new Map([...found, ...this.#unsaved]));
    } else {
      await this.#reading;
    }
  }

  /** Reads the current session from the keychain. */
  async #readOne(id: string): Promise<Session | undefined> {
    try {
      const text = await this.#dependencies.secrets.get(KEY_PREFIX + id);
      return text === undefined ? undefined : deserialize(text);
    } catch (error) {
      throw new KeychainError(error);
    }
  }

  #replace(next: ReadonlyMap<string, Session>): void {
    const change = changesBetween(this.known, [...next.values()]);
    this.#sessions = next;
    if (change !== undefined) {
      this.#changed.fire(change);
    }
  }

  #warnUnsaved(error: unknown): void {
    this.#dependencies.log.error('Storing a session', new KeychainError(error));
    if (!this.#hasWarned) {
      this.#hasWarned = true;
      this.#dependencies.notifications.warning(
        vscode.l10n.t('The keychain failed. You’re signed in for this window only.'),
      );
    }
  }
}

/** Returns the changes between two lists of sessions, or undefined when they're equal. */
export function changesBetween(before: readonly Session[], after: readonly Session[]): SessionChange | undefined {
  const earlier = new Map(before.map((session) => [session.id, session]));
  const later = new Set(after.map(({ id }) => id));
  const change = {
    added: after.filter(({ id }) => !earlier.has(id)),
    removed: before.filter(({ id }) => !later.has(id)),
    changed: after.filter(({ id, accessToken }) => (earlier.get(id)?.accessToken ?? accessToken) !== accessToken),
  };
  return change.added.length + change.removed.length + change.changed.length > 0 ? change : undefined;
}
