import type * as vscode from 'vscode';
import { ECHO_TIMEOUT_MS } from './limits.ts';

interface RecentValue {
  readonly value: unknown;
  /** Time in ms since the epoch. */
  readonly time: number;
}

/**
 * Wraps the state that all windows share, and returns new values immediately after they're set. When VS Code confirms a write, it replaces
 * its copy of the whole state. Values set since that write are then briefly missing, or lost permanently if another write happens at that
 * moment.
 */
export class SharedState {
  readonly #memento: vscode.Memento;
  readonly #recent = new Map<string, RecentValue>();

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  keys(): readonly string[] {
    const keys = new Set([...this.#memento.keys(), ...this.#recentlySet().keys()]);
    return [...keys].filter((key) => this.get(key) !== undefined);
  }

  /** Returns a value, including one whose write is still pending. */
  get(key: string, defaultValue?: unknown): unknown {
    const recent = this.#recentlySet().get(key);
    return (recent === undefined ? this.#memento.get(key) : recent.value) ?? defaultValue;
  }

  /** Sets a value for all windows. Undefined deletes the value. */
  async update(key: string, value: unknown): Promise<void> {
    // This write would delete, in all windows, the values that are missing from VS Code's copy.
    for (const [other, { value: set }] of this.#recentlySet()) {
      if (other !== key && JSON.stringify(this.#memento.get(other)) !== JSON.stringify(set)) {
        void this.#memento.update(other, set);
      }
    }
    this.#recent.set(key, { value: value === undefined ? undefined : structuredClone(value), time: Date.now() });
    await this.#memento.update(key, value);
  }

  #recentlySet(): ReadonlyMap<string, RecentValue> {
    for (const [key, { time }] of this.#recent) {
      if (Date.now() - time > ECHO_TIMEOUT_MS) {
        this.#recent.delete(key);
      }
    }
    return this.#recent;
  }
}
