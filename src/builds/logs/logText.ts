import { fileProblem, fileReferences, type FileProblem, type FileReference } from './fileReferences.ts';
import { NO_STYLE, parseLine, type LogLine, type TextStyle } from './logLine.ts';
import { MAX_LINES } from './logParts.ts';
import { kindOf, type LineKind, type MarkedLine } from './logSteps.ts';

/** Characters that are kept. */
export const MAX_CHARACTERS = 5_000_000;
/** The share that is kept when there is too much: so that it is rarely done. */
const KEPT_SHARE = 0.9;
const MAX_REFERENCES = 5_000;
const MAX_PROBLEMS = 500;

export interface LineReference {
  /** Number of the line in the whole log, from 0. */
  readonly line: number;
  readonly reference: FileReference;
}

/** The lines of a log, as far as they are kept, and what was found in them. Lines are counted from the start of the log. */
export class LogText {
  readonly #lines: LogLine[] = [];
  readonly #maxLines: number;
  readonly #maxCharacters: number;
  #first = 0;
  #characters = 0;
  #style: TextStyle = NO_STYLE;
  #marks: MarkedLine[] = [];
  #references: LineReference[] = [];
  readonly #problems: FileProblem[] = [];

  constructor(maxLines = MAX_LINES, maxCharacters = MAX_CHARACTERS) {
    this.#maxLines = maxLines;
    this.#maxCharacters = maxCharacters;
  }

  get first(): number {
    return this.#first;
  }

  get end(): number {
    return this.#first + this.#lines.length;
  }

  get marks(): readonly MarkedLine[] {
    return this.#marks;
  }

  get references(): readonly LineReference[] {
    return this.#references;
  }

  get problems(): readonly FileProblem[] {
    return this.#problems;
  }

  line(line: number): LogLine | undefined {
    return this.#lines[line - this.#first];
  }

  kind(line: number): LineKind | undefined {
    const kept = this.line(line);
    return kept && kindOf(kept.text);
  }

  textFrom(start: number): string {
    return this.#lines
      .slice(Math.max(0, start - this.#first))
      .map(({ text }) => `${text}\n`)
      .join('');
  }

  /** Counts lines that are not kept: nothing of what came before them is, either. */
  skip(lines: number): void {
    if (lines > 0) {
      this.#first = this.end + lines;
      this.#lines.length = 0;
      this.#characters = 0;
      this.#marks = [];
      this.#references = [];
    }
  }

  /** @param text whole lines of `cleanLine`, each with its line feed. */
  append(text: string): void {
    if (text === '') {
      return;
    }
    for (const raw of text.replace(/\n$/, '').split('\n')) {
      const { line, after } = parseLine(raw, this.#style);
      this.#style = after;
      this.#add(line);
    }
    if (this.#lines.length > this.#maxLines || this.#characters > this.#maxCharacters) {
      this.#trim();
    }
  }

  #add(line: LogLine): void {
    const number = this.end;
    this.#lines.push(line);
    this.#characters += line.text.length + 1;
    const mark = kindOf(line.text);
    if (mark !== undefined) {
      this.#marks.push({ line: number, mark });
    }
    const references = fileReferences(line.text);
    if (this.#references.length < MAX_REFERENCES) {
      this.#references.push(...references.map((reference) => ({ line: number, reference })));
    }
    const problem = this.#problems.length < MAX_PROBLEMS ? fileProblem(line.text, references) : undefined;
    if (problem !== undefined) {
      this.#problems.push(problem);
    }
  }

  #trim(): void {
    let [first, characters] = [this.#lines.length, 0];
    while (this.#lines.length - first < this.#maxLines * KEPT_SHARE) {
      const next = characters + (this.#lines[first - 1]?.text.length ?? Infinity) + 1;
      if (next > this.#maxCharacters * KEPT_SHARE) {
        break;
      }
      characters = next;
      first -= 1;
    }
    this.#lines.splice(0, first);
    this.#first += first;
    this.#characters = characters;
    this.#marks = this.#marks.filter(({ line }) => line >= this.#first);
    this.#references = this.#references.filter(({ line }) => line >= this.#first);
  }
}
