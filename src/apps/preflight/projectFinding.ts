import type { Finding } from './finding.ts';

/** A position in a text, from zero, as VS Code counts: lines, and UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** Where a finding is, without VS Code. */
export interface ProjectPlace {
  /** Of a file below the project, with `/`. */
  readonly path: string;
  /** Absent when it is about the whole file. */
  readonly start?: TextPosition;
  readonly end?: TextPosition;
}

/** A finding whose place is told by a path of the project. */
export interface ProjectFinding extends Omit<Finding, 'place'> {
  readonly place?: ProjectPlace;
}

/** Where offsets of a text are. Lines end as in VS Code: `\n`, `\r\n`, `\r`. */
export class TextLines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
      this.#starts.push(index + end.length);
    }
  }

  positionAt(offset: number): TextPosition {
    const next = this.#starts.findIndex((start) => start > offset);
    const line = (next < 0 ? this.#starts.length : next) - 1;
    return { line, character: offset - (this.#starts[line] ?? 0) };
  }
}
