import { visibleText } from '../../../../service-client/index.ts';
import { MAX_LOG_LENGTH, MAX_LOG_REFERENCES } from '../limits.ts';
import { fileProblem, type FileProblem, fileReferences, type LogFileReference } from '../../../../web-project/index.ts';

const [ESC, BEL, CSI, ST] = [0x1b, 0x07, 0x9b, 0x9c].map((code) => String.fromCharCode(code));
/** Introducers of strings such as window titles, links, and clipboard contents, which last until their terminator (ECMA-48 §5.6). */
const STRING_STARTS = [0x90, 0x98, 0x9d, 0x9e, 0x9f].map((code) => String.fromCharCode(code)).join('');
/** Any control sequence. Without a terminator, it extends to the end of the line. */
const SEQUENCES = new RegExp(
  [
    `(?:${ESC}[\\]PX^_]|[${STRING_STARTS}])[^${BEL}${ESC}${ST}]*(?:${BEL}|${ESC}\\\\|${ST})?`,
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]?`,
    `${ESC}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

/** Matches printable ASCII. Most lines match and need no cleaning. */
const PRINTABLE = /^[ -~]*$/;

/**
 * Converts a line of a log to plain text. Logs are untrusted: control sequences can set the window title, create links, or write
 * to the clipboard. If a line overwrites itself, only its last state is kept.
 *
 * @param raw the line without its line break.
 */
export function cleanLine(raw: string): string {
  if (PRINTABLE.test(raw)) {
    return raw;
  }
  const last = raw.replace(/(?<!\r)\r+$/, '');
  const text = last.slice(last.lastIndexOf('\r') + 1).replace(SEQUENCES, '');
  // Keep tabs, because they indent text.
  return text.split('\t').map(visibleText).join('\t');
}

/** A timestamp at the start of a line, with or without brackets. */
const TIME = /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?\s+/;
/**
 * Formats in which builders print errors: Azure Pipelines and GitHub Actions, npm, Gradle, Xcode and Kotlin, compilers, and the
 * local service.
 */
const ERRORS: readonly RegExp[] = [
  /^(?:##\[error\]|::error[^:]*::)\s*(.*)$/s,
  /^(?:npm (?:ERR!|error) .+|FAILURE: .+|BUILD FAILED.*|\*\* \w+ FAILED \*\*|e: .+|\[?(?:ERROR|FATAL)\b.+)$/,
  /^(?:fatal )?error(?:\[?[ \w-]{0,20}\]?)?: .+$/i,
  /^\S.*?[:)] (?:fatal )?error\b.+$/is,
  /^(?:Malformed config\.xml: .+|Error: .+)$/,
];

/** Words in error lines. A quick check for them skips most lines. */
const ERROR_WORD = /err(?:or|!)|fail|fatal|e: |malformed/i;

/** Returns the error that a line reports, or undefined if it reports none. @param line a line from {@link cleanLine}. */
export function errorInLine(line: string): string | undefined {
  if (!ERROR_WORD.test(line)) {
    return undefined;
  }
  const text = line.replace(TIME, '');
  const found = ERRORS.map((pattern) => pattern.exec(text)).find((each) => each !== null);
  return found?.[1] ?? found?.[0];
}

/** A value that belongs to a line. Line numbers start at 0, at the beginning of the log. */
type OnLine<T> = T & { readonly line: number };

/** Share of the maximum length that remains after a cut, so that cuts are rare. */
const KEPT_SHARE = 0.9;

/** The last {@link MAX_LOG_LENGTH} code units of a log, with the errors, problems, and file names in its lines. */
export class LogText {
  lines: string[] = [];
  /** Number of the first line in memory. */
  first = 0;
  /** File names in the lines. */
  references: OnLine<{ readonly reference: LogFileReference }>[] = [];
  errors: OnLine<{ readonly text: string }>[] = [];
  /** Problems in files, including those in dropped lines. */
  readonly problems: FileProblem[] = [];
  #length = 0;

  get end(): number {
    return this.first + this.lines.length;
  }

  /** Returns the text from a line to the end. @param start line number in the whole log. */
  textFrom(start: number): string {
    return this.lines
      .slice(Math.max(0, start - this.first))
      .map((line) => `${line}\n`)
      .join('');
  }

  /** Appends text. @param text complete lines from `cleanLine`, including their line feeds. */
  append(text: string): void {
    if (text === '') {
      return;
    }
    for (const line of text.replace(/\n$/, '').split('\n')) {
      this.#add(line);
    }
    if (this.#length > MAX_LOG_LENGTH) {
      this.#cut();
    }
  }

  #add(text: string): void {
    const line = this.end;
    this.lines.push(text);
    this.#length += text.length + 1;
    const error = errorInLine(text);
    if (error !== undefined) {
      this.errors.push({ line, text: error });
    }
    const room = MAX_LOG_REFERENCES - this.references.length;
    const references = fileReferences(text, Math.max(room, 1));
    for (const reference of references.slice(0, room)) {
      this.references.push({ line, reference });
    }
    const problem = references.length === 0 ? undefined : fileProblem(text, references);
    if (problem !== undefined && this.problems.length < MAX_LOG_REFERENCES) {
      this.problems.push(problem);
    }
  }

  #cut(): void {
    let cut = 0;
    while (this.#length > MAX_LOG_LENGTH * KEPT_SHARE) {
      this.#length -= (this.lines[cut]?.length ?? 0) + 1;
      cut += 1;
    }
    this.lines = this.lines.slice(cut);
    this.first += cut;
    this.references = this.references.filter(({ line }) => line >= this.first);
    this.errors = this.errors.filter(({ line }) => line >= this.first);
  }
}
