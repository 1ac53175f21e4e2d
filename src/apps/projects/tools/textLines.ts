/** Tells the line of an offset in a text. */
export class TextLines {
  /** Offsets, in ascending order. */
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ 0: lineBreak, index }) => index + lineBreak.length)];
  }

  /** From 1. */
  at(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
