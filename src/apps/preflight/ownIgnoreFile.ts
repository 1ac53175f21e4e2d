import * as vscode from 'vscode';
import { sentence } from '../../api/errors/sentence.ts';
import { FileError, fileFailure } from '../../resources/downloads/fileError.ts';
import { isMissing } from '../packing/packingError.ts';
import { linesToAdd, withLines, withoutLines, type IgnoredPath } from './ignoreLine.ts';

const NAME = '.appbuildignore';

/** The file `.appbuildignore` of a project. What is written is an edit that can be undone in its editor. */
export class OwnIgnoreFile {
  readonly #uri: vscode.Uri;

  /** @param project its folder. */
  constructor(project: vscode.Uri) {
    this.#uri = vscode.Uri.joinPath(project, NAME);
  }

  get uri(): vscode.Uri {
    return this.#uri;
  }

  /**
   * Has the file leave out some paths.
   *
   * @returns the lines that were added; none when it leaves them out already.
   * @throws FileError
   */
  async add(paths: readonly IgnoredPath[]): Promise<readonly string[]> {
    const document = await this.#open();
    const lines = linesToAdd(document.getText(), paths);
    if (lines.length > 0) {
      await this.#write(document, withLines(document.getText(), lines));
    }
    return lines;
  }

  /** Takes lines away again. The file goes with the last of them. @throws FileError */
  async remove(lines: readonly string[]): Promise<void> {
    const document = await this.#open();
    const text = withoutLines(document.getText(), lines);
    await this.#write(document, text);
    if (text.trim() === '') {
      await this.#orFailure(vscode.workspace.fs.delete(this.#uri));
    }
  }

  async #open(): Promise<vscode.TextDocument> {
    try {
      await vscode.workspace.fs.stat(this.#uri);
    } catch (error) {
      if (!isMissing(error)) {
        throw fileFailure(error, NAME);
      }
      await this.#orFailure(vscode.workspace.fs.writeFile(this.#uri, new Uint8Array()));
    }
    return this.#orFailure(vscode.workspace.openTextDocument(this.#uri));
  }

  async #write(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(this.#uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save())) {
      throw new FileError(
        'NotWritten',
        sentence('{0} could not be changed and saved.', NAME),
        sentence('Check whether it can be written, then try again.'),
      );
    }
  }

  async #orFailure<T>(done: Thenable<T>): Promise<T> {
    try {
      return await done;
    } catch (error) {
      throw fileFailure(error, NAME);
    }
  }
}
