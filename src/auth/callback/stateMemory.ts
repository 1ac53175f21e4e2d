import type * as vscode from 'vscode';

/**
 * Remembers which services send `state` back. The contract does not promise it; a service that has done it once does it
 * always, so from then on an answer without `state` is not the service's.
 */
export class StateMemory {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** True when the service at this origin has sent `state` back before. */
  echoes(origin: string): boolean {
    return this.#memento.get<boolean>(key(origin)) ?? false;
  }

  async remember(origin: string): Promise<void> {
    if (!this.echoes(origin)) {
      await this.#memento.update(key(origin), true);
    }
  }
}

function key(origin: string): string {
  return `echoesState/${origin}`;
}
