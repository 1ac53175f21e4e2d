import { hash } from 'node:crypto';
import * as vscode from 'vscode';
import { label as toLabel } from '../../service-client/index.ts';
import { toPlainText, toSpokenText } from './texts.ts';

/** Presentation of a tree row. Its text may come from the service and is shown verbatim. */
export interface Presentation {
  readonly label: string;
  readonly description?: string | undefined;
  /** Tooltip. Defaults to the label. */
  readonly tooltip?: string | undefined;
  /** Icon. Defaults to the icon of `file` in the file icon theme. */
  readonly icon?: vscode.ThemeIcon | undefined;
  /** File or folder of the row. VS Code decorates it as in the Explorer. */
  readonly file?: vscode.Uri | undefined;
  /** State of an expandable row. Undefined for a leaf. */
  readonly collapsibleState?: 'collapsed' | 'expanded' | undefined;
  /** Text for screen readers. Defaults to the label and description. */
  readonly accessibilityLabel?: string | undefined;
  /** Value of `viewItem` in menu conditions. */
  readonly contextValue: string;
  readonly command?: `appBuild.${string}` | 'vscode.open' | undefined;
}

/**
 * Returns an ID that is unique in a tree. The ID is a hash, because keys such as URLs are long.
 *
 * @param key key that is unique among the siblings.
 */
export function rowId(parentId: string | undefined, key: string): string {
  return hash('sha256', `${parentId ?? ''}\n${key}`, 'base64');
}

/**
 * Creates the tree item for a row.
 *
 * @param id ID that is unique in the tree and stable across refreshes.
 * @param commandArguments arguments of the command that a click runs.
 */
export function treeItem(id: string, shown: Presentation, commandArguments: readonly unknown[]): vscode.TreeItem {
  const { label, description, tooltip, icon, file, collapsibleState, accessibilityLabel, contextValue, command } =
    shown;
  const name = toPlainText(toLabel(label)) || vscode.l10n.t('(no name)');
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const states = { collapsed: Collapsed, expanded: Expanded };
  const item = new vscode.TreeItem(name, collapsibleState === undefined ? None : states[collapsibleState]);
  item.id = id;
  if (description !== undefined && description !== '') {
    item.description = toPlainText(toLabel(description));
  }
  // A string, not a MarkdownString, so that VS Code doesn't render Markdown in it.
  item.tooltip = toPlainText(tooltip ?? label) || name;
  if (icon !== undefined) {
    item.iconPath = icon;
  }
  if (file !== undefined) {
    item.resourceUri = file;
  }
  item.accessibilityInformation = {
    label:
      toPlainText(
        toLabel(toSpokenText(accessibilityLabel === undefined ? [label, description] : [accessibilityLabel])),
      ) || name,
  };
  item.contextValue = contextValue;
  if (command !== undefined) {
    item.command = { title: name, command, arguments: [...commandArguments] };
  }
  return item;
}
