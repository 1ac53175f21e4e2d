import type * as vscode from 'vscode';
import { KeychainError } from '../auth/authErrors.ts';
import { localName } from '../auth/localName.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import type { KeyPasswords } from './calls/keyCalls.ts';

const KEY_PREFIX = 'keyPassword/';

/** The passwords of signing keys that a person has asked to be remembered: one secret for each key, in the keychain. */
export class KeyPasswordStore {
  readonly #secrets: vscode.SecretStorage;
  readonly #selection: Pick<ServiceSelection, 'current'>;

  constructor(secrets: vscode.SecretStorage, selection: Pick<ServiceSelection, 'current'>) {
    this.#secrets = secrets;
    this.#selection = selection;
  }

  /** The passwords of a key; undefined when none are kept, or the keychain does not answer: then a person is asked for them. */
  async find(keyUrl: string): Promise<KeyPasswords | undefined> {
    try {
      const text = await this.#secrets.get(this.#nameOf(keyUrl));
      return text === undefined ? undefined : deserialise(text);
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

/** @returns undefined for a damaged entry, which is not logged. */
function deserialise(text: string): KeyPasswords | undefined {
  try {
    const { password, keystorePassword, keyPassword } = Object(JSON.parse(text)) as Partial<Record<string, unknown>>;
    if (typeof password === 'string') {
      return { password };
    }
    return typeof keystorePassword === 'string' && typeof keyPassword === 'string'
      ? { keystorePassword, keyPassword }
      : undefined;
  } catch {
    return undefined;
  }
}
