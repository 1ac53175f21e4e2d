import * as vscode from 'vscode';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import { writeIntoFolder } from '../../resources/downloads/writeIntoFolder.ts';
import { type IgnoredPath, linesToAdd, withLines, withoutLines } from '../packing/ignoreRules.ts';

const NAME = '.appbuildignore';

/** The file `.appbuildignore` of a project. What is written is an edit that can be undone in its editor. */
export class OwnIgnoreFile {
  readonly #project: vscode.Uri;

  /** @param project its folder. */
  constructor(project: vscode.Uri) {
    this.#project = project;
  }

  /**
   * Has the file leave out some paths.
   *
   * @returns the lines that were added; none when it leaves them out already.
   * @throws FileError
   */
  async add(paths: readonly IgnoredPath[]): Promise<readonly string[]> {
    let lines: readonly string[] = [];
    await writeIntoFolder(this.#project, NAME, (text) => {
      lines = linesToAdd(text, paths);
      return lines.length === 0 ? text : withLines(text, lines);
    });
    return lines;
  }

  /** Takes lines away again. The file goes with the last of them. @throws FileError */
  async remove(lines: readonly string[]): Promise<void> {
    const rest = await writeIntoFolder(this.#project, NAME, (text) => withoutLines(text, lines));
    if (rest.trim() === '') {
      try {
        await vscode.workspace.fs.delete(vscode.Uri.joinPath(this.#project, NAME));
      } catch (error) {
        throw fileFailure(error, NAME);
      }
    }
  }
}
