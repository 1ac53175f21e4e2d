import * as vscode from 'vscode';
import type { Redactor } from '../api/redaction.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { Log } from '../workbench/log.ts';
import type { Notifications } from '../workbench/notifications.ts';
import { KeychainError } from './authErrors.ts';
import { deserialise, serialise, type Session } from './session.ts';

const KEY_PREFIX = 'session/';

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
 * The sessions, one secret each, the same in every window. What another window writes arrives through
 * `secrets.onDidChange`, which also fires for this window's own writes and for equal values: so every event means
 * "read again and compare".
 */
export class SessionStore extends Disposable {
  readonly #dependencies: SessionStoreDependencies;
  readonly #changed = this.register(new vscode.EventEmitter<SessionChange>());
  readonly onDidChange = this.#changed.event;

  #sessions: ReadonlyMap<string, Session> = new Map();
  /** Ids of the sessions that the keychain holds, as they were last read. */
  #stored = new Set<string>();
  /** Sessions that the keychain refused to store: they last as long as the window. */
  readonly #unsaved = new Map<string, Session>();
  /** Keys of secrets that are no sessions: each is logged once. */
  readonly #corruptKeys = new Set<string>();
  /** Labels of the accounts that a service has signed out, by its origin. */
  readonly #ended = new Map<string, string>();
  #reading: Promise<void> | undefined;
  /** Counts the readings: only the latest one counts. */
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
   * All sessions. Reads without writing, without network and without a question.
   *
   * @throws {@link KeychainError} when the keychain cannot be read and no session has been read before.
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

  /** The sessions that have been read so far. */
  get known(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Stores a session in place of the one with the same id. */
  async store(session: Session): Promise<void> {
    await this.all().catch(() => []);
    this.#dependencies.redactor.add(session.accessToken);
    this.#ended.delete(session.service.origin);
    try {
      await this.#dependencies.secrets.store(KEY_PREFIX + session.id, serialise(session));
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
   * Deletes a session: first in the keychain, then here. One that the keychain never took ends whatever the keychain does.
   *
   * @throws {@link KeychainError} and leaves the session as it is.
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
   * Removes the session when its token is still the stored one; a newer token stays, also one that another window has stored
   * and this one has not read yet.
   *
   * @returns true when it was removed.
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

  /** Label of the account whose session the service at this origin has ended, until the next sign-in there. */
  endedAt(origin: string): string | undefined {
    return this.#ended.get(origin);
  }

  /** A reading that began earlier is out of date from here on. */
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
        const session = deserialise(text);
        if (session !== undefined && key === KEY_PREFIX + session.id) {
          this.#dependencies.redactor.add(session.accessToken);
          found.set(session.id, session);
        } else if (!this.#corruptKeys.has(key)) {
          this.#corruptKeys.add(key);
          this.#dependencies.log.warn(
            'A stored session could not be read and is ignored. Signing in again replaces it.',
          );
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

  /** The session as the keychain holds it at this moment. */
  async #readOne(id: string): Promise<Session | undefined> {
    try {
      const text = await this.#dependencies.secrets.get(KEY_PREFIX + id);
      return text === undefined ? undefined : deserialise(text);
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

/** The changes from one list of sessions to the next; undefined when there are none. */
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
