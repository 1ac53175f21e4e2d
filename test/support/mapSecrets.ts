import type * as vscode from 'vscode';
import { EventEmitter } from './vscode.ts';

/** Secrets as several windows share them: every write fires an event, even if the value is equal. */
export class MapSecrets implements vscode.SecretStorage {
  readonly #values = new Map<string, string>();
  readonly #changed = new EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#values.get(key));
  }

  keys(): Promise<string[]> {
    return Promise.resolve([...this.#values.keys()]);
  }

  store(key: string, value: string): Promise<void> {
    this.#values.set(key, value);
    return this.#announce(key);
  }

  delete(key: string): Promise<void> {
    this.#values.delete(key);
    return this.#announce(key);
  }

  #announce(key: string): Promise<void> {
    this.#changed.fire({ key });
    return Promise.resolve();
  }
}
