import { hash } from 'node:crypto';
import * as vscode from 'vscode';
import { label as toLabel } from '../api/hypermedia/label.ts';
import { plainText, spokenText } from './texts.ts';

/** What a row of a tree shows. Its texts are shown as they are written; they may come from the service. */
export interface Presentation {
  readonly label: string;
  readonly description?: string | undefined;
  /** The label when absent. */
  readonly tooltip?: string | undefined;
  /** That of the file theme when absent, where there is a `file`. */
  readonly icon?: vscode.ThemeIcon | undefined;
  /** The file or folder that the row stands for: VS Code decorates it as it does in the Explorer. */
  readonly file?: vscode.Uri | undefined;
  /** A leaf when absent. */
  readonly collapsibleState?: 'collapsed' | 'expanded' | undefined;
  /** What a screen reader says; label and description when absent. */
  readonly accessibilityLabel?: string | undefined;
  /** `viewItem` in the conditions of menus. */
  readonly contextValue: string;
  readonly command?: `appBuild.${string}` | 'vscode.open' | undefined;
}

/** An id that is unique in a tree. It's a hash, because keys such as URLs are long. @param key unique among the siblings. */
export function rowId(parentId: string | undefined, key: string): string {
  return hash('sha256', `${parentId ?? ''}\n${key}`, 'base64');
}

/**
 * Makes the row that VS Code draws.
 *
 * @param id unique in the tree, and the same after a refresh.
 * @param commandArguments of what a click runs.
 */
export function treeItem(id: string, shown: Presentation, commandArguments: readonly unknown[]): vscode.TreeItem {
  const { label, description, tooltip, icon, file, collapsibleState, accessibilityLabel, contextValue, command } =
    shown;
  const name = plainText(toLabel(label)) || vscode.l10n.t('(no name)');
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const states = { collapsed: Collapsed, expanded: Expanded };
  const item = new vscode.TreeItem(name, collapsibleState === undefined ? None : states[collapsibleState]);
  item.id = id;
  if (description !== undefined && description !== '') {
    item.description = plainText(toLabel(description));
  }
  // A string, not a MarkdownString: VS Code renders no Markdown in it.
  item.tooltip = plainText(tooltip ?? label) || name;
  if (icon !== undefined) {
    item.iconPath = icon;
  }
  if (file !== undefined) {
    item.resourceUri = file;
  }
  item.accessibilityInformation = {
    label:
      plainText(toLabel(spokenText(accessibilityLabel === undefined ? [label, description] : [accessibilityLabel]))) ||
      name,
  };
  item.contextValue = contextValue;
  if (command !== undefined) {
    item.command = { title: name, command, arguments: [...commandArguments] };
  }
  return item;
}
