import * as vscode from 'vscode';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import { writeIntoFolder } from '../../resources/downloads/writeIntoFolder.ts';
import { type IgnoredPath, withLine, withoutLine } from '../packing/ignoreRules.ts';

const NAME = '.appbuildignore';

/** Has `.appbuildignore` leave out a path, by an edit that can be undone in its editor. @param project its folder @throws FileError */
export async function leaveOut(project: vscode.Uri, path: IgnoredPath): Promise<void> {
  await writeIntoFolder(project, NAME, (text) => withLine(text, path));
}

/** Takes the line of {@link leaveOut} away again. The file goes with its last line. @throws FileError */
export async function takeIn(project: vscode.Uri, path: IgnoredPath): Promise<void> {
  const rest = await writeIntoFolder(project, NAME, (text) => withoutLine(text, path));
  if (rest.trim() === '') {
    try {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(project, NAME));
    } catch (error) {
      throw fileFailure(error, NAME);
    }
  }
}
