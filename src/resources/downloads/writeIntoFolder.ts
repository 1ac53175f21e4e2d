import * as vscode from 'vscode';
import { sentence } from '../../api/errors/sentence.ts';
import { createFile, isPlainFile } from './diskFile.ts';
import { FileError, fileFailure, notPlainFile } from './fileError.ts';

/**
 * Changes a text file of a person's folder, or makes it, as an edit that can be undone in its editor. The author of a folder may
 * have made a link of it, or of a folder that it is in: nothing is written through one.
 *
 * @param name its path below the folder
 * @param change gets the text, which is empty for a file that was not there
 * @returns the text that the file has then
 */
export async function writeIntoFolder(
  folder: vscode.Uri,
  name: string,
  change: (text: string) => string,
): Promise<string> {
  try {
    const whole = change('');
    if (await create(folder, name, whole)) {
      // An editor may still hold the text of a file of this name that was deleted: it is not asked.
      return whole;
    }
    return await changeInFolder(folder, name, change);
  } catch (error) {
    throw fileFailure(error, name);
  }
}

/** VS Code refuses an edit of a text that it has read again from the disk meanwhile. */
const MAX_ATTEMPTS = 3;

/** As {@link writeIntoFolder}, for a file that is there. @throws FileError; Error of VS Code when it can't be opened */
export async function changeInFolder(
  folder: vscode.Uri,
  name: string,
  change: (text: string) => string,
): Promise<string> {
  const file = vscode.Uri.joinPath(folder, name);
  await refuseLink(folder, file, name);
  let isChanged = false;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && !isChanged; attempt += 1) {
    const document = await vscode.workspace.openTextDocument(file);
    const text = document.getText();
    const changed = change(text);
    if (changed === text) {
      return text;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(file, new vscode.Range(0, 0, document.lineCount, 0), changed);
    isChanged = await vscode.workspace.applyEdit(edit);
    await refuseLink(folder, file, name);
    if (isChanged && (await document.save())) {
      return changed;
    }
  }
  throw new FileError(
    'NotWritten',
    sentence('{0} could not be changed and saved.', name),
    sentence('Check whether it can be written, then try again.'),
  );
}

/** Makes the file. @returns false when there is one */
async function create(folder: vscode.Uri, name: string, text: string): Promise<boolean> {
  const file = vscode.Uri.joinPath(folder, name);
  if (file.scheme !== 'file') {
    try {
      await vscode.workspace.fs.stat(file);
      return false;
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError && error.code === 'FileNotFound')) {
        throw error;
      }
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
      return true;
    }
  }
  try {
    await createFile(folder.fsPath, name, text);
    return true;
  } catch (error) {
    const failure = fileFailure(error, name);
    if (failure instanceof FileError && failure.code === 'EEXIST') {
      return false;
    }
    throw failure;
  }
}

async function refuseLink(folder: vscode.Uri, file: vscode.Uri, name: string): Promise<void> {
  const isPlain =
    file.scheme === 'file'
      ? await isPlainFile(folder.fsPath, file.fsPath)
      : (await vscode.workspace.fs.stat(file)).type === vscode.FileType.File;
  if (!isPlain) {
    throw notPlainFile(name);
  }
}
