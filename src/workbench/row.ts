import type * as vscode from 'vscode';
import { sentence, type Sentence } from '../api/errors/sentence.ts';
import { MAX_ROWS } from './limits.ts';

/** A sentence that is translated when it is shown, or a text that is shown as it is, such as the name of a file. */
export type RowText = Sentence | string;

/** Name and colour of a codicon, or the icon that the person's file theme has for the row's file. */
export type RowIcon = { readonly id: string; readonly color?: string } | 'fileTheme';

export interface RowTarget {
  readonly uri: vscode.Uri;
  readonly range?: vscode.Range | undefined;
  /** From zero, where there is no range. */
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
  /** What a screen reader says; label and notes when absent. */
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
