import * as vscode from 'vscode';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import type { UploadFile } from '../../resources/requests/multipart.ts';
import { uploadFile } from '../../resources/requests/uploadFile.ts';
import type { Input } from '../../workbench/input.ts';

/** Asks for a package that an app is made of; undefined when the dialog is closed. */
export function askForPackage(input: Input, title: string): Promise<vscode.Uri | undefined> {
  return input.openFile({
    title,
    openLabel: vscode.l10n.t('Choose Package'),
    filters: { [vscode.l10n.t('Packages')]: ['zip', 'gz', 'tgz', 'html'], [vscode.l10n.t('All Files')]: ['*'] },
    folder: vscode.workspace.workspaceFolders?.[0]?.uri,
  });
}

/** A file that a person chose, to be sent. @throws BuildServiceError when it cannot be read. */
export async function readyToSend(uri: vscode.Uri): Promise<UploadFile> {
  try {
    return await uploadFile(uri);
  } catch (error) {
    throw fileFailure(error, uri.path.split('/').at(-1) ?? '');
  }
}
