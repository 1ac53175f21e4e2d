import { MAX_LOG_LENGTH, MAX_LOG_REFERENCES } from '../limits.ts';
import { fileProblem, fileReferences, type FileProblem, type FileReference } from './fileReferences.ts';
import { errorInLine } from './logLine.ts';

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
