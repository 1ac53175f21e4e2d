import * as vscode from 'vscode';
import { OperationNotOfferedError } from '../apps/appErrors.ts';
import type { Apps } from '../builds/apps.ts';
import type { App } from '../apps/model/app.ts';
import { findOperation } from '../apps/model/operation.ts';
import type { SignedInConnection } from '../auth/connection.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../workbench/progress.ts';
import { listText } from '../workbench/values.ts';
import type { CommandDependencies } from './dependencies.ts';
import { appSubjectOf } from './wizard/appSubject.ts';
import { AppNode } from '../apps/rows/appNode.ts';
import { type SelectedRows, nameList, runEach, tellNothingToDo, tellOutcome } from './severalRows.ts';

export interface DeleteAppDependencies extends Pick<
  CommandDependencies,
  'connections' | 'input' | 'notifications' | 'tree'
> {
  readonly apps: Apps;
}

/**
 * Deletes an app, when the person agrees, and what this extension remembers of it.
 *
 * @param argument what the app is, as {@link appSubjectOf} reads it.
 * @throws OperationNotOfferedError for an app of somebody else; BuildServiceError
 */
export async function deleteApp(dependencies: DeleteAppDependencies, argument: unknown): Promise<void> {
  const { connections, apps, input, notifications, tree } = dependencies;
  const connection = await connections.requireSignedIn();
  const subject = await appSubjectOf(argument, { apps, connection, input, title: vscode.l10n.t('Delete App') });
  if (subject === undefined) {
    return;
  }
  const { app } = subject;
  requireDelete(app);
  const { paths } = foldersWithout(apps, app.url, connection);
  const loss = vscode.l10n.t(
    'Its package, builds, logs and collaborators are deleted at {0}. Signing keys stay. This cannot be undone.',
    new URL(connection.service.url.href).host,
  );
  const agreed = await input.confirm(
    vscode.l10n.t('Delete “{0}”?', app.title),
    paths.length === 0
      ? loss
      : `${loss}\n\n${vscode.l10n.t('Folders that are built as it stay as they are, without an app: {0}', listText(paths))}`,
    vscode.l10n.t('Delete App'),
  );
  if (!agreed) {
    return;
  }
  await withProgress(
    { notification: vscode.l10n.t('Deleting “{0}”', app.title), delayMs: CALL_PROGRESS_DELAY_MS },
    (signal) => deleteAppOf(dependencies, connection, app, signal),
  );
  notifications.done(vscode.l10n.t('“{0}” is deleted.', app.title));
  await tree.refresh();
}

/**
 * Deletes an app, and what this extension remembers of it.
 *
 * @throws OperationNotOfferedError for an app of somebody else; BuildServiceError
 */
export async function deleteAppOf(
  { apps }: Pick<DeleteAppDependencies, 'apps'>,
  connection: SignedInConnection,
  app: App,
  signal: AbortSignal,
): Promise<void> {
  requireDelete(app);
  const { folders } = foldersWithout(apps, app.url, connection);
  await apps.callsOf(connection).delete(app, { signal });
  apps.watcher.stop(app.url);
  await apps.buildInputs.set(app.url, connection, undefined);
  for (const folder of folders) {
    await apps.folders.set(folder, connection, undefined);
  }
}

/** The folders that are without an app when this one is deleted, and their paths for a person. */
export function foldersWithout(
  apps: Apps,
  appUrl: string,
  connection: SignedInConnection,
): { readonly folders: readonly vscode.Uri[]; readonly paths: readonly string[] } {
  const folders = apps.folders.foldersOf(appUrl, connection);
  return { folders, paths: folders.map((uri) => (uri.scheme === 'file' ? uri.fsPath : uri.path)) };
}

function requireDelete(app: App): void {
  if (findOperation(app.resource, 'delete', undefined, app.url) === undefined) {
    throw new OperationNotOfferedError(app.title);
  }
}

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
