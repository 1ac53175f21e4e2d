import * as vscode from 'vscode';
import { numberText } from '../../workbench/texts.ts';
import { LogText } from './logText.ts';

/** The content of a document: a line about what is missing, lines of the log, and a last line about its state. */
interface LogLayout {
  readonly text: LogText;
  /** Lines of the whole log. */
  readonly first: number;
  readonly end: number;
  readonly state: string;
}

/**
 * A log in an editor. Only the added text goes to VS Code: an event of the content provider replaces a text
 * of more than 100,000 characters as a whole, which loses selection and place, and takes seconds for 5 MB.
 */
export class LogDocument {
  readonly uri: vscode.Uri;
  /** Another one when the log starts over. */
  text = new LogText();
  /** A last line with the state of the log. Empty if there is none. */
  state = '';
  /** The content of the document. Undefined when that is not known. */
  #shown: LogLayout | undefined;
  #update: Promise<void> = Promise.resolve();

  constructor(uri: vscode.Uri) {
    this.uri = uri;
  }

  open(): string {
    this.#shown = this.#layout();
    return textOfLayout(this.#shown);
  }

  /** Brings the document up to date, if it is open. Never rejects. */
  show(): Promise<void> {
    this.#update = this.#update.then(() => this.#apply()).catch(() => undefined);
    return this.#update;
  }

  /** The line of the document that shows a line of the log. */
  documentLine(line: number): number | undefined {
    const shown = this.#current;
    return shown === undefined || line < shown.first || line >= shown.end
      ? undefined
      : line - shown.first + noticeLines(shown);
  }

  /** The content, if it is of the current log. */
  get #current(): LogLayout | undefined {
    return this.#shown?.text === this.text ? this.#shown : undefined;
  }

  #layout(): LogLayout {
    const { first, end } = this.text;
    return { text: this.text, first, end, state: this.state };
  }

  async #apply(): Promise<void> {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === this.uri.toString());
    if (document === undefined) {
      return;
    }
    const current = this.#current;
    const next = this.#layout();
    const shown = current !== undefined && next.first <= current.end ? current : undefined;
    const edit = new vscode.WorkspaceEdit();
    if (shown === undefined) {
      edit.replace(this.uri, wholeRange(document), textOfLayout(next));
    } else {
      if (next.first !== shown.first) {
        const dropped = noticeLines(shown) + next.first - shown.first;
        edit.replace(this.uri, new vscode.Range(0, 0, dropped, 0), noticeText(next));
      }
      if (next.end !== shown.end || next.state !== shown.state) {
        const start = new vscode.Position(shown.end - shown.first + noticeLines(shown), 0);
        const added = next.text.textFrom(shown.end) + next.state;
        edit.replace(this.uri, new vscode.Range(start, wholeRange(document).end), added);
      }
    }
    if (edit.size === 0) {
      return;
    }
    // Judged before the text grows: then the end is no longer in view.
    const views = vscode.window.visibleTextEditors
      .filter((editor) => editor.document === document)
      .map((editor) => ({ editor, ...viewOf(editor) }));
    // Providers are asked as soon as the document has changed.
    this.#shown = next;
    if (!(await vscode.workspace.applyEdit(edit))) {
      this.#shown = undefined;
      return;
    }
    const dropped = shown === undefined ? 0 : noticeLines(shown) - noticeLines(next) + next.first - shown.first;
    for (const { editor, top, isAtEnd } of views) {
      if (isAtEnd) {
        reveal(editor, document.lineCount - 1, vscode.TextEditorRevealType.Default);
      } else if (dropped > 0) {
        reveal(editor, Math.max(0, top - dropped), vscode.TextEditorRevealType.AtTop);
      }
    }
  }
}

function textOfLayout(layout: LogLayout): string {
  return noticeText(layout) + layout.text.textFrom(layout.first) + layout.state;
}

function noticeText({ first }: LogLayout): string {
  return first === 0
    ? ''
    : `${vscode.l10n.t('{0} earlier lines are not shown: the log is too long.', numberText(first))}\n`;
}

function noticeLines({ first }: LogLayout): number {
  return first === 0 ? 0 : 1;
}

function wholeRange(document: vscode.TextDocument): vscode.Range {
  return new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
}

/** The first visible line, and whether the end is in view. */
function viewOf({ visibleRanges, document }: vscode.TextEditor): { readonly top: number; readonly isAtEnd: boolean } {
  const last = visibleRanges.at(-1)?.end.line ?? 0;
  // The last line is empty, and may be half hidden.
  return { top: visibleRanges[0]?.start.line ?? 0, isAtEnd: last >= document.lineCount - 2 };
}

function reveal(editor: vscode.TextEditor, line: number, type: vscode.TextEditorRevealType): void {
  editor.revealRange(new vscode.Range(line, 0, line, 0), type);
}
