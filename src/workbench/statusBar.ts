import * as vscode from 'vscode';
import { Disposable } from './disposable.ts';
import { plainText } from './texts.ts';

/** What an item of the status bar shows. Its texts are shown as they are written. */
export interface StatusBarContent {
  /** Name of a codicon, such as `sync~spin`. */
  readonly icon: string;
  readonly text: string;
  readonly tooltip: string;
  readonly accessibleText: string;
}

/** An item of the status bar, hidden while it has nothing to say. */
export class StatusBarItem extends Disposable {
  readonly #item: vscode.StatusBarItem;

  /** @param name in the menu that hides items. @param command what a click runs. */
  constructor(id: string, name: string, command: `appBuild.${string}`) {
    super();
    this.#item = this.register(vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left));
    this.#item.name = name;
    this.#item.command = command;
  }

  /** @param content undefined hides it. */
  show(content: StatusBarContent | undefined): void {
    if (content === undefined) {
      this.#item.hide();
      return;
    }
    const { icon, text, tooltip, accessibleText } = content;
    this.#item.text = `$(${icon}) ${plainText(text)}`;
    this.#item.tooltip = plainText(tooltip);
    this.#item.accessibilityInformation = { label: plainText(accessibleText) };
    this.#item.show();
  }
}
