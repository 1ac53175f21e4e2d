import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { label } from '../../api/hypermedia/label.ts';
import { plainLines } from './plainText.ts';
import type { Node } from './node.ts';

/** How a row presents itself. Every text in it may come from the service: none is more than text. */
export interface Look {
  readonly label: string;
  readonly description?: string | undefined;
  readonly tooltip?: string | undefined;
  readonly icon: vscode.ThemeIcon;
  /** A leaf when absent. */
  readonly opens?: 'collapsed' | 'expanded';
  /** What a screen reader says; label and description when absent. */
  readonly spoken?: string | undefined;
  /** `viewItem` in the conditions of menus. */
  readonly context: string;
  /** What a click does; the command gets the node. */
  readonly command?: `appBuild.${string}` | undefined;
}

/** Longer keys, such as addresses of signed links, would make the ids below them long as well. */
const longestKey = 200;

/** A row that shows a value. */
export abstract class Row<Value> implements Node {
  readonly id: string;
  readonly parent: Node | undefined;
  #value: Value;

  /** @param key tells the node apart from its siblings. */
  constructor(parent: Node | undefined, key: string, value: Value) {
    const short = key.length > longestKey ? createHash('sha256').update(key).digest('base64') : key;
    this.id = `${parent?.id ?? ''}\n${short}`;
    this.parent = parent;
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  abstract look(): Look;

  item(): vscode.TreeItem {
    const { label: text, description, tooltip, icon, opens, spoken, context, command } = this.look();
    const name = label(text) || vscode.l10n.t('(no name)');
    const state = opens === undefined ? 'None' : opens === 'collapsed' ? 'Collapsed' : 'Expanded';
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState[state]);
    item.id = this.id;
    if (description !== undefined && description !== '') {
      item.description = label(description);
    }
    // A plain string: VS Code renders no Markdown and no icons in it.
    item.tooltip = plainLines(tooltip ?? text);
    item.iconPath = icon;
    item.accessibilityInformation = { label: label(spoken ?? [text, description].filter(Boolean).join(', ')) || name };
    item.contextValue = context;
    if (command !== undefined) {
      item.command = { command, title: name, arguments: [this] };
    }
    return item;
  }

  adopt(newer: Node): readonly Node[] | undefined {
    if (!(newer instanceof Row) || newer.constructor !== this.constructor) {
      return undefined;
    }
    const before = JSON.stringify(this.look());
    this.#value = (newer as Row<Value>).value;
    return JSON.stringify(this.look()) === before ? [] : [this];
  }
}
