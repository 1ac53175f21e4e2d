import type { UploadFile } from '../../resources/requests/requestBody.ts';
import type { SigningKey } from '../model/signingKey.ts';
import type { AppCalls, CallOptions } from './appCalls.ts';

/** A password that unlocks a key: the two of an Android keystore, or the one of a certificate. Never logged. */
export type KeyPasswords =
  { readonly keystorePassword: string; readonly keyPassword: string } | { readonly password: string };

/** What is sent to add a key. */
export interface KeyFiles {
  readonly platform: string;
  readonly title: string;
  /** Of the key in an Android keystore. */
  readonly alias?: string;
  /** Windows Phone's. */
  readonly publisherId?: string;
  readonly passwords?: KeyPasswords;
  /** `keystore`; or `cert` and `profile`. */
  readonly files: readonly { readonly name: 'keystore' | 'cert' | 'profile'; readonly file: UploadFile }[];
}

/** The calls about signing keys. */
export class KeyCalls {
  readonly #calls: AppCalls;

  constructor(calls: AppCalls) {
    this.#calls = calls;
  }

  /** @param platform of all platforms when absent. */
  list(_platform?: string, _options?: CallOptions): Promise<readonly SigningKey[]> {
    return this.#notWritten();
  }

  get(_url: string, _options?: CallOptions): Promise<SigningKey> {
    return this.#notWritten();
  }

  add(_files: KeyFiles, _options?: CallOptions): Promise<SigningKey> {
    return this.#notWritten();
  }

  unlock(_key: SigningKey, _passwords: KeyPasswords, _options?: CallOptions): Promise<SigningKey> {
    return this.#notWritten();
  }

  lock(_key: SigningKey, _options?: CallOptions): Promise<SigningKey> {
    return this.#notWritten();
  }

  setDefault(_key: SigningKey, _options?: CallOptions): Promise<SigningKey> {
    return this.#notWritten();
  }

  delete(_key: SigningKey, _options?: CallOptions): Promise<void> {
    return this.#notWritten();
  }

  #notWritten(): Promise<never> {
    void this.#calls;
    return Promise.reject(new Error('Not written yet.'));
  }
}
