import * as vscode from 'vscode';

import { Disposable } from '../../workbench/disposable.ts';
import { isArrangement, readArrangement, type Arrangement } from './arrangement.ts';
import type { UserNode } from './resourceNode.ts';
import { countEntries } from './shownRows.ts';
import type { ViewTexts } from './viewTexts.ts';

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

/** Many rows are drawn in one go: what the filter hides is counted once for all of them. */
const COUNT_DELAY_MS = 50;

/** Keeps the message about the filter, and the context key of its buttons, up to date. */
export class FilterText extends Disposable {
  readonly #arrangements: Arrangements;
  readonly #texts: Pick<ViewTexts, 'showFilter'>;
  #user: UserNode | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(arrangements: Arrangements, texts: Pick<ViewTexts, 'showFilter'>) {
    super();
    this.#arrangements = arrangements;
    this.#texts = texts;
    this.register(arrangements.onDidChange(() => this.#follow()));
    this.register(new vscode.Disposable(() => clearTimeout(this.#timer)));
    this.#follow();
  }

  /** Counts again what the filter shows, in a moment. @param user whose rows are counted; undefined when no account is signed in. */
  count(user: UserNode | undefined): void {
    this.#user = user;
    if (this.#arrangements.current.filter !== '') {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#texts.showFilter(this.#text());
      }, COUNT_DELAY_MS);
    }
  }

  #follow(): void {
    const isFiltered = this.#arrangements.current.filter !== '';
    void vscode.commands.executeCommand('setContext', 'appBuild.filtered', isFiltered);
    if (isFiltered) {
      this.count(this.#user);
    } else {
      this.#texts.showFilter(undefined);
    }
  }

  #text(): string | undefined {
    const { filter } = this.#arrangements.current;
    if (filter === '' || this.#user === undefined) {
      return undefined;
    }
    const { shown, total } = countEntries(this.#user);
    return total === 0
      ? vscode.l10n.t('Filter “{0}”: a list is searched once it is open.', filter)
      : vscode.l10n.t('Filter “{0}”: {1} of {2} shown.', filter, shown, total);
  }
}
