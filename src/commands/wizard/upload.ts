import path from 'node:path';
import * as vscode from 'vscode';
import type { UploadOptions } from '../../apps/calls/appCalls.ts';
import { uploadFailure } from '../../apps/appErrors.ts';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import type { UploadFile } from '../../resources/requests/multipart.ts';
import { uploadFile } from '../../resources/requests/uploadFile.ts';
import type { FileQuestion, Input } from '../../workbench/input.ts';
import { withProgress, percentCounter } from '../../workbench/progress.ts';
import { sizeText } from '../../workbench/texts.ts';

export function packageQuestion(title: string): FileQuestion {
  return {
    title,
    openLabel: vscode.l10n.t('Choose Package'),
    filters: { [vscode.l10n.t('Packages')]: ['zip', 'html'], [vscode.l10n.t('All Files')]: ['*'] },
    folder: vscode.workspace.workspaceFolders?.[0]?.uri,
  };
}

export async function askForFiles(title: string, input: Input): Promise<readonly UploadFile[]> {
  return Promise.all(((await input.openFiles(title)) ?? []).map(readyToSend));
}

export async function readyToSend(uri: vscode.Uri): Promise<UploadFile> {
  try {
    return await uploadFile(uri);
  } catch (error) {
    throw fileFailure(error, path.posix.basename(uri.path));
  }
}

export function withUploadProgress<T>(
  { name, size }: UploadFile,
  send: (options: UploadOptions) => Promise<T>,
): Promise<T> {
  return withProgress({ notification: vscode.l10n.t('Sending {0}', name) }, async (signal, report) => {
    const newPercent = percentCounter();
    const onProgress = (sent: number, total: number) => {
      const reached = newPercent(sent, total);
      if (reached !== undefined) {
        report(vscode.l10n.t('{0} of {1}', sizeText(sent), sizeText(total)), { increment: reached.increment });
      }
    };
    try {
      return await send({ signal, onProgress });
    } catch (error) {
      throw uploadFailure(error, size);
    }
  });
}
