import type * as vscode from 'vscode';

/**
 * Which services send `state` back. The contract does not promise it; a service that has done it once does it always, so
 * that after that an answer without `state` is not the service's.
 */
export class StateSupport {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** True when the service at this origin has sent `state` back before. */
  has(origin: string): boolean {
    return this.#memento.get<boolean>(key(origin)) ?? false;
  }

  /** Stores that the service at this origin sends `state` back. */
  async add(origin: string): Promise<void> {
    if (!this.has(origin)) {
      await this.#memento.update(key(origin), true);
    }
  }
}

function key(origin: string): string {
  return `echoesState/${origin}`;
}
