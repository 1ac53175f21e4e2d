import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { withoutQuery } from '../../config-xml/index.ts';
import { redact } from '../../service-client/index.ts';
import { diagnosticSeverity } from '../workbench/diagnosticSeverity.ts';
import { read } from '../workbench/readStored.ts';
import { shortened, toPlainText } from '../workbench/texts.ts';
import { MAX_PREVIEW_PROBLEMS, MAX_PROBLEM_LENGTH } from './limits.ts';

/** Source of all problems of this extension. */
const SOURCE = 'App Build';

/** Report of `previewReports.js`. The app could forge it, because it has the script's origin. */
const REPORT = z.object({
  report: z.object({
    error: z.optional(z.object({ message: z.string(), place: z.string() })),
    isBlank: z.boolean(),
  }),
});

interface Place {
  /** Path of a page or script relative to the app's origin, such as `/js/app.js`. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

interface PreviewProblem {
  readonly message: string;
  readonly severity: 'error' | 'warning';
  readonly place: Pick<Place, 'path'> | Place;
}

/** Problems of a previewed app since its page was loaded: its first uncaught error, missing files, and a blank page. */
export class PreviewProblems {
  readonly #start: string;
  #missing = new Map<string, PreviewProblem>();
  #reported: readonly PreviewProblem[] = [];

  /** @param start address of the app's first page. Problems without a place are shown there. */
  constructor(start: string) {
    this.#start = withoutQuery(start);
  }

  /** Adds a file of the app's own origin that the app requested and doesn't have. @param page path of the page or style sheet that loads it */
  addMissing(path: string, page: string | undefined): void {
    if (this.#missing.size < MAX_PREVIEW_PROBLEMS && !this.#missing.has(path)) {
      const message = vscode.l10n.t('{0} isn’t in the app.', toName(path));
      this.#missing.set(path, { message, severity: 'warning', place: { path: page ?? this.#start } });
    }
  }

  /** Replaces the problems that the frame has reported. Ignores other messages. @param origin the frame's origin */
  setReport(message: unknown, origin: string): void {
    const report = read(REPORT, message)?.report;
    if (report === undefined) {
      return;
    }
    const { error, isBlank } = report;
    const start = { path: this.#start };
    const blank = vscode.l10n.t('The page is still empty five seconds after it loaded.');
    this.#reported = [
      ...(error === undefined
        ? []
        : [
            {
              message: toLine(error.message),
              severity: 'error' as const,
              place: parsePlace(error.place, origin) ?? start,
            },
          ]),
      ...(isBlank ? [{ message: blank, severity: 'warning' as const, place: start }] : []),
    ];
  }

  get #all(): readonly PreviewProblem[] {
    // Without a script, errors follow.
    return [...this.#missing.values(), ...this.#reported];
  }

  /** Describes the first problem and the number of problems in one line. Empty without problems. */
  get summary(): string {
    const [first, ...others] = this.#all;
    if (first === undefined) {
      return '';
    }
    const { message, place } = first;
    const text = 'line' in place ? vscode.l10n.t('{0} ({1}:{2})', message, toName(place.path), place.line) : message;
    return others.length === 0 ? text : vscode.l10n.t('{0} problems: {1}', others.length + 1, text);
  }

  /** Returns the diagnostics of the project's files. @param find returns the file at a path of the app */
  getDiagnostics(find: (path: string) => vscode.Uri | undefined): [vscode.Uri, readonly vscode.Diagnostic[]][] {
    return this.#all.flatMap((problem) => {
      const uri = find(problem.place.path);
      return uri === undefined ? [] : [[uri, [toDiagnostic(problem)]]];
    });
  }
}

/** Returns the first place in text such as `https://host/app.js?v=1:2:3` or a stack that belongs to the origin. */
function parsePlace(text: string, origin: string): Place | undefined {
  for (const [, address = '', line, column] of text.matchAll(/(https?:\/\/[^\s()]{1,2000}?):(\d{1,7}):(\d{1,7})/g)) {
    const url = URL.parse(address);
    if (url?.origin === origin) {
      return { path: url.pathname, line: Number(line), column: Number(column) };
    }
  }
  return undefined;
}

/** Returns the name of a file for a message, such as `js/app.js`. */
function toName(path: string): string {
  return toLine(decodePath(path).slice(1)) || 'index.html';
}

/** Decodes a path of a URL. Returns an invalid path unchanged. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns untrusted text as one line without secrets. Queries are removed, because they often contain some. */
function toLine(text: string): string {
  const line = redact(text.slice(0, 2 * MAX_PROBLEM_LENGTH))
    .replace(/[?#][^\s?#"'<>()]{0,1000}=[^\s"'<>()]*/g, '')
    .replace(/\s+/g, ' ');
  return toPlainText(shortened(line.trim(), MAX_PROBLEM_LENGTH));
}

function toDiagnostic({ message, severity, place }: PreviewProblem): vscode.Diagnostic {
  // An empty range marks the word at the position.
  const range =
    'line' in place
      ? new vscode.Range(place.line - 1, place.column - 1, place.line - 1, place.column - 1)
      : new vscode.Range(0, 0, 0, Number.MAX_SAFE_INTEGER);
  return Object.assign(new vscode.Diagnostic(range, message, diagnosticSeverity(severity)), { source: SOURCE });
}
