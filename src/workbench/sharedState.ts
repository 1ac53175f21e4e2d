import type * as vscode from 'vscode';
import { ECHO_TIMEOUT_MS } from './limits.ts';

interface Recent {
  readonly value: unknown;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/**
 * The state that all windows share, in which a value that was just set is there. VS Code replaces its copy of the whole state when
 * the echo of a write comes back: what was set since that write is missing then, for a moment, and for good when another write
 * falls into it.
 */
export class SharedState {
  readonly #memento: vscode.Memento;
  readonly #recent = new Map<string, Recent>();

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  keys(): readonly string[] {
    const keys = new Set([...this.#memento.keys(), ...this.#recentlySet().keys()]);
    return [...keys].filter((key) => this.get(key) !== undefined);
  }

  get(key: string, defaultValue?: unknown): unknown {
    const recent = this.#recentlySet().get(key);
    return (recent === undefined ? this.#memento.get(key) : recent.value) ?? defaultValue;
  }

  async update(key: string, value: unknown): Promise<void> {
    // Values that the copy has lost would be lost for all windows with this write.
    for (const [other, { value: set }] of this.#recentlySet()) {
      if (other !== key && JSON.stringify(this.#memento.get(other)) !== JSON.stringify(set)) {
        void this.#memento.update(other, set);
      }
    }
    this.#recent.set(key, { value: value === undefined ? undefined : structuredClone(value), time: Date.now() });
    await this.#memento.update(key, value);
  }

  #recentlySet(): ReadonlyMap<string, Recent> {
    for (const [key, { time }] of this.#recent) {
      if (Date.now() - time > ECHO_TIMEOUT_MS) {
        this.#recent.delete(key);
      }
    }
    return this.#recent;
  }
}
