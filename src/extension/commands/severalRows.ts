import * as vscode from 'vscode';
import { BuildServiceError, CancelledError } from '../../errors/index.ts';
import { TreeNode } from '../resources/tree/treeNode.ts';
import { MAX_NAMED } from '../workbench/limits.ts';
import { describeFailure, type NotificationButton } from '../workbench/notifications.ts';
import { withCallProgress, withProgress } from '../workbench/progress.ts';
import type { CommandDependencies } from './dependencies.ts';

interface RowTask<Result> {
  /** Name of the subject, such as the title of an app. */
  readonly name: string;
  /**
   * @param report receives the progress.
   * @returns undefined if the user canceled.
   */
  readonly run: (signal: AbortSignal, report: (text: string) => void) => Promise<Result | undefined>;
}

interface RowsOutcome<Result> {
  readonly results: readonly Result[];
  readonly failures: readonly { readonly name: string; readonly error: unknown }[];
  readonly total: number;
}

/**
 * Runs tasks one at a time, with a shared progress notification. If a task fails, the others still run. An expired session or *Cancel*
 * stops all of them.
 *
 * @throws CancelledError if no task finished.
 */
export async function runEach<Result>(title: string, tasks: readonly RowTask<Result>[]): Promise<RowsOutcome<Result>> {
  const [only, ...others] = tasks;
  if (only !== undefined && others.length === 0) {
    const result = await withCallProgress(title, only.run);
    return { results: result === undefined ? [] : [result], failures: [], total: 1 };
  }
  const results: Result[] = [];
  const failures: { readonly name: string; readonly error: unknown }[] = [];
  const increment = 100 / tasks.length;
  await withProgress({ notification: title }, async (signal, report) => {
    for (const [index, { name, run }] of tasks.entries()) {
      const position = vscode.l10n.t('{0} of {1}: {2}', index + 1, tasks.length, name);
      report(position, index === 0 ? {} : { increment });
      try {
        const result = await run(signal, (text) => report([position, text].join(' · ')));
        if (result !== undefined) {
          results.push(result);
        }
      } catch (error) {
        if (error instanceof CancelledError) {
          break;
        }
        failures.push({ name, error });
        if (error instanceof BuildServiceError && error.kind === 'unauthorized') {
          break;
        }
      }
      if (signal.aborted) {
        break;
      }
    }
  });
  if (results.length === 0 && failures.length === 0) {
    throw new CancelledError();
  }
  return { results, failures, total: tasks.length };
}

/**
 * Shows the outcome of tasks in a single notification. If all of them succeeded and there are no buttons, uses the status bar.
 *
 * @param text summary of the completed tasks.
 * @param leftOut number of selected rows without a task.
 */
export function showOutcome(
  { log, notifications }: CommandDependencies,
  { results, failures, total }: RowsOutcome<unknown>,
  { text, leftOut, buttons = [] }: { text: string; leftOut: number; buttons?: readonly NotificationButton[] },
): void {
  for (const { name, error } of failures) {
    log.error(name, error);
  }
  const lines = [text, ...failures.slice(0, MAX_NAMED).map(failureText), ...moreText(failures.length - MAX_NAMED)];
  const message = [...lines, ...leftOutText(leftOut)].join('\n');
  if (failures.length > 0) {
    notifications.warning(message, ...buttons, { title: vscode.l10n.t('Show Log'), run: () => log.show() });
  } else if (results.length < total || leftOut > 0 || buttons.length > 0) {
    notifications.information(message, ...buttons);
  } else {
    notifications.done(text);
  }
}

interface RowsDeletion {
  /** Returns the address and name of the item to delete if no rows are selected. */
  readonly askForOne: () => Promise<readonly [url: string, name: string]>;
  /** Returns the address and name of a row's item. Two rows with the same address are one item. */
  readonly getRowName: (row: TreeNode) => readonly [url: string, name: string] | undefined;
  /** Returns the question of the confirmation, and the consequences of deleting. @param names names of the items by address. */
  readonly textsFor: (names: ReadonlyMap<string, string>) => { readonly question: string; readonly loss: string };
  readonly remove: (url: string, signal: AbortSignal) => Promise<void>;
}

/**
 * Deletes items if the user agrees. Refreshes the tree, even after a failure.
 *
 * @param selection undefined if the command deletes a single item.
 */
export async function deleteEach(
  dependencies: CommandDependencies,
  selection: SelectedRows | undefined,
  { askForOne, getRowName, textsFor, remove }: RowsDeletion,
): Promise<void> {
  const found = selection === undefined ? [await askForOne()] : selection.rows.map(getRowName);
  const names = new Map(found.filter((each) => each !== undefined));
  const [first, ...others] = names.values();
  if (first === undefined) {
    showNothingToDo(dependencies);
    return;
  }
  const { question, loss } = textsFor(names);
  const detail = others.length === 0 ? loss : [nameList([...names.values()]), loss].join('\n\n');
  await dependencies.input.confirmOrCancel(question, detail, vscode.l10n.t('Delete'));
  const tasks = [...names].map(([url, name]) => ({
    name,
    run: async (signal: AbortSignal) => {
      await remove(url, signal);
      return name;
    },
  }));
  const title = others.length === 0 ? vscode.l10n.t('Deleting “{0}”', first) : vscode.l10n.t('Deleting');
  try {
    const outcome = await runEach(title, tasks);
    const text =
      others.length === 0
        ? vscode.l10n.t('“{0}” was deleted.', first)
        : vscode.l10n.t('Deleted: {0} of {1}.', outcome.results.length, outcome.total);
    showOutcome(dependencies, outcome, { text, leftOut: selection?.leftOut ?? 0 });
  } finally {
    await dependencies.tree.refresh();
  }
}

/** Shows a message that the command can't act on any of the selected rows. */
export function showNothingToDo({ notifications }: CommandDependencies): void {
  notifications.information(vscode.l10n.t('This can’t be done with any of the selected rows.'));
}

function nameList(names: readonly string[]): string {
  return [...names.slice(0, MAX_NAMED).map((name) => `• ${name}`), ...moreText(names.length - MAX_NAMED)].join('\n');
}

function failureText({ name, error }: { readonly name: string; readonly error: unknown }): string {
  return vscode.l10n.t('{0}: {1}', name, describeFailure(error));
}

function moreText(count: number): readonly string[] {
  return count > 0 ? [vscode.l10n.t('… and {0} more', count)] : [];
}

function leftOutText(count: number): readonly string[] {
  if (count === 0) {
    return [];
  }
  return [
    count === 1
      ? vscode.l10n.t('One selected row was skipped because this can’t be done with it.')
      : vscode.l10n.t('{0} selected rows were skipped because this can’t be done with them.', count),
  ];
}

/** Selected rows that a command can act on. */
export interface SelectedRows {
  readonly rows: readonly TreeNode[];
  /** Number of selected rows that the command can't act on. */
  readonly leftOut: number;
}

/**
 * Returns the selected rows that a command can act on. VS Code passes the clicked row. If that row is part of a multiple
 * selection, VS Code also passes all selected rows.
 *
 * @param able matches the `viewItem` of suitable rows, as in the menu.
 * @returns undefined if the command acts on the clicked row alone.
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
