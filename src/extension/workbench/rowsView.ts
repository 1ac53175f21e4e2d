import * as vscode from 'vscode';
import { type Sentence, sentence } from '../../errors/index.ts';
import { Disposable } from './disposable.ts';
import { MAX_ROWS } from './limits.ts';
import { localize } from './notifications.ts';
import { toPlainText, toSpokenText } from './texts.ts';
import { type Presentation, rowId, treeItem } from './treeItem.ts';

/** Sentence that is translated when shown, or a string that is shown verbatim, such as a file name. */
export type ViewRowText = Sentence | string;

/** Name and color of a codicon, or `fileTheme` for the icon of the row's file in the user's file icon theme. */
export type RowIcon = { readonly id: string; readonly color?: string } | 'fileTheme';

interface RowTarget {
  readonly uri: vscode.Uri;
  readonly range?: vscode.Range | undefined;
  /** Zero-based line, used if `range` is missing. */
  readonly line?: number | undefined;
}

/** Row of a {@link RowsView}. */
export interface ViewRow<Value = unknown> {
  /** Key that is unique among the siblings and stable across refreshes. */
  readonly key: string;
  readonly label: ViewRowText;
  readonly notes?: readonly ViewRowText[];
  /** Lines of the tooltip. Defaults to the label. */
  readonly tooltip?: readonly ViewRowText[];
  readonly icon: RowIcon;
  readonly file?: vscode.Uri;
  /** Text for screen readers. Defaults to the label and notes. */
  readonly spoken?: readonly ViewRowText[];
  /** Value of `viewItem` in menu conditions. */
  readonly contextValue?: string;
  readonly opens?: RowTarget | undefined;
  /** Creates the child rows when they're shown. Undefined for a leaf. */
  readonly children?: () => readonly ViewRow<Value>[];
  readonly isExpanded?: boolean;
  /** Checkbox of the row. Undefined if the row has none. */
  readonly checkbox?: { readonly isChecked: boolean; readonly tooltip: ViewRowText };
  readonly value?: Value;
}

/** Returns the first rows, followed by one row that contains the others. */
export function limitRows<Value>(rows: readonly ViewRow<Value>[]): readonly ViewRow<Value>[] {
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
      children: () => limitRows(others),
    },
  ];
}

/** Content of a view. Its text is shown verbatim. */
interface RowsContent<Value> {
  readonly rows: readonly ViewRow<Value>[];
  readonly description: string;
  readonly message: ViewRowText;
}

/** Element of the view for a row. */
export class RowElement<Value> {
  readonly id: string;
  readonly row: ViewRow<Value>;
  readonly parent: RowElement<Value> | undefined;
  #children: readonly RowElement<Value>[] | undefined;

  /** @param key key that is unique among the siblings. */
  constructor(key: string, row: ViewRow<Value>, parent: RowElement<Value> | undefined) {
    this.id = rowId(parent?.id, key);
    this.row = row;
    this.parent = parent;
  }

  /** Child elements, created on first access, so that collapsed folders cost nothing. */
  get children(): readonly RowElement<Value>[] {
    this.#children ??= toElements(this.row.children?.() ?? [], this);
    return this.#children;
  }
}

/**
 * Creates the elements for rows. Rows with equal keys, such as findings with the same text, get different IDs. If IDs
 * were equal, VS Code wouldn't show any of the siblings.
 */
function toElements<Value>(
  rows: readonly ViewRow<Value>[],
  parent: RowElement<Value> | undefined,
): readonly RowElement<Value>[] {
  const uses = new Map<string, number>();
  return limitRows(rows).map((row) => {
    const before = uses.get(row.key) ?? 0;
    uses.set(row.key, before + 1);
    return new RowElement(before === 0 ? row.key : `${row.key}\n${before}`, row, parent);
  });
}

/** View whose rows are plain values. Rows keep their expansion and selection when new rows have the same keys. */
export class RowsView<Value> extends Disposable implements vscode.TreeDataProvider<RowElement<Value>> {
  readonly #view: vscode.TreeView<RowElement<Value>>;
  readonly #changed = this.register(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #viewId: string;
  #roots: readonly RowElement<Value>[] = [];
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly #checked = this.register(new vscode.EventEmitter<{ readonly value: Value; readonly isChecked: boolean }>());
  /** Fires when the user checks or unchecks a row. VS Code doesn't change other checkboxes. */
  readonly onDidChangeCheckbox = this.#checked.event;

  /** @param viewId ID from package.json. */
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

  /** Replaces the content of the view. */
  show({ rows, description, message }: RowsContent<Value>): void {
    this.#roots = toElements(rows, undefined);
    this.#view.description = toPlainText(description);
    this.#view.message = toPlainText(getRowText(message));
    this.#changed.fire(undefined);
  }

  /** Opens the view, focuses the row with the key, and expands it. */
  async focus(key: string | undefined): Promise<void> {
    await vscode.commands.executeCommand(`${this.#viewId}.focus`);
    const element = this.#roots.find(({ row }) => row.key === key);
    if (element !== undefined) {
      await this.#view.reveal(element, { select: true, focus: true, expand: true });
    }
  }

  /** Handles a click on a row's checkbox. */
  check({ row: { value } }: Pick<RowElement<Value>, 'row'>, isChecked: boolean): void {
    if (value !== undefined) {
      this.#checked.fire({ value, isChecked });
    }
  }

  /**
   * Returns the value of a row for a command in its menu. The argument is untrusted: any extension can pass any value.
   */
  getRowValue(element: unknown): Value | undefined {
    return element instanceof RowElement ? (element as RowElement<Value>).row.value : undefined;
  }

  /**
   * Toggles the checkbox of a row from its context menu, which is accessible by keyboard. The argument is untrusted:
   * any extension can pass any value.
   */
  toggle(element: unknown): void {
    const row = element instanceof RowElement ? (element as RowElement<Value>).row : undefined;
    if (row?.checkbox !== undefined) {
      this.check({ row }, !row.checkbox.isChecked);
    }
  }

  getTreeItem({ id, row }: RowElement<Value>): vscode.TreeItem {
    const { label, notes = [], tooltip, icon, file, spoken, contextValue, opens, children, isExpanded, checkbox } = row;
    const shown: Presentation = {
      label: getRowText(label),
      description: notes.map(getRowText).join(' · '),
      tooltip: tooltip?.map(getRowText).join('\n'),
      icon: themeIcon(icon),
      file,
      collapsibleState: children === undefined ? undefined : isExpanded ? 'expanded' : 'collapsed',
      accessibilityLabel: spoken && toSpokenText(spoken.map(getRowText)),
      contextValue: contextValue ?? (checkbox === undefined ? '' : 'checkbox;'),
      command: opens && 'vscode.open',
    };
    const item = treeItem(id, shown, opens === undefined ? [] : openArguments(opens));
    if (checkbox !== undefined) {
      const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
      const tooltip = toPlainText(getRowText(checkbox.tooltip));
      item.checkboxState = {
        state: checkbox.isChecked ? Checked : Unchecked,
        tooltip,
        accessibilityInformation: { label: `${toPlainText(getRowText(label))}, ${tooltip}` },
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

function getRowText(text: ViewRowText): string {
  return typeof text === 'string' ? text : localize(text);
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
