import * as vscode from 'vscode';
import { requireOperation } from '../apps/model/operation.ts';
import { AppNode } from '../apps/rows/appNode.ts';
import type { SignedInConnection } from '../auth/connection.ts';
import type { Apps } from '../builds/apps.ts';
import { pathOfUri } from '../builds/chooseApp.ts';
import { listText } from '../workbench/texts.ts';
import type { CommandDependencies } from './dependencies.ts';
import { deleteEach, nameList, selectedRows, showNothingToDo } from './severalRows.ts';
import { askForApp } from './wizard/appSubject.ts';

/** Deletes an app, or the apps of several rows, if the user agrees, and everything that this extension remembers about them. */
export async function deleteApps(
  dependencies: CommandDependencies,
  argument: unknown,
  selected?: unknown,
): Promise<void> {
  const { connections, apps } = dependencies;
  const selection = selectedRows(argument, selected, /^app;(.*;)?delete;/);
  const connection = await connections.requireSignedIn();
  const titles =
    selection === undefined
      ? await titleOfNamedApp(dependencies, argument)
      : // The row of a folder and that of its app are of one app.
        new Map(selection.rows.flatMap((row) => (row instanceof AppNode ? [[row.url, titleOfRow(row)]] : [])));
  if (titles.size === 0) {
    showNothingToDo(dependencies);
    return;
  }
  const host = connection.service.url.host;
  const paths = [...titles.keys()].flatMap((url) => apps.folders.foldersOf(url, connection).map(pathOfUri));
  const [title = ''] = titles.values();
  const isOne = titles.size === 1;
  const detail = isOne
    ? [
        vscode.l10n.t(
          'Its package, builds, logs and collaborators are deleted at {0}. Signing keys stay. This cannot be undone.',
          host,
        ),
        vscode.l10n.t('Folders that are built as it stay as they are, without an app: {0}', listText(paths)),
      ]
    : [
        `${nameList([...titles.values()])}\n\n${vscode.l10n.t(
          'Their packages, builds, logs and collaborators are deleted at {0}. Signing keys stay. This cannot be undone.',
          host,
        )}`,
        vscode.l10n.t('Folders that are built as one of them stay as they are, without an app: {0}', listText(paths)),
      ];
  await deleteEach(dependencies, {
    names: titles,
    leftOut: selection?.leftOut ?? 0,
    question: isOne ? vscode.l10n.t('Delete “{0}”?', title) : vscode.l10n.t('Delete {0} apps?', titles.size),
    detail: detail.slice(0, paths.length === 0 ? 1 : 2).join('\n\n'),
    action: isOne ? vscode.l10n.t('Delete App') : vscode.l10n.t('Delete Apps'),
    title: isOne ? vscode.l10n.t('Deleting “{0}”', title) : vscode.l10n.t('Deleting apps'),
    done: (deleted: number) =>
      isOne
        ? vscode.l10n.t('“{0}” is deleted.', title)
        : vscode.l10n.t('Apps deleted: {0} of {1}.', deleted, titles.size),
    remove: (url, signal) => deleteApp(apps, connection, url, signal),
  });
}

async function titleOfNamedApp(
  dependencies: CommandDependencies,
  argument: unknown,
): Promise<ReadonlyMap<string, string>> {
  const { app } = await askForApp(dependencies, argument, vscode.l10n.t('Delete App'));
  requireOperation(app, 'delete');
  return new Map([[app.url, app.title]]);
}

async function deleteApp(apps: Apps, connection: SignedInConnection, url: string, signal: AbortSignal): Promise<void> {
  const calls = apps.callsOf(connection);
  const app = await calls.get(url, { signal });
  const folders = apps.folders.foldersOf(url, connection);
  await calls.delete(app, { signal });
  apps.watcher.stop(url);
  await apps.buildInputs.set(url, connection, undefined);
  for (const folder of folders) {
    await apps.folders.set(folder, connection, undefined);
  }
}

function titleOfRow({ app, value }: AppNode): string {
  return app === undefined || app.title === '' ? value.label : app.title;
}
