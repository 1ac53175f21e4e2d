import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import { TextStyles } from '../../workbench/textStyles.ts';
import type { LogDocument } from './logDocument.ts';
import type { Colour, TextStyle } from './logLine.ts';
import { LOG_SCHEME } from '../names.ts';

/** Lines above and below what is seen that are coloured too, so that they are when they are scrolled to. */
const MARGIN_LINES = 100;

/** Colours what is seen of logs: as their control sequences say, and steps and errors as what they are. */
export class LogStyles extends Disposable {
  readonly #styles = this.register(new TextStyles());
  readonly #documentOf: (uri: vscode.Uri) => LogDocument | undefined;
  readonly #used = new WeakMap<vscode.TextEditor, Set<vscode.TextEditorDecorationType>>();

  constructor(documentOf: (uri: vscode.Uri) => LogDocument | undefined) {
    super();
    this.#documentOf = documentOf;
    this.register(vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#show(textEditor)));
    this.register(
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((each) => this.#show(each))),
    );
  }

  show(log: LogDocument): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.toString() === log.uri.toString()) {
        this.#show(editor);
      }
    }
  }

  #show(editor: vscode.TextEditor): void {
    const { document, visibleRanges } = editor;
    const log = document.uri.scheme === LOG_SCHEME ? this.#documentOf(document.uri) : undefined;
    if (log === undefined) {
      return;
    }
    const ranges = new Map<vscode.TextEditorDecorationType, vscode.Range[]>();
    const add = (type: vscode.TextEditorDecorationType, range: vscode.Range) => {
      const known = ranges.get(type);
      if (known === undefined) {
        ranges.set(type, [range]);
      } else {
        known.push(range);
      }
    };
    for (const lines of visibleRanges) {
      const last = Math.min(document.lineCount - 1, lines.end.line + MARGIN_LINES);
      for (let line = Math.max(0, lines.start.line - MARGIN_LINES); line <= last; line += 1) {
        this.#addLine(log, line, add);
      }
    }
    const used = this.#used.get(editor) ?? new Set();
    for (const type of new Set([...used, ...ranges.keys()])) {
      editor.setDecorations(type, ranges.get(type) ?? []);
    }
    this.#used.set(editor, new Set(ranges.keys()));
  }

  #addLine(
    log: LogDocument,
    line: number,
    add: (type: vscode.TextEditorDecorationType, range: vscode.Range) => void,
  ): void {
    const number = log.logLine(line);
    const whole = new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER);
    if (number === undefined) {
      add(this.#styles.type('note', { colour: 'descriptionForeground', slant: 'italic' }), whole);
      return;
    }
    const { styles = [] } = log.text.line(number) ?? {};
    const kind = log.text.kind(number);
    if (kind?.kind === 'step' && kind.header.level === 1) {
      add(this.#styles.type('bold', { weight: 'bold' }), whole);
    } else if (kind?.kind === 'error' && styles.length === 0) {
      add(this.#styles.type('error', { colour: 'errorForeground' }), whole);
    }
    for (const { start, end, style } of styles) {
      for (const type of this.#typesOf(style)) {
        add(type, new vscode.Range(line, start, line, end));
      }
    }
  }

  /** A kind of decoration for each property: for each combination there would be thousands. */
  #typesOf({ foreground, background, bold, italic, underline }: TextStyle): vscode.TextEditorDecorationType[] {
    const types: vscode.TextEditorDecorationType[] = [];
    if (foreground !== undefined) {
      types.push(this.#styles.type(foreground, { colour: themeColour(foreground) }));
    }
    if (background !== undefined) {
      types.push(this.#styles.type(`on ${background}`, { background: themeColour(background) }));
    }
    if (bold) {
      types.push(this.#styles.type('bold', { weight: 'bold' }));
    }
    if (italic) {
      types.push(this.#styles.type('italic', { slant: 'italic' }));
    }
    if (underline) {
      types.push(this.#styles.type('underline', { line: 'underline' }));
    }
    return types;
  }
}

function themeColour(colour: Colour): string {
  return `terminal.ansi${colour.charAt(0).toUpperCase()}${colour.slice(1)}`;
}
