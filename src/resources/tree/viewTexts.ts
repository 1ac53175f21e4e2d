import type * as vscode from 'vscode';
import type { Connection, Connections } from '../../auth/connection.ts';
import { showConnection } from './connectionTexts.ts';

/** The title, the message and the welcome texts of the Resources view. */
export class ViewTexts {
  readonly #view: Pick<vscode.TreeView<unknown>, 'description' | 'message'>;
  readonly #connections: Connections;
  #connection: Connection | undefined;
  #failure: unknown;
  #filterText: string | undefined;
  /** Counts the questions for the connection. */
  #questions = 0;

  constructor(view: Pick<vscode.TreeView<unknown>, 'description' | 'message'>, connections: Connections) {
    this.#view = view;
    this.#connections = connections;
  }

  /**
   * The connection in use. The texts follow it, unless somebody has asked again meanwhile: although nobody may look at the view,
   * the walkthrough goes by them.
   */
  async currentConnection(): Promise<Connection> {
    const question = ++this.#questions;
    const connection = await this.#connections.current();
    if (question === this.#questions) {
      this.showConnection(connection);
    }
    return connection;
  }

  /** Has them follow the connection. @param failure why nothing of the account can be shown; the view's only row says it. */
  showConnection(connection: Connection, failure?: unknown): void {
    this.#connection = connection;
    this.#failure = failure;
    this.#show();
  }

  /** @param text what a filter hides; undefined without one. */
  showFilter(text: string | undefined): void {
    this.#filterText = text;
    this.#show();
  }

  #show(): void {
    if (this.#connection !== undefined) {
      showConnection(this.#view, this.#connection, this.#failure, this.#filterText);
    }
  }
}
