import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import { plainText } from '../../workbench/texts.ts';
import type { FolderFiles } from './logProblems.ts';
import type { LogDocument } from './logDocument.ts';
import { errorCount, stepsOf, type Step, type Steps } from './logSteps.ts';
import { LOG_SCHEME } from '../names.ts';

/** Entries of an outline: more are no help. */
const MAX_ENTRIES = 2_000;

/** A log that is open, and the files that it can be about. */
export interface NavigatedLog {
  readonly document: LogDocument;
  readonly files: FolderFiles;
}

/** Folds and outline by the steps of a log, and links to the files that it names. */
export class LogNavigation
  extends Disposable
  implements vscode.FoldingRangeProvider, vscode.DocumentSymbolProvider, vscode.DocumentLinkProvider
{
  readonly #logOf: (uri: vscode.Uri) => NavigatedLog | undefined;

  constructor(logOf: (uri: vscode.Uri) => NavigatedLog | undefined) {
    super();
    this.#logOf = logOf;
    this.register(vscode.languages.registerFoldingRangeProvider({ scheme: LOG_SCHEME }, this));
    this.register(vscode.languages.registerDocumentSymbolProvider({ scheme: LOG_SCHEME }, this));
    this.register(vscode.languages.registerDocumentLinkProvider({ scheme: LOG_SCHEME }, this));
  }

  provideFoldingRanges({ uri }: vscode.TextDocument): vscode.FoldingRange[] {
    const log = this.#logOf(uri)?.document;
    return log === undefined ? [] : shownSteps(log).steps.flatMap((step) => foldsOf(log, step));
  }

  provideDocumentSymbols({ uri }: Pick<vscode.TextDocument, 'uri'>): vscode.DocumentSymbol[] {
    const log = this.#logOf(uri)?.document;
    return log === undefined ? [] : symbolsOf(log, shownSteps(log), { left: MAX_ENTRIES });
  }

  async provideDocumentLinks({ uri }: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const log = this.#logOf(uri);
    if (log === undefined || log.files.isEmpty) {
      return [];
    }
    const { document, files } = log;
    const links: vscode.DocumentLink[] = [];
    for (const { line, reference } of document.text.references) {
      const target = await files.find(reference.path);
      // Lines may have come or gone meanwhile.
      const shownLine = document.documentLine(line);
      if (target !== undefined && shownLine !== undefined) {
        const range = new vscode.Range(shownLine, reference.start, shownLine, reference.end);
        links.push(new vscode.DocumentLink(range, withPosition(target, reference)));
      }
    }
    return links;
  }
}

/** VS Code goes to the place that a fragment names. */
function withPosition(
  target: vscode.Uri,
  { line, column }: { readonly line: number | undefined; readonly column: number | undefined },
): vscode.Uri {
  return line === undefined ? target : target.with({ fragment: `L${line}${column === undefined ? '' : `,${column}`}` });
}

function shownSteps(log: LogDocument): Steps {
  const { first, end } = log.shownLines;
  return stepsOf(
    log.text.marks.filter(({ line }) => line >= first && line < end),
    end,
  );
}

function foldsOf(log: LogDocument, { firstLine, lastLine, steps }: Step): vscode.FoldingRange[] {
  const inner = steps.flatMap((step) => foldsOf(log, step));
  const start = log.documentLine(firstLine);
  const end = log.documentLine(lastLine);
  return start === undefined || end === undefined || end <= start
    ? inner
    : [new vscode.FoldingRange(start, end), ...inner];
}

/** @param budget how many entries may be made. */
function symbolsOf(log: LogDocument, { steps, errors }: Steps, budget: { left: number }): vscode.DocumentSymbol[] {
  const symbols: vscode.DocumentSymbol[] = [];
  const add = (name: string, detail: string, kind: vscode.SymbolKind, firstLine: number, lastLine: number) => {
    const start = log.documentLine(firstLine);
    const end = log.documentLine(lastLine);
    if (start === undefined || end === undefined || budget.left <= 0) {
      return undefined;
    }
    budget.left -= 1;
    const range = new vscode.Range(start, 0, end, log.text.line(lastLine)?.text.length ?? 0);
    const header = new vscode.Range(start, 0, start, log.text.line(firstLine)?.text.length ?? 0);
    // VS Code refuses an entry without a name.
    const symbol = new vscode.DocumentSymbol(plainText(name) || '…', detail, kind, range, header);
    symbols.push(symbol);
    return symbol;
  };
  for (const step of steps) {
    const symbol = add(
      step.title,
      errorsText(errorCount(step)),
      vscode.SymbolKind.Module,
      step.firstLine,
      step.lastLine,
    );
    if (symbol !== undefined) {
      symbol.children = symbolsOf(log, step, budget);
    }
  }
  for (const { line, text } of errors) {
    add(text, vscode.l10n.t('error'), vscode.SymbolKind.Event, line, line);
  }
  return symbols.sort((left, right) => left.range.start.line - right.range.start.line);
}

function errorsText(count: number): string {
  switch (count) {
    case 0:
      return '';
    case 1:
      return vscode.l10n.t('1 error');
    default:
      return vscode.l10n.t('{0} errors', count);
  }
}
