import * as vscode from 'vscode';
import { InvalidInputError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { OperationNotOfferedError } from '../apps/appErrors.ts';
import type { App } from '../apps/model/app.ts';
import { findOperation, requireOperation } from '../apps/model/operation.ts';
import { watchChange } from '../builds/startBuild.ts';
import { chooseFolder } from '../projects/chooseProject.ts';
import type { UploadFile } from '../resources/requests/multipart.ts';
import { requireAnswer } from '../workbench/input.ts';
import { withCallProgress } from '../workbench/progress.ts';
import { listText } from '../workbench/texts.ts';
import { askForDetails } from './appDetails.ts';
import type { CommandDependencies } from './dependencies.ts';
import { askForApp } from './wizard/appSubject.ts';
import { packageQuestion, readyToSend, withUploadProgress } from './wizard/upload.ts';

/** Changes the details of an app, or sends another package of it. */
export async function updateApp(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, input } = dependencies;
  const title = vscode.l10n.t('Update App');
  const { app, calls } = await askForApp(dependencies, argument, title);
  switch (await askForSource(dependencies, app)) {
    case 'folder': {
      const folder = await chooseFolder(input, title);
      await apps.buildFolder(folder, { app: app.url });
      apps.presenter.changed(app.url);
      break;
    }
    case 'file': {
      const uri = await input.openFile(packageQuestion(vscode.l10n.t('Package of “{0}”', app.title)));
      const file = await readyToSend(requireAnswer(uri));
      const changed = await withUploadProgress(file, (options) => calls.upload(app, file, options));
      showChange(dependencies, app, changed);
      break;
    }
    case 'details': {
      const fields = await askForDetails(input, app);
      const changed = await withCallProgress(vscode.l10n.t('Updating “{0}”', app.title), (signal) =>
        calls.update(app, fields, { signal }),
      );
      showChange(dependencies, app, changed);
      break;
    }
  }
}

/** What of the app changes; without a question when there is one answer. */
async function askForSource({ input }: CommandDependencies, app: App): Promise<'details' | 'folder' | 'file'> {
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
  if (others.length === 0) {
    return first.source;
  }
  const chosen = await input.pick(items, {
    title: vscode.l10n.t('Update “{0}”', app.title),
    placeholder: vscode.l10n.t('What do you want to change?'),
  });
  return chosen.source;
}

export async function pullApp(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { app, calls } = await askForApp(dependencies, argument, vscode.l10n.t('Pull from Repository'));
  if (app.repository === undefined) {
    throw new InvalidInputError(
      sentence('“{0}” is not made from a repository.', app.title),
      sentence('Upload a folder or a zip file with the command Update App.'),
    );
  }
  const pulled = await withCallProgress(vscode.l10n.t('The service fetches the repository'), (signal) =>
    calls.pull(app, { signal }),
  );
  showChange(dependencies, app, pulled);
}

/** What a PNG file begins with (PNG, Third Edition, §5.2). */
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Gives an app another icon. Services take PNG files, and build the app again. */
export async function setAppIcon(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { app, calls } = await askForApp(dependencies, argument, vscode.l10n.t('Change App Icon'));
  requireOperation(app, 'upload-icon');
  const uri = await dependencies.input.openFile({
    title: vscode.l10n.t('Icon of “{0}”: a PNG File. The App Is Built Again with It', app.title),
    openLabel: vscode.l10n.t('Choose Icon'),
    filters: { [vscode.l10n.t('PNG Images')]: ['png'] },
    folder: vscode.workspace.workspaceFolders?.[0]?.uri,
  });
  const file = await readyToSend(requireAnswer(uri));
  if (!(await isPng(file))) {
    throw new InvalidInputError(
      sentence('{0} is not a PNG file.', file.name),
      sentence('Services take icons as PNG files, square, of 1024 pixels or so.'),
    );
  }
  const changed = await withUploadProgress(file, (options) => calls.setIcon(app, file, options));
  showChange(dependencies, app, changed);
}

async function isPng({ bytes }: UploadFile): Promise<boolean> {
  for await (const piece of bytes()) {
    return PNG_SIGNATURE.equals(piece.subarray(0, PNG_SIGNATURE.length));
  }
  return false;
}

/**
 * Shows that an app was changed, and watches what the service builds because of it.
 *
 * @param before the app before the change.
 * @param after the service's answer.
 */
function showChange({ apps, notifications }: CommandDependencies, before: App, after: App): void {
  const platforms = watchChange(apps, before, after);
  notifications.done(
    platforms.length > 0
      ? vscode.l10n.t('“{0}” is changed, and is being built for {1}.', after.title, listText(platforms))
      : vscode.l10n.t('“{0}” is changed.', after.title),
  );
}
