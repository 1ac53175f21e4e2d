import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { OperationNotOfferedError } from '../../apps/appErrors.ts';
import { findOperation } from '../../apps/model/operation.ts';
import type { UploadFile } from '../../resources/requests/multipart.ts';
import type { RequestedBuild } from '../build/buildApp.ts';
import { appSubjectOf } from '../wizard/appSubject.ts';
import { readyToSend } from '../wizard/files.ts';
import { showChange } from './showChange.ts';
import type { UpdateAppDependencies } from './updateApp.ts';
import { withUploadProgress } from './uploadProgress.ts';

/** What a PNG file begins with (PNG, Third Edition, §5.2). */
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Gives an app another icon. Services take PNG files, and build the app again.
 *
 * @param argument what the app is, as {@link appSubjectOf} reads it.
 * @returns what is being built because of it; undefined when a list or a dialog is closed.
 * @throws InvalidInputError for a file that is no PNG; BuildServiceError
 */
export async function setAppIcon(
  dependencies: UpdateAppDependencies,
  argument: unknown,
): Promise<RequestedBuild | undefined> {
  const { connections, apps, input } = dependencies;
  const connection = await connections.requireSignedIn();
  const subject = await appSubjectOf(argument, { apps, connection, input, title: vscode.l10n.t('Change App Icon') });
  if (subject === undefined) {
    return undefined;
  }
  const { app } = subject;
  if (findOperation(app.resource, 'upload-icon', undefined, app.url) === undefined) {
    throw new OperationNotOfferedError(app.title);
  }
  const uri = await input.openFile({
    title: vscode.l10n.t('Icon of “{0}”: a PNG File. The App Is Built Again with It', app.title),
    openLabel: vscode.l10n.t('Choose Icon'),
    filters: { [vscode.l10n.t('PNG Images')]: ['png'] },
    folder: vscode.workspace.workspaceFolders?.[0]?.uri,
  });
  if (uri === undefined) {
    return undefined;
  }
  const file = await readyToSend(uri);
  if (!(await isPng(file))) {
    throw new InvalidInputError(
      sentence('{0} is not a PNG file.', file.name),
      sentence('Services take icons as PNG files, square, of 1024 pixels or so.'),
    );
  }
  const changed = await withUploadProgress(vscode.l10n.t('Sending {0}', file.name), file, (options) =>
    apps.callsOf(connection).setIcon(app, file, options),
  );
  return showChange(dependencies, app, changed);
}

async function isPng({ bytes }: UploadFile): Promise<boolean> {
  for await (const piece of bytes()) {
    return PNG_SIGNATURE.equals(piece.subarray(0, PNG_SIGNATURE.length));
  }
  return false;
}
