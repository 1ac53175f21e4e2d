import * as vscode from 'vscode';
import { CreateNotOfferedError } from '../../apps/appErrors.ts';
import type { Apps } from '../../builds/apps.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import type { App } from '../../apps/model/app.ts';
import { startedBuilds } from '../../apps/model/startedBuilds.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../../workbench/progress.ts';
import { listText } from '../../workbench/values.ts';
import type { RequestedBuild } from '../build/buildApp.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { readyToSend } from '../wizard/files.ts';
import { askForNewApp, type AppSource, type NewApp } from './newApp.ts';
import { withUploadProgress } from './uploadProgress.ts';

export interface CreateAppDependencies extends Pick<
  CommandDependencies,
  'connections' | 'input' | 'notifications' | 'tree'
> {
  readonly apps: Apps;
}

/**
 * Creates an app from a folder, a package or a repository; builds and watches it, and shows it in the tree.
 *
 * @returns undefined when the person decided otherwise.
 * @throws BuildServiceError; CancelledError when a question is closed.
 */
export async function createApp(dependencies: CreateAppDependencies): Promise<RequestedBuild | undefined> {
  const { connections, apps, input } = dependencies;
  const connection = await connections.requireSignedIn();
  const calls = apps.callsOf(connection);
  const answers = await askForNewApp(input, await sourcesOf(calls, connection));
  if (answers.source === 'folder') {
    return answers.folder && createFromFolder(dependencies, connection, answers.folder);
  }
  const created = await create(calls, answers);
  const started = startedBuilds(undefined, created);
  const app = started.length === 0 ? await calls.build(created) : created;
  const platforms = started.length === 0 ? startedBuilds(undefined, app) : started;
  apps.watcher.watch(app, platforms);
  return show(dependencies, app, platforms);
}

/** What the service, and this window, can make an app from. @throws CreateNotOfferedError when that is nothing. */
async function sourcesOf(calls: AppCalls, connection: SignedInConnection): Promise<readonly AppSource[]> {
  const host = new URL(connection.service.url.href).host;
  const notification = vscode.l10n.t('Asking {0}', host);
  const creations = await withProgress({ notification, delayMs: CALL_PROGRESS_DELAY_MS }, (signal) =>
    calls.creations({ signal }),
  );
  const fromFile = creations.includes('create-from-file');
  const sources: readonly AppSource[] = [
    ...(fromFile && (vscode.workspace.workspaceFolders ?? []).length > 0 ? ['folder' as const] : []),
    ...(fromFile ? ['file' as const] : []),
    ...(creations.includes('create-from-repository') ? ['repository' as const] : []),
  ];
  if (sources.length === 0) {
    throw new CreateNotOfferedError(host);
  }
  return sources;
}

async function create(calls: AppCalls, answers: NewApp): Promise<App> {
  const fields = { ...(answers.title !== '' && { title: answers.title }), private: answers.private };
  if (answers.source === 'repository' || answers.file === undefined) {
    const notification = vscode.l10n.t('The service fetches the repository');
    const tag = answers.tag === '' ? undefined : answers.tag;
    return withProgress({ notification, delayMs: CALL_PROGRESS_DELAY_MS }, (signal) =>
      calls.createFromRepository(answers.repository, tag, fields, { signal }),
    );
  }
  const file = await readyToSend(answers.file);
  return withUploadProgress(vscode.l10n.t('Sending {0}', file.name), file, (options) =>
    calls.createFromFile(file, fields, options),
  );
}

/** Has the folder built as another app than before, if it was built as one. */
async function createFromFolder(
  dependencies: CreateAppDependencies,
  connection: SignedInConnection,
  folder: vscode.WorkspaceFolder,
): Promise<RequestedBuild | undefined> {
  const { apps, input } = dependencies;
  const linked = apps.folders.of(folder.uri, connection);
  if (linked !== undefined) {
    const agreed = await input.confirm(
      vscode.l10n.t('{0} is built as “{1}” already.', folder.name, linked.title),
      vscode.l10n.t('That app stays. The folder is built as the other one from then on.'),
      vscode.l10n.t('Choose Another App'),
      'information',
    );
    if (!agreed) {
      return undefined;
    }
    await apps.folders.set(folder.uri, connection, undefined);
  }
  try {
    const { app, platforms } = await apps.buildFolder(folder);
    return await show(dependencies, app, platforms);
  } finally {
    if (linked !== undefined && apps.folders.of(folder.uri, connection) === undefined) {
      await apps.folders.set(folder.uri, connection, linked);
    }
  }
}

async function show(
  { tree, notifications }: CreateAppDependencies,
  { url, title }: App,
  platforms: readonly string[],
): Promise<RequestedBuild> {
  notifications.done(
    platforms.length > 0
      ? vscode.l10n.t('“{0}” is created, and is being built for {1}.', title, listText(platforms))
      : vscode.l10n.t('“{0}” is created.', title),
  );
  await tree.refresh();
  await tree.reveal(url);
  return { app: url, platforms };
}
