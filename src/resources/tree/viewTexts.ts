import * as vscode from 'vscode';
import type { Connection } from '../../auth/connection.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { Arrangements } from './arrangements.ts';
import { showConnection } from './connectionTexts.ts';
import { countEntries } from './shownRows.ts';
import type { UserNode } from './userNode.ts';

/** Many rows are drawn in one go: what the filter hides is counted once for all of them. */
const COUNT_DELAY_MS = 50;

/** What stands in the title and above the rows of the Resources view, and the context keys of its buttons. */
export class ViewTexts extends Disposable {
  readonly #view: Parameters<typeof showConnection>[0];
  readonly #arrangements: Arrangements;
  #connection: Connection | undefined;
  #user: UserNode | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(view: Parameters<typeof showConnection>[0], arrangements: Arrangements) {
    super();
    this.#view = view;
    this.#arrangements = arrangements;
    this.register(arrangements.onDidChange(() => this.#showFilter()));
    this.register(new vscode.Disposable(() => clearTimeout(this.#timer)));
    this.#showFilter();
  }

  showConnection(connection: Connection): void {
    this.#connection = connection;
    this.#show();
  }

  /** Says how many rows the filter shows, in a moment. @param user what they stand below; undefined when nobody is signed in. */
  count(user: UserNode | undefined): void {
    this.#user = user;
    if (this.#arrangements.current.filter !== '') {
      this.#timer ??= setTimeout(() => this.#show(), COUNT_DELAY_MS);
    }
  }

  #showFilter(): void {
    const isFiltered = this.#arrangements.current.filter !== '';
    void vscode.commands.executeCommand('setContext', 'appBuild.filtered', isFiltered);
    if (isFiltered) {
      this.count(this.#user);
    } else {
      this.#show();
    }
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#connection !== undefined) {
      showConnection(this.#view, this.#connection, this.#filterText());
    }
  }

  #filterText(): string | undefined {
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
