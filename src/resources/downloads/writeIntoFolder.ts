import * as vscode from 'vscode';
import { sentence } from '../../api/errors/sentence.ts';
import { FileError, fileFailure } from './fileError.ts';
import { createUnlessThere, isPlainFile } from './diskFile.ts';

/**
 * Changes a text file of a person's folder, or makes it, as an edit that can be undone in its editor. The author of a folder may
 * have made a link of it: nothing is written through one.
 *
 * @param change gets the text, which is empty for a file that was not there
 * @returns the text that the file has then
 * @throws FileError
 */
export async function writeIntoFolder(
  folder: vscode.Uri,
  name: string,
  change: (text: string) => string,
): Promise<string> {
  const file = vscode.Uri.joinPath(folder, name);
  try {
    await create(file);
    await refuseLink(folder, file, name);
    const document = await vscode.workspace.openTextDocument(file);
    const text = document.getText();
    const changed = change(text);
    if (changed === text) {
      return text;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(file, new vscode.Range(0, 0, document.lineCount, 0), changed);
    const isChanged = await vscode.workspace.applyEdit(edit);
    await refuseLink(folder, file, name);
    if (!isChanged || !(await document.save())) {
      throw new FileError(
        'NotWritten',
        sentence('{0} could not be changed and saved.', name),
        sentence('Check whether it can be written, then try again.'),
      );
    }
    return changed;
  } catch (error) {
    throw fileFailure(error, name);
  }
}

async function create(file: vscode.Uri): Promise<void> {
  if (file.scheme === 'file') {
    await createUnlessThere(file.fsPath);
    return;
  }
  try {
    await vscode.workspace.fs.stat(file);
  } catch (error) {
    if (!(error instanceof vscode.FileSystemError && error.code === 'FileNotFound')) {
      throw error;
    }
    await vscode.workspace.fs.writeFile(file, new Uint8Array());
  }
}

async function refuseLink(folder: vscode.Uri, file: vscode.Uri, name: string): Promise<void> {
  const isPlain =
    file.scheme === 'file'
      ? await isPlainFile(folder.fsPath, file.fsPath)
      : (await vscode.workspace.fs.stat(file)).type === vscode.FileType.File;
  if (!isPlain) {
    throw new FileError(
      'NotPlainFile',
      sentence('{0} is a link or no plain file, so nothing was written.', name),
      sentence('Replace it with a plain file of this folder, then try again.'),
    );
  }
}
