import type * as vscode from 'vscode';
import { MAX_STATE_WRITES } from './limits.ts';

interface Unwritten {
  readonly value: unknown;
  /** Number of times that the value was sent. */
  writes: number;
}

/**
 * Wraps the state that all windows share, so that concurrent writes don't delete each other. VS Code sends its copy of the whole state with
 * each write, and replaces that copy with each confirmation. It loses a value that's set between the two, so this class sends one request at
 * a time. Until a value is written, it's returned from memory.
 */
export class SharedState implements vscode.Memento {
  readonly #memento: vscode.Memento;
  readonly #unwritten = new Map<string, Unwritten>();
  #writing: Promise<void> | undefined;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  keys(): readonly string[] {
    const keys = new Set([...this.#memento.keys(), ...this.#unwritten.keys()]);
    return [...keys].filter((key) => this.get(key) !== undefined);
  }

  /** Returns a value, including one whose write is still pending. */
  get<T>(key: string, defaultValue?: T): T {
    const unwritten = this.#unwritten.get(key);
    return ((unwritten === undefined ? this.#memento.get(key) : unwritten.value) ?? defaultValue) as T;
  }

  /** Sets a value for all windows. Undefined deletes the value. Resolves when all values are written. */
  update(key: string, value: unknown): Promise<void> {
    this.#unwritten.set(key, { value: value === undefined ? undefined : structuredClone(value), writes: 0 });
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#unwritten.size > 0) {
        await this.#writeTogether([...this.#unwritten]);
      }
    } finally {
      this.#writing = undefined;
    }
  }

  /** Writes values with one request. A value stays unwritten if another window's write replaced VS Code's copy before the request. */
  async #writeTogether(values: readonly (readonly [key: string, Unwritten])[]): Promise<void> {
    try {
      await Promise.all(values.map(([key, { value }]) => this.#memento.update(key, value)));
    } catch (error) {
      this.#unwritten.clear();
      throw error;
    }
    for (const [key, unwritten] of values) {
      unwritten.writes += 1;
      const isWritten = JSON.stringify(this.#memento.get(key)) === JSON.stringify(unwritten.value);
      if (this.#unwritten.get(key) === unwritten && (isWritten || unwritten.writes === MAX_STATE_WRITES)) {
        this.#unwritten.delete(key);
      }
    }
  }
}
