import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { KeychainError } from '../auth/authErrors.ts';
import { toLocalName } from '../auth/localName.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import { read } from '../workbench/readStored.ts';
import type { KeyPasswords } from './calls/keyCalls.ts';
import type { SigningKey } from './model/signingKey.ts';

/** Facts from a key's files, read before the upload because services don't return them. They contain no secrets. */
export interface KeyFacts {
  readonly expiresAt: Date | undefined;
  /** App ID of the provisioning profile, such as `com.example.app` or `com.example.*`. */
  readonly appId: string | undefined;
  readonly team: string | undefined;
}

/** Dates are in milliseconds since 1970. */
const STORED_FACTS = z.object({
  expiresAt: z.optional(z.number()),
  appId: z.optional(z.string()),
  team: z.optional(z.string()),
});

const FACTS_PREFIX = 'keyFacts/';

/** Stores {@link KeyFacts} by the key's address. Each key has its own entry, so that windows don't overwrite each other's changes. */
export class KeyFactsStore {
  readonly #globalState: vscode.Memento;
  readonly #selection: Pick<ServiceSelection, 'current'>;

  constructor(globalState: vscode.Memento, selection: Pick<ServiceSelection, 'current'>) {
    this.#globalState = globalState;
    this.#selection = selection;
  }

  /** Returns the facts about a key, or undefined if it wasn't added on this computer. */
  find(keyUrl: string): KeyFacts | undefined {
    const stored = read(STORED_FACTS, this.#globalState.get(this.#getName(keyUrl)));
    return (
      stored && {
        expiresAt: stored.expiresAt === undefined ? undefined : new Date(stored.expiresAt),
        appId: stored.appId,
        team: stored.team,
      }
    );
  }

  /** Returns the key, completed with stored facts that the service doesn't report. */
  complete(key: SigningKey): SigningKey {
    const facts = this.find(key.url);
    return facts === undefined
      ? key
      : { ...key, expiresAt: key.expiresAt ?? facts.expiresAt, appId: key.appId ?? facts.appId };
  }

  /** Stores the facts about a new key. Replaces the facts about an earlier key at the same address. */
  async remember(keyUrl: string, { expiresAt, appId, team }: KeyFacts): Promise<void> {
    if (expiresAt === undefined && appId === undefined && team === undefined) {
      await this.forget(keyUrl);
      return;
    }
    const stored: z.infer<typeof STORED_FACTS> = { expiresAt: expiresAt?.getTime(), appId, team };
    await this.#globalState.update(this.#getName(keyUrl), stored);
  }

  /** Deletes the facts about a key. */
  async forget(keyUrl: string): Promise<void> {
    await this.#globalState.update(this.#getName(keyUrl), undefined);
  }

  #getName(keyUrl: string): string {
    return FACTS_PREFIX + toLocalName(keyUrl, this.#selection);
  }
}

const PASSWORDS_PREFIX = 'keyPassword/';

const STORED_PASSWORDS = z.union([
  z.object({ password: z.string() }),
  z.object({ keystorePassword: z.string(), keyPassword: z.string() }),
]);

/** Stores the passwords of signing keys that the user wants remembered. Each key has its own secret in the keychain. */
export class KeyPasswordStore {
  readonly #secrets: vscode.SecretStorage;
  readonly #selection: Pick<ServiceSelection, 'current'>;

  constructor(secrets: vscode.SecretStorage, selection: Pick<ServiceSelection, 'current'>) {
    this.#secrets = secrets;
    this.#selection = selection;
  }

  /**
   * Returns the stored passwords of a key. Returns undefined if they're missing or damaged, or if the keychain doesn't respond. The caller
   * then asks the user.
   */
  async find(keyUrl: string): Promise<KeyPasswords | undefined> {
    try {
      const text = await this.#secrets.get(this.#getName(keyUrl));
      return text === undefined ? undefined : read(STORED_PASSWORDS, JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  /** Stores the passwords of a key. @throws KeychainError */
  async remember(keyUrl: string, passwords: KeyPasswords): Promise<void> {
    try {
      await this.#secrets.store(this.#getName(keyUrl), JSON.stringify(passwords));
    } catch (error) {
      throw new KeychainError(error);
    }
  }

  /** Deletes the passwords of a key. @throws KeychainError */
  async forget(keyUrl: string): Promise<void> {
    try {
      await this.#secrets.delete(this.#getName(keyUrl));
    } catch (error) {
      throw new KeychainError(error);
    }
  }

  #getName(keyUrl: string): string {
    return PASSWORDS_PREFIX + toLocalName(keyUrl, this.#selection);
  }
}
