import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { OperationNotOfferedError } from '../../apps/appErrors.ts';
import type { Apps } from '../../builds/apps.ts';
import { chooseFolder } from '../../projects/chooseProject.ts';
import type { App } from '../../apps/model/app.ts';
import { findOperation } from '../../apps/model/operation.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../../workbench/progress.ts';
import type { RequestedBuild } from '../build/buildApp.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { appSubjectOf } from '../wizard/appSubject.ts';
import { askForPackage, readyToSend } from '../wizard/files.ts';
import { askForDetails } from './appDetails.ts';
import { showChange } from './showChange.ts';
import { withUploadProgress } from './uploadProgress.ts';

export interface UpdateAppDependencies extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'> {
  readonly apps: Apps;
}

/**
 * Changes the details of an app, or sends another package of it.
 *
 * @param argument what the app is, as {@link appSubjectOf} reads it.
 * @returns what is being built because of it; undefined when a list is closed.
 * @throws BuildServiceError; CancelledError when a question is closed.
 */
export async function updateApp(
  dependencies: UpdateAppDependencies,
  argument: unknown,
): Promise<RequestedBuild | undefined> {
  const { connections, apps, input } = dependencies;
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Update App');
  const subject = await appSubjectOf(argument, { apps, connection, input, title });
  if (subject === undefined) {
    return undefined;
  }
  const { app } = subject;
  const calls = apps.callsOf(connection);
  const source = await askForSource(dependencies, app);
  switch (source) {
    case undefined:
      return undefined;
    case 'folder': {
      const folder = await chooseFolder(input, title);
      const { platforms } = await apps.buildFolder(folder, { app: app.url });
      apps.presenter.changed(app.url);
      return { app: app.url, platforms };
    }
    case 'file': {
      const uri = await askForPackage(input, vscode.l10n.t('Package of “{0}”', app.title));
      if (uri === undefined) {
        throw new CancelledError();
      }
      const file = await readyToSend(uri);
      const changed = await withUploadProgress(vscode.l10n.t('Sending {0}', file.name), file, (options) =>
        calls.upload(app, file, options),
      );
      return showChange(dependencies, app, changed);
    }
    case 'details': {
      const fields = await askForDetails(input, app);
      const notification = vscode.l10n.t('Updating “{0}”', app.title);
      const changed = await withProgress({ notification, delayMs: CALL_PROGRESS_DELAY_MS }, (signal) =>
        calls.update(app, fields, { signal }),
      );
      return showChange(dependencies, app, changed);
    }
  }
}

/** What of the app changes; without a question when there is one answer. @throws OperationNotOfferedError */
async function askForSource(
  { input }: UpdateAppDependencies,
  app: App,
): Promise<'details' | 'folder' | 'file' | undefined> {
  const offers = (name: 'update' | 'upload') => findOperation(app.resource, name, undefined, app.url) !== undefined;
  const details = {
    icon: 'edit',
    label: vscode.l10n.t('Details…'),
    detail: vscode.l10n.t('Title, description, and how it is built.'),
    source: 'details' as const,
  };
  const folder = {
    icon: 'folder',
    label: vscode.l10n.t('Upload This Folder…'),
    description: vscode.workspace.workspaceFolders?.map(({ name }) => name).join(', ') ?? '',
    source: 'folder' as const,
  };
  const file = { icon: 'file-zip', label: vscode.l10n.t('Upload a Zip File…'), source: 'file' as const };
  const items = [
    ...(offers('update') ? [details] : []),
    ...(offers('upload') && (vscode.workspace.workspaceFolders ?? []).length > 0 ? [folder] : []),
    ...(offers('upload') ? [file] : []),
  ];
  const [first, ...others] = items;
  if (first === undefined) {
    throw new OperationNotOfferedError(app.title);
  }
  return others.length === 0
    ? first.source
    : (
        await input.pick(items, {
          title: vscode.l10n.t('Update “{0}”', app.title),
          placeholder: vscode.l10n.t('What do you want to change?'),
        })
      )?.source;
}
