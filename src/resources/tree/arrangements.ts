import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import { isArrangement, readArrangement, type Arrangement } from './arrangement.ts';

const ARRANGEMENT_KEY = 'arrangement';

/** The arrangement of the Resources view in this window, kept for the workspace. */
export class Arrangements extends Disposable {
  readonly #workspaceState: vscode.Memento;
  readonly #changed = this.register(new vscode.EventEmitter<Arrangement>());
  readonly onDidChange = this.#changed.event;
  #current: Arrangement;

  constructor(workspaceState: vscode.Memento) {
    super();
    this.#workspaceState = workspaceState;
    this.#current = readArrangement(workspaceState.get(ARRANGEMENT_KEY));
  }

  get current(): Arrangement {
    return this.#current;
  }

  /** Shows rows in another way, until the window closes or another arrangement is shown. */
  show(change: Partial<Arrangement>): void {
    const next = readArrangement({ ...this.#current, ...change });
    if (next.filter !== this.#current.filter || next.order !== this.#current.order) {
      this.#current = next;
      this.#changed.fire(next);
    }
  }

  /** Shows rows in another way, in this window and when the workspace is opened again. */
  async keep(change: Partial<Arrangement>): Promise<void> {
    this.show(change);
    await this.#workspaceState.update(ARRANGEMENT_KEY, isArrangement(this.#current) ? this.#current : undefined);
  }
}
