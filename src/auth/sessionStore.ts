import * as vscode from 'vscode';
import type { Redactor } from '../api/redaction.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { Log } from '../workbench/log.ts';
import { KeychainError } from './authErrors.ts';
import { deserialise, serialise, type Session } from './session.ts';

const prefix = 'session/';

export interface SessionChange {
  readonly added: readonly Session[];
  readonly removed: readonly Session[];
  readonly changed: readonly Session[];
}

/**
 * The sessions, one secret each, the same in every window. What another window writes arrives through
 * `secrets.onDidChange`, which also fires for this window's own writes and for equal values: so every event means
 * "read again and compare".
 */
export class SessionStore extends Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #log: Log;
  readonly #redactor: Redactor;
  readonly #changed = this.register(new vscode.EventEmitter<SessionChange>());
  readonly onDidChange = this.#changed.event;

  #known: ReadonlyMap<string, Session> = new Map();
  /** Sessions that the keychain refused to keep: they last as long as the window. */
  readonly #unsaved = new Map<string, Session>();
  /** Secrets that are no sessions: each is mentioned once. */
  readonly #corrupt = new Set<string>();
  /** Labels of the accounts that a service has signed out, by its origin. */
  readonly #ended = new Map<string, string>();
  #reading: Promise<void> | undefined;
  #readings = 0;
  #warnedUnsaved = false;

  constructor(secrets: vscode.SecretStorage, log: Log, redactor: Redactor) {
    super();
    this.#secrets = secrets;
    this.#log = log;
    this.#redactor = redactor;
    this.register(
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(prefix)) {
          this.#readAgain();
        }
      }),
    );
  }

  /**
   * All sessions. Reads without writing, without network and without asking anybody.
   *
   * @throws {@link KeychainError} when the keychain cannot be read and nothing is known yet.
   */
  async all(): Promise<readonly Session[]> {
    this.#reading ??= this.#read();
    try {
      await this.#reading;
    } catch (error) {
      this.#reading = undefined;
      if (this.#known.size === 0) {
        throw error;
      }
    }
    return [...this.#known.values()];
  }

  /** Stores a session in place of the one with the same id. */
  async store(session: Session): Promise<void> {
    await this.all().catch(() => []);
    this.#redactor.add(session.accessToken);
    this.#ended.delete(session.service.origin);
    try {
      await this.#secrets.store(prefix + session.id, serialise(session));
      this.#unsaved.delete(session.id);
    } catch (error) {
      this.#unsaved.set(session.id, session);
      this.#warnUnsaved(error);
    }
    this.#replace(new Map(this.#known).set(session.id, session));
    this.#readAgain();
  }

  /** Forgets a session: first in the keychain, then here. */
  async remove(id: string): Promise<void> {
    this.#unsaved.delete(id);
    try {
      await this.#secrets.delete(prefix + id);
    } catch (error) {
      throw new KeychainError(error);
    }
    const rest = new Map(this.#known);
    rest.delete(id);
    this.#replace(rest);
    this.#readAgain();
  }

  /**
   * Removes the session when its token is still the stored one; a newer token stays.
   *
   * @returns true when it was removed.
   */
  async removeIfCurrent(session: Session): Promise<boolean> {
    const current = this.#known.get(session.id)?.accessToken === session.accessToken;
    if (current) {
      this.#ended.set(session.service.origin, session.account.label);
      await this.remove(session.id);
    }
    return current;
  }

  /** What a reading that began earlier still brings is out of date from now on. */
  #readAgain(): void {
    this.#reading = this.#read();
    this.#reading.catch((error: unknown) => this.#log.error('Reading sessions', error));
  }

  /** Label of the account whose session the service at this origin has ended, until somebody signs in there again. */
  endedAt(origin: string): string | undefined {
    return this.#ended.get(origin);
  }

  async #read(): Promise<void> {
    const reading = ++this.#readings;
    const found = new Map<string, Session>();
    try {
      for (const key of await this.#secrets.keys()) {
        const text = key.startsWith(prefix) ? await this.#secrets.get(key) : undefined;
        if (text === undefined) {
          continue;
        }
        const session = deserialise(text);
        if (session !== undefined && prefix + session.id === key) {
          this.#redactor.add(session.accessToken);
          found.set(session.id, session);
        } else if (!this.#corrupt.has(key)) {
          this.#corrupt.add(key);
          this.#log.warn('A stored session could not be read and is ignored. Signing in again replaces it.');
        }
      }
    } catch (error) {
      throw new KeychainError(error);
    }
    if (reading === this.#readings) {
      this.#replace(new Map([...found, ...this.#unsaved]));
    } else {
      await this.#reading;
    }
  }

  #replace(next: ReadonlyMap<string, Session>): void {
    const before = this.#known;
    this.#known = next;
    const change = {
      added: [...next.values()].filter(({ id }) => !before.has(id)),
      removed: [...before.values()].filter(({ id }) => !next.has(id)),
      changed: [...next.values()].filter((session) => {
        const earlier = before.get(session.id);
        return earlier !== undefined && earlier.accessToken !== session.accessToken;
      }),
    };
    if (change.added.length + change.removed.length + change.changed.length > 0) {
      this.#changed.fire(change);
    }
  }

  #warnUnsaved(error: unknown): void {
    this.#log.error('Storing a session', new KeychainError(error));
    if (!this.#warnedUnsaved) {
      this.#warnedUnsaved = true;
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'The keychain of this system did not store your session. You stay signed in until this window closes.',
        ),
      );
    }
  }
}
