import * as vscode from 'vscode';
import { sentence } from '../../../errors/index.ts';
import { createFile, isPlainFile } from './diskFile.ts';
import { FileError, fileFailure, notPlainFile } from './fileError.ts';

/**
 * Changes or creates a text file in a user's folder, as an edit that can be undone in its editor. Never writes through
 * a link: the folder's author may have replaced the file or a parent folder with one.
 *
 * @param name path relative to the folder.
 * @param change receives the text, which is empty for a missing file, and returns the new text.
 * @returns the resulting text of the file.
 */
export async function writeIntoFolder(
  folder: vscode.Uri,
  name: string,
  change: (text: string) => string,
): Promise<string> {
  try {
    const whole = change('');
    if (await create(folder, name, whole)) {
      // Don't read editors, because one may still contain the text of a deleted file with this name.
      return whole;
    }
    return await changeInFolder(folder, name, change);
  } catch (error) {
    throw fileFailure(error, name);
  }
}

/** Maximum number of attempts. VS Code rejects an edit if it has reread the text from disk in the meantime. */
const MAX_ATTEMPTS = 3;

/**
 * Changes an existing file like {@link writeIntoFolder}.
 *
 * @throws {@link FileError}, or VS Code's Error when the file can't be opened.
 */
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
    sentence('{0} couldn’t be changed and saved.', name),
    sentence('Check whether it’s read-only, then try again.'),
  );
}

/** Creates the file. @returns false when it exists. */
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
