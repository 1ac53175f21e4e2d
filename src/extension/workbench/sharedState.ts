import type * as vscode from 'vscode';
import { MAX_STATE_WRITES } from './limits.ts';

/**
 * Wraps the state that all windows share, so that concurrent writes don't delete each other. Each write sends VS Code's copy of the whole
 * state, and each confirmation replaces that copy. A value that's set between the two would be lost, so only one write is pending at a time.
 * Until a value is written, this class returns it from its own memory.
 */
export class SharedState implements vscode.Memento {
  readonly #memento: vscode.Memento;
  readonly #unwritten = new Map<string, { readonly value: unknown }>();
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  keys(): readonly string[] {
    const keys = new Set([...this.#memento.keys(), ...this.#unwritten.keys()]);
    return [...keys].filter((key) => this.get(key) !== undefined);
  }

  /** Returns a value, including one whose write is still pending. */
  get<T>(key: string): T | undefined;
  get<T>(key: string, defaultValue: T): T;
  get<T>(key: string, defaultValue?: T): T | undefined {
    const unwritten = this.#unwritten.get(key);
    return (unwritten === undefined ? this.#memento.get<T>(key) : (unwritten.value as T | undefined)) ?? defaultValue;
  }

  /** Sets a value for all windows. Undefined deletes the value. Resolves when the value is written. */
  async update(key: string, value: unknown): Promise<void> {
    const unwritten = { value: value === undefined ? undefined : structuredClone(value) };
    this.#unwritten.set(key, unwritten);
    const write = this.#lastWrite.then(() => this.#write(key, unwritten.value));
    // A failed write doesn't prevent the next one.
    this.#lastWrite = write.catch(() => undefined);
    try {
      await write;
    } finally {
      if (this.#unwritten.get(key) === unwritten) {
        this.#unwritten.delete(key);
      }
    }
  }

  /** Writes a value. Repeats the write if another window's write replaced VS Code's copy before the value was sent. */
  async #write(key: string, value: unknown): Promise<void> {
    for (let count = 0; count < MAX_STATE_WRITES; count += 1) {
      await this.#memento.update(key, value);
      if (JSON.stringify(this.#memento.get(key)) === JSON.stringify(value)) {
        return;
      }
    }
  }
}
