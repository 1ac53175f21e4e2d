import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { KeychainError } from '../auth/authErrors.ts';
import { localName } from '../auth/localName.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import { read } from '../workbench/readStored.ts';
import type { KeyPasswords } from './calls/keyCalls.ts';

const KEY_PREFIX = 'keyPassword/';

const STORED_PASSWORDS = z.union([
  z.object({ password: z.string() }),
  z.object({ keystorePassword: z.string(), keyPassword: z.string() }),
]);

/** The passwords of signing keys that a person has asked to be remembered: one secret for each key, in the keychain. */
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
    return KEY_PREFIX + localName(keyUrl, this.#selection);
  }
}
