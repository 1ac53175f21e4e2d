import { TreeNode } from '../../resources/tree/treeNode.ts';

/** What of a selection a command acts on. */
export interface SelectedRows {
  readonly rows: readonly TreeNode[];
  /** How many selected rows the command does nothing with. */
  readonly leftOut: number;
}

/**
 * The selected rows that a command acts on. VS Code passes the row that was clicked and, where that is one of several that are
 * selected, all of these.
 *
 * @param able matches the `viewItem` of rows that the command can act on, as its menu does.
 * @returns undefined when the command acts on its first argument alone.
 */
export function selectedRows(clicked: unknown, selected: unknown, able: RegExp): SelectedRows | undefined {
  if (!Array.isArray(selected) || selected.length < 2 || !selected.includes(clicked)) {
    return undefined;
  }
  const rows = selected.filter(
    (row): row is TreeNode => row instanceof TreeNode && able.test(row.present().contextValue),
  );
  return { rows, leftOut: selected.length - rows.length };
}
