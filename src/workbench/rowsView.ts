import * as vscode from 'vscode';
import { type Sentence, sentence } from '../api/errors/sentence.ts';
import { Disposable } from './disposable.ts';
import { MAX_ROWS } from './limits.ts';
import { localised } from './notifications.ts';
import { plainText, spokenText } from './texts.ts';
import { type Presentation, rowId, treeItem } from './treeItem.ts';

/** A sentence that is translated when it is shown, or a text that is shown as it is, such as the name of a file. */
export type RowText = Sentence | string;

/** Name and color of a codicon, or the icon that the user's file theme has for the row's file. */
export type RowIcon = { readonly id: string; readonly color?: string } | 'fileTheme';

interface RowTarget {
  readonly uri: vscode.Uri;
  readonly range?: vscode.Range | undefined;
  /** From zero, if there's no range. */
  readonly line?: number | undefined;
}

export interface Row<Value = unknown> {
  /** Unique among its siblings, and the same after a refresh. */
  readonly key: string;
  readonly label: RowText;
  readonly notes?: readonly RowText[];
  /** Lines; the label when absent. */
  readonly tooltip?: readonly RowText[];
  readonly icon: RowIcon;
  readonly file?: vscode.Uri;
  /** Read by screen readers; label and notes when absent. */
  readonly spoken?: readonly RowText[];
  /** `viewItem` in the conditions of menus. */
  readonly contextValue?: string;
  readonly opens?: RowTarget | undefined;
  /** The rows below, made when they are shown. A leaf when absent. */
  readonly children?: () => readonly Row<Value>[];
  readonly isExpanded?: boolean;
  /** Without a checkbox when absent. */
  readonly checkbox?: { readonly isChecked: boolean; readonly tooltip: RowText };
  readonly value?: Value;
}

/** The first rows, and behind them one row that has the others below it. */
export function limited<Value>(rows: readonly Row<Value>[]): readonly Row<Value>[] {
  if (rows.length <= MAX_ROWS) {
    return rows;
  }
  const others = rows.slice(MAX_ROWS);
  return [
    ...rows.slice(0, MAX_ROWS),
    {
      key: ' more',
      label: sentence('…and {0} more', others.length),
      icon: { id: 'ellipsis' },
      children: () => limited(others),
    },
  ];
}

/** What a view shows. Its texts are shown as they are written. */
interface RowsContent<Value> {
  readonly rows: readonly Row<Value>[];
  readonly description: string;
  readonly message: RowText;
}

export class RowElement<Value> {
  readonly id: string;
  readonly row: Row<Value>;
  readonly parent: RowElement<Value> | undefined;
  #children: readonly RowElement<Value>[] | undefined;

  /** @param key unique among the siblings. */
  constructor(key: string, row: Row<Value>, parent: RowElement<Value> | undefined) {
    this.id = rowId(parent?.id, key);
    this.row = row;
    this.parent = parent;
  }

  /** Made at the first call: a folder that is not opened costs nothing. */
  get children(): readonly RowElement<Value>[] {
    this.#children ??= elementsOf(this.row.children?.() ?? [], this);
    return this.#children;
  }
}

/** Two rows of one key, such as two findings of the same words, get ids of their own: VS Code would show none of the siblings. */
function elementsOf<Value>(
  rows: readonly Row<Value>[],
  parent: RowElement<Value> | undefined,
): readonly RowElement<Value>[] {
  const uses = new Map<string, number>();
  return limited(rows).map((row) => {
    const before = uses.get(row.key) ?? 0;
    uses.set(row.key, before + 1);
    return new RowElement(before === 0 ? row.key : `${row.key}\n${before}`, row, parent);
  });
}

/** A view whose rows are plain values. The same keys keep their expansion and selection when other rows are shown. */
export class RowsView<Value> extends Disposable implements vscode.TreeDataProvider<RowElement<Value>> {
  readonly #view: vscode.TreeView<RowElement<Value>>;
  readonly #changed = this.register(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #viewId: string;
  #roots: readonly RowElement<Value>[] = [];
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly #checked = this.register(new vscode.EventEmitter<{ readonly value: Value; readonly isChecked: boolean }>());
  /** Fires when the user has checked or unchecked a row. VS Code changes no other checkbox. */
  readonly onDidChangeCheckbox = this.#checked.event;

  /** @param viewId as package.json declares it. */
  constructor(viewId: string) {
    super();
    this.#viewId = viewId;
    this.#view = this.register(
      vscode.window.createTreeView(viewId, { treeDataProvider: this, manageCheckboxStateManually: true }),
    );
    this.register(
      this.#view.onDidChangeCheckboxState(({ items }) => {
        items.forEach(([element, state]) => this.check(element, state === vscode.TreeItemCheckboxState.Checked));
      }),
    );
    this.onDidChangeVisibility = this.#view.onDidChangeVisibility;
  }

  get visible(): boolean {
    return this.#view.visible;
  }

  get description(): string {
    return this.#view.description ?? '';
  }

  get message(): string {
    return this.#view.message ?? '';
  }

  show({ rows, description, message }: RowsContent<Value>): void {
    this.#roots = elementsOf(rows, undefined);
    this.#view.description = plainText(description);
    this.#view.message = plainText(textOfRow(message));
    this.#changed.fire(undefined);
  }

  /** Opens the view, and moves the focus to the row of that key, which is opened. */
  async focus(key: string | undefined): Promise<void> {
    await vscode.commands.executeCommand(`${this.#viewId}.focus`);
    const element = this.#roots.find(({ row }) => row.key === key);
    if (element !== undefined) {
      await this.#view.reveal(element, { select: true, focus: true, expand: true });
    }
  }

  /** What a click on the checkbox of a row does. */
  check({ row: { value } }: Pick<RowElement<Value>, 'row'>, isChecked: boolean): void {
    if (value !== undefined) {
      this.#checked.fire({ value, isChecked });
    }
  }

  /** The value of a row that a command of its menu gets. Any extension can pass anything. */
  valueOfRow(element: unknown): Value | undefined {
    return element instanceof RowElement ? (element as RowElement<Value>).row.value : undefined;
  }

  /** Toggles the checkbox of a row, by its context menu, which the keyboard reaches. Any extension can pass anything. */
  toggle(element: unknown): void {
    const row = element instanceof RowElement ? (element as RowElement<Value>).row : undefined;
    if (row?.checkbox !== undefined) {
      this.check({ row }, !row.checkbox.isChecked);
    }
  }

  getTreeItem({ id, row }: RowElement<Value>): vscode.TreeItem {
    const { label, notes = [], tooltip, icon, file, spoken, contextValue, opens, children, isExpanded, checkbox } = row;
    const shown: Presentation = {
      label: textOfRow(label),
      description: notes.map(textOfRow).join(' · '),
      tooltip: tooltip?.map(textOfRow).join('\n'),
      icon: themeIcon(icon),
      file,
      collapsibleState: children === undefined ? undefined : isExpanded ? 'expanded' : 'collapsed',
      accessibilityLabel: spoken && spokenText(spoken.map(textOfRow)),
      contextValue: contextValue ?? (checkbox === undefined ? '' : 'checkbox;'),
      command: opens && 'vscode.open',
    };
    const item = treeItem(id, shown, opens === undefined ? [] : openArguments(opens));
    if (checkbox !== undefined) {
      const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
      const tooltip = plainText(textOfRow(checkbox.tooltip));
      item.checkboxState = {
        state: checkbox.isChecked ? Checked : Unchecked,
        tooltip,
        accessibilityInformation: { label: `${plainText(textOfRow(label))}, ${tooltip}` },
      };
    }
    return item;
  }

  getChildren(element?: RowElement<Value>): RowElement<Value>[] {
    return [...(element?.children ?? this.#roots)];
  }

  getParent({ parent }: RowElement<Value>): RowElement<Value> | undefined {
    return parent;
  }
}

function textOfRow(text: RowText): string {
  return typeof text === 'string' ? text : localised(text);
}

function themeIcon(icon: RowIcon): vscode.ThemeIcon | undefined {
  if (icon === 'fileTheme') {
    return undefined;
  }
  const { id, color } = icon;
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}

function openArguments({ uri, range, line }: RowTarget): unknown[] {
  const selection = range ?? (line === undefined ? undefined : new vscode.Range(line, 0, line, 0));
  return [uri, { preview: true, ...(selection !== undefined && { selection }) }];
}
