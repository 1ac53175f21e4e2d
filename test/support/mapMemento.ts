import type * as vscode from 'vscode';

/** A VS Code memento in memory. It stores values as JSON does. */
export class MapMemento implements vscode.Memento {
  readonly values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get<T>(key: string, defaultValue?: T): T {
    return (this.values.get(key) ?? defaultValue) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) {
      this.values.delete(key);
    } else {
      this.values.set(key, JSON.parse(JSON.stringify(value)));
    }
    return Promise.resolve();
  }
}
