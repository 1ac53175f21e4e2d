import * as vscode from 'vscode';
import { AppNode } from '../../apps/rows/appNode.ts';
import { deleteAppOf, foldersWithout, type DeleteAppDependencies } from '../app/deleteApp.ts';
import type { CommandDependencies } from '../dependencies.ts';
import type { SelectedRows } from './selectedRows.ts';
import { nameList, runEach, tellNothingToDo, tellOutcome } from './severalTasks.ts';

/**
 * Deletes the apps of some rows, when the person agrees, and what this extension remembers of them.
 *
 * @throws CancelledError; BuildServiceError
 */
export async function deleteApps(
  dependencies: DeleteAppDependencies & Pick<CommandDependencies, 'log'>,
  { rows, leftOut }: SelectedRows,
): Promise<void> {
  const { connections, apps, input, tree } = dependencies;
  const connection = await connections.requireSignedIn();
  // The row of a folder and that of its app are of one app.
  const chosen = new Map(rows.flatMap((row) => (row instanceof AppNode ? [[row.url, titleOf(row)]] : [])));
  if (chosen.size === 0) {
    tellNothingToDo(dependencies);
    return;
  }
  const paths = [...chosen.keys()].flatMap((url) => foldersWithout(apps, url, connection).paths);
  const detail = [
    nameList([...chosen.values()]),
    vscode.l10n.t(
      'Their packages, builds, logs and collaborators are deleted at {0}. Signing keys stay. This cannot be undone.',
      new URL(connection.service.url.href).host,
    ),
    ...(paths.length === 0
      ? []
      : [
          vscode.l10n.t(
            'Folders that are built as one of them stay as they are, without an app: {0}',
            paths.join(', '),
          ),
        ]),
  ];
  const question =
    chosen.size === 1
      ? vscode.l10n.t('Delete “{0}”?', [...chosen.values()].join(''))
      : vscode.l10n.t('Delete {0} apps?', chosen.size);
  if (!(await input.confirm(question, detail.join('\n\n'), vscode.l10n.t('Delete Apps')))) {
    return;
  }
  const calls = apps.callsOf(connection);
  const tasks = [...chosen].map(([url, name]) => ({
    name,
    run: async (signal: AbortSignal) => {
      await deleteAppOf(dependencies, connection, await calls.get(url, { signal }), signal);
      return url;
    },
  }));
  const outcome = await runEach(vscode.l10n.t('Deleting apps'), tasks);
  const text = vscode.l10n.t('Apps deleted: {0} of {1}.', outcome.results.length, outcome.total);
  tellOutcome(dependencies, outcome, { text, leftOut });
  await tree.refresh();
}

function titleOf(row: AppNode): string {
  const { app, value } = row;
  return app === undefined || app.title === '' ? value.label : app.title;
}
