import * as vscode from 'vscode';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import type { UploadFile } from '../../resources/requests/requestBody.ts';
import { uploadFile } from '../../resources/requests/uploadFile.ts';
import type { Input } from '../../workbench/input.ts';
import type { UploadOptions } from '../../apps/calls/appCalls.ts';
import { uploadFailure } from '../../builds/uploadError.ts';
import { withProgress } from '../../workbench/progress.ts';
import { sizeText } from '../../workbench/values.ts';

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

/**
 * Sends a file, with its progress in bytes and a Cancel.
 *
 * @param title of the notification.
 * @throws what `send` throws; an UploadError when the file did not get to the service.
 */
export function withUploadProgress<T>(
  title: string,
  file: UploadFile,
  send: (options: UploadOptions) => Promise<T>,
): Promise<T> {
  return withProgress({ notification: title }, async (signal, report) => {
    let percent = -1;
    const onProgress = (sent: number, total: number) => {
      const reached = Math.floor((100 * sent) / Math.max(1, total));
      // A message for each piece of a large file would keep the window busy.
      if (reached > percent) {
        report(vscode.l10n.t('{0} of {1}', sizeText(sent), sizeText(total)), {
          increment: reached - Math.max(0, percent),
        });
        percent = reached;
      }
    };
    try {
      return await send({ signal, onProgress });
    } catch (error) {
      throw uploadFailure(error, file.size);
    }
  });
}
