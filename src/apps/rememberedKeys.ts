import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { KeychainError } from '../auth/authErrors.ts';
import { localName } from '../auth/localName.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import { read } from '../workbench/readStored.ts';
import type { KeyPasswords } from './calls/keyCalls.ts';
import type { SigningKey } from './model/signingKey.ts';

/** Facts from the files of a key, read before they were sent: services do not give them back. None is a secret. */
export interface KeyFacts {
  readonly expiresAt: Date | undefined;
  /** The identifier that a provisioning profile is for, such as `com.example.app` or `com.example.*`. */
  readonly appId: string | undefined;
  readonly team: string | undefined;
}

/** Times in milliseconds since 1970. */
const STORED_FACTS = z.object({
  expiresAt: z.optional(z.number()),
  appId: z.optional(z.string()),
  team: z.optional(z.string()),
});

const FACTS_PREFIX = 'keyFacts/';

/** Remembers {@link KeyFacts} by the address of the key: one entry each, so that windows do not overwrite each other's. */
export class KeyFactsStore {
  readonly #globalState: vscode.Memento;
  readonly #selection: Pick<ServiceSelection, 'current'>;

  constructor(globalState: vscode.Memento, selection: Pick<ServiceSelection, 'current'>) {
    this.#globalState = globalState;
    this.#selection = selection;
  }

  /** The facts about a key; undefined for one that was added elsewhere. */
  find(keyUrl: string): KeyFacts | undefined {
    const stored = read(STORED_FACTS, this.#globalState.get(this.#nameOf(keyUrl)));
    return (
      stored && {
        expiresAt: stored.expiresAt === undefined ? undefined : new Date(stored.expiresAt),
        appId: stored.appId,
        team: stored.team,
      }
    );
  }

  /** A key, completed by the facts that the service does not have. */
  complete(key: SigningKey): SigningKey {
    const facts = this.find(key.url);
    return facts === undefined
      ? key
      : { ...key, expiresAt: key.expiresAt ?? facts.expiresAt, appId: key.appId ?? facts.appId };
  }

  /** Keeps the facts about a key that was added, in place of those about an earlier key at this address. */
  async remember(keyUrl: string, { expiresAt, appId, team }: KeyFacts): Promise<void> {
    if (expiresAt === undefined && appId === undefined && team === undefined) {
      await this.forget(keyUrl);
      return;
    }
    const stored: z.infer<typeof STORED_FACTS> = { expiresAt: expiresAt?.getTime(), appId, team };
    await this.#globalState.update(this.#nameOf(keyUrl), stored);
  }

  async forget(keyUrl: string): Promise<void> {
    await this.#globalState.update(this.#nameOf(keyUrl), undefined);
  }

  #nameOf(keyUrl: string): string {
    return FACTS_PREFIX + localName(keyUrl, this.#selection);
  }
}

const PASSWORDS_PREFIX = 'keyPassword/';

const STORED_PASSWORDS = z.union([
  z.object({ password: z.string() }),
  z.object({ keystorePassword: z.string(), keyPassword: z.string() }),
]);

/** The passwords of signing keys that the user wants remembered: one secret for each key, in the keychain. */
export class KeyPasswordStore {
  readonly #secrets: vscode.SecretStorage;
  readonly #selection: Pick<ServiceSelection, 'current'>;

  constructor(secrets: vscode.SecretStorage, selection: Pick<ServiceSelection, 'current'>) {
    this.#secrets = secrets;
    this.#selection = selection;
  }

  /** The passwords of a key; undefined if none are kept, they're damaged, or the keychain doesn't answer: then the user is asked. */
  async find(keyUrl: string): Promise<KeyPasswords | undefined> {
    try {
      const text = await this.#secrets.get(this.#nameOf(keyUrl));
      return text === undefined ? undefined : read(STORED_PASSWORDS, JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  async remember(keyUrl: string, passwords: KeyPasswords): Promise<void> {
    try {
      await this.#secrets.store(this.#nameOf(keyUrl), JSON.stringify(passwords));
    } catch (error) {
      throw new KeychainError(error);
    }
  }

  async forget(keyUrl: string): Promise<void> {
    try {
      await this.#secrets.delete(this.#nameOf(keyUrl));
    } catch (error) {
      throw new KeychainError(error);
    }
  }

  #nameOf(keyUrl: string): string {
    return PASSWORDS_PREFIX + localName(keyUrl, this.#selection);
  }
}
