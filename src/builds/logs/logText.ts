import { visibleText } from '../../api/hypermedia/label.ts';
import { MAX_LOG_LENGTH, MAX_LOG_REFERENCES } from '../limits.ts';
import { fileProblem, fileReferences, type FileProblem, type FileReference } from './fileReferences.ts';

const [ESC, BEL, CSI, ST] = [0x1b, 0x07, 0x9b, 0x9c].map((code) => String.fromCharCode(code));
/** The first characters of strings that run until they are ended: window titles, links, the clipboard (ECMA-48 §5.6). */
const STRING_STARTS = [0x90, 0x98, 0x9d, 0x9e, 0x9f].map((code) => String.fromCharCode(code)).join('');
/** Any control sequence. An unfinished one goes to the end of the line. */
const SEQUENCES = new RegExp(
  [
    `(?:${ESC}[\\]PX^_]|[${STRING_STARTS}])[^${BEL}${ESC}${ST}]*(?:${BEL}|${ESC}\\\\|${ST})?`,
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]?`,
    `${ESC}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

/** Most lines need no cleaning. */
const PRINTABLE = /^[ -~]*$/;

/**
 * A line of a log as plain text. The log is untrusted: a control sequence can set a window's title, make a link, or write to the
 * clipboard. Of a line that was printed over itself, the last state is left.
 *
 * @param raw without its line break.
 */
export function cleanLine(raw: string): string {
  if (PRINTABLE.test(raw)) {
    return raw;
  }
  const last = raw.replace(/(?<!\r)\r+$/, '');
  const text = last.slice(last.lastIndexOf('\r') + 1).replace(SEQUENCES, '');
  // Tabs are kept: they indent.
  return text.split('\t').map(visibleText).join('\t');
}

/** A time in front of a line, in brackets or not. */
const TIME = /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?\s+/;
/** How builders print errors: Azure Pipelines and GitHub Actions, npm, Gradle, Xcode and Kotlin, compilers, the local service. */
const ERRORS: readonly RegExp[] = [
  /^(?:##\[error\]|::error[^:]*::)\s*(.*)$/s,
  /^(?:npm (?:ERR!|error) .+|FAILURE: .+|BUILD FAILED.*|\*\* \w+ FAILED \*\*|e: .+|\[?(?:ERROR|FATAL)\b.+)$/,
  /^(?:fatal )?error(?:\[?[ \w-]{0,20}\]?)?: .+$/i,
  /^\S.*?[:)] (?:fatal )?error\b.+$/is,
  /^(?:Malformed config\.xml: .+|Error: .+)$/,
];

/** Without it no line reports an error. Most lines end here. */
const ERROR_WORD = /err(?:or|!)|fail|fatal|e: |malformed/i;

/** The error that a line reports, if it does. @param line of {@link cleanLine} */
export function errorInLine(line: string): string | undefined {
  if (!ERROR_WORD.test(line)) {
    return undefined;
  }
  const text = line.replace(TIME, '');
  const found = ERRORS.map((pattern) => pattern.exec(text)).find((each) => each !== null);
  return found?.[1] ?? found?.[0];
}

/** Something in a line. Lines are counted from the start of the log, from 0. */
type InLine<T> = T & { readonly line: number };

/** The share that is kept when there is too much: so that it is rarely cut. */
const KEPT_SHARE = 0.9;

/** The end of a log, at most {@link MAX_LOG_LENGTH} characters, and the findings in its lines. */
export class LogText {
  lines: string[] = [];
  /** The first line that is kept. */
  first = 0;
  /** The files that the lines name. */
  references: InLine<{ readonly reference: FileReference }>[] = [];
  errors: InLine<{ readonly text: string }>[] = [];
  /** Problems in files, including those in lines that are not kept. */
  readonly problems: FileProblem[] = [];
  #length = 0;

  get end(): number {
    return this.first + this.lines.length;
  }

  textFrom(start: number): string {
    return this.lines
      .slice(Math.max(0, start - this.first))
      .map((line) => `${line}\n`)
      .join('');
  }

  /** @param text whole lines of `cleanLine`, each with its line feed. */
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
