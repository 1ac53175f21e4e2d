import type * as vscode from 'vscode';
import { localName } from '../auth/localName.ts';
import { KeychainError } from '../auth/authErrors.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import type { KeyPasswords } from './calls/keyCalls.ts';
import type { SigningKey } from './model/signingKey.ts';

const KEY_PREFIX = 'keyPassword/';

/** The passwords of signing keys that a person has asked to be remembered: one secret for each key, in the keychain. */
export class KeyPasswordStore {
  readonly #secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
  readonly #selection: Pick<ServiceSelection, 'current'>;

  constructor(
    secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>,
    selection: Pick<ServiceSelection, 'current'>,
  ) {
    this.#secrets = secrets;
    this.#selection = selection;
  }

  /** The passwords of a key; undefined when none are kept, or the keychain does not answer: then a person is asked for them. */
  async find(key: Pick<SigningKey, 'url'>): Promise<KeyPasswords | undefined> {
    try {
      const text = await this.#secrets.get(this.#nameOf(key));
      return text === undefined ? undefined : deserialise(text);
    } catch {
      return undefined;
    }
  }

  /** @throws KeychainError */
  async remember(key: Pick<SigningKey, 'url'>, passwords: KeyPasswords): Promise<void> {
    try {
      await this.#secrets.store(this.#nameOf(key), JSON.stringify(passwords));
    } catch (error) {
      throw new KeychainError(error);
    }
  }

  /** Deletes what is kept of a key. @throws KeychainError */
  async forget(key: Pick<SigningKey, 'url'>): Promise<void> {
    try {
      await this.#secrets.delete(this.#nameOf(key));
    } catch (error) {
      throw new KeychainError(error);
    }
  }

  #nameOf({ url }: Pick<SigningKey, 'url'>): string {
    return KEY_PREFIX + localName(url, this.#selection);
  }
}

/** @returns undefined for what is damaged. It is not logged. */
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
