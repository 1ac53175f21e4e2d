import * as vscode from 'vscode';
import { hasWords, inOrder, wordsOf } from './arrangement.ts';
import { ExpandableNode } from './expandableNode.ts';
import { NoteNode } from './noteNode.ts';
import { withAncestors, type TreeNode } from './treeNode.ts';
import { UserNode } from './resourceNode.ts';

/** How many entries of the lists that are loaded a filter shows. */
interface FilterCount {
  readonly shown: number;
  readonly total: number;
}

/**
 * The rows below one, as they are arranged. Nothing is loaded for that. A row is shown when its own words and those of the
 * rows above it have all words of the filter, and when a loaded row below it is; with a row that fits, all below it is shown.
 */
export function shownRows(parent: TreeNode, rows: readonly TreeNode[]): readonly TreeNode[] {
  if (!(parent instanceof ExpandableNode)) {
    return rows;
  }
  const { filter, order } = parent.context.arrangement;
  const sorted = inOrder(rows, ({ entry }) => entry, order, vscode.env.language);
  const words = wordsOf(filter);
  if (words.length === 0 || !isFiltered(parent)) {
    return sorted;
  }
  const path = pathText(parent);
  const shown = sorted.filter((row) => row.staysVisible() || fits(row, path, words));
  const showsNone = shown.every((row) => row.staysVisible() && !(row instanceof ExpandableNode));
  return shown.length < sorted.length && showsNone ? [NoteNode.nothingFits(parent, filter), ...shown] : shown;
}

/** True for a row that its parents show. */
export function isShown(row: TreeNode): boolean {
  return [...withAncestors(row)].every(({ parent }, index, path) => {
    const each = path[index];
    return parent === undefined || each === undefined || shownRows(parent, [each]).includes(each);
  });
}

/** Counts the entries of lists that a filter has been compared with: those below one that fits are not. */
export function countEntries(user: ExpandableNode): FilterCount {
  const words = wordsOf(user.context.arrangement.filter);
  let [shown, total] = [0, 0];
  const count = (parent: ExpandableNode, path: string): void => {
    for (const row of parent.loadedChildren) {
      if (row.entry !== undefined) {
        total += 1;
        shown += row.staysVisible() || fits(row, path, words) ? 1 : 0;
      }
      const below = `${path}\n${row.searchText}`;
      if (row instanceof ExpandableNode && !hasWords(below, words)) {
        count(row, below);
      }
    }
  };
  count(user, '');
  return { shown, total };
}

/**
 * The list in which a filter finds something first, below its parents. What is not loaded yet is, one list after the other.
 *
 * @returns none when nothing is found.
 */
export async function listsToOpen(parent: ExpandableNode): Promise<readonly ExpandableNode[]> {
  const lists = parent.expandableChildren.filter((row) => row.staysVisible() && row.entry === undefined);
  for (const list of lists) {
    const rows = shownRows(list, await list.getChildren());
    const below = rows.some((row) => !row.staysVisible()) ? [] : await listsToOpen(list);
    if (below.length > 0 || rows.some((row) => !row.staysVisible())) {
      return [list, ...below];
    }
  }
  return [];
}

/** A folder of the workspace stays as it is, and so does what builds: what a filter searches is what the user has. */
function isFiltered(parent: ExpandableNode): boolean {
  return [...withAncestors(parent)].at(-1) instanceof UserNode;
}

/** The texts of a row and those above it. */
function pathText(row: TreeNode): string {
  return [...withAncestors(row)].map(({ searchText }) => searchText).join('\n');
}

/** @param path texts of the rows above. */
function fits(row: TreeNode, path: string, words: readonly string[]): boolean {
  const text = `${path}\n${row.searchText}`;
  return (
    hasWords(text, words) ||
    (row instanceof ExpandableNode && row.loadedChildren.some((below) => fits(below, text, words)))
  );
}
