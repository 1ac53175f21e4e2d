import type { ConfigProblem } from './configProblem.ts';

/** Problems as they are found, up to a number. */
export class ProblemList {
  readonly #max: number;
  readonly #problems: ConfigProblem[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.#problems.length >= this.#max;
  }

  add(problem: ConfigProblem): void {
    if (!this.isFull) {
      this.#problems.push(problem);
    }
  }

  /** In the order of the text. */
  sorted(): readonly ConfigProblem[] {
    return this.#problems.toSorted((a, b) => a.span.start - b.span.start);
  }
}
