import * as vscode from 'vscode';
import { Disposable } from './disposable.ts';
import { toPlainText } from './texts.ts';

/** Content of a status bar item. Its text is shown verbatim. */
export interface StatusBarContent {
  /** Name of a codicon, such as `sync~spin`. */
  readonly icon: string;
  readonly text: string;
  readonly tooltip: string;
  readonly accessibleText: string;
}

/** Status bar item that is hidden while it has no content. */
export class StatusBarItem extends Disposable {
  readonly #item: vscode.StatusBarItem;

  /**
   * @param name name in the menu for hiding items.
   * @param command command that a click runs.
   */
  constructor(id: string, name: string, command: `appBuild.${string}`) {
    super();
    this.#item = this.register(vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left));
    this.#item.name = name;
    this.#item.command = command;
  }

  /** Shows the content. Undefined hides the item. */
  show(content: StatusBarContent | undefined): void {
    if (content === undefined) {
      this.#item.hide();
      return;
    }
    const { icon, text, tooltip, accessibleText } = content;
    this.#item.text = `$(${icon}) ${toPlainText(text)}`;
    this.#item.tooltip = toPlainText(tooltip);
    this.#item.accessibilityInformation = { label: toPlainText(accessibleText) };
    this.#item.show();
  }
}
