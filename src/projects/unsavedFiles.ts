import * as vscode from 'vscode';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import type { Input } from '../workbench/input.ts';
import { listText } from '../workbench/values.ts';

/** A file with unsaved changes could not be saved, so that the folder is not what the person sees. */
export class UnsavedFilesError extends BuildServiceError {
  readonly kind = 'unsavedFiles';

  constructor(file: string) {
    super({
      what: sentence('{0} could not be saved, so nothing was sent.', file),
      next: sentence('Save it, then try again.'),
      remedy: 'retry',
    });
  }
}

/**
 * Saves the files of a folder that have unsaved changes, or asks, or leaves them, as the person's setting `task.saveBeforeRun`
 * says.
 *
 * @param isAgreed whether they are saved, where the setting is to ask; gets their paths.
 * @throws UnsavedFilesError when one cannot be saved; CancelledError when the question is closed.
 */
export async function saveFiles(
  folder: vscode.Uri,
  isAgreed: (unsaved: readonly string[]) => boolean | Promise<boolean>,
): Promise<void> {
  const prefix = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) =>
      isDirty && uri.scheme === folder.scheme && uri.authority === folder.authority && uri.path.startsWith(prefix),
  );
  const setting = vscode.workspace.getConfiguration('task').get('saveBeforeRun');
  if (
    unsaved.length === 0 ||
    setting === 'never' ||
    (setting === 'prompt' && !(await isAgreed(unsaved.map(nameOfDocument))))
  ) {
    return;
  }
  for (const document of unsaved) {
    if (!(await document.save())) {
      throw new UnsavedFilesError(nameOfDocument(document));
    }
  }
}

/** Asks whether files are saved. @throws CancelledError when the question is closed. */
export async function askToSave(unsaved: readonly string[], input: Input): Promise<boolean> {
  const chosen = await input.pick(
    [
      { icon: 'save', label: vscode.l10n.t('Save and Build'), save: true },
      { icon: 'play', label: vscode.l10n.t('Build What Is on the Disk'), save: false },
    ],
    {
      title: vscode.l10n.t('Build This Folder'),
      placeholder: vscode.l10n.t('Not saved yet: {0}', listText(unsaved)),
    },
  );
  return chosen.save;
}

function nameOfDocument({ uri }: vscode.TextDocument): string {
  return vscode.workspace.asRelativePath(uri);
}
