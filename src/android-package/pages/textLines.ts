/** A zero-based position in a document. As in VS Code, characters are UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** Converts offsets in a document to lines and positions. As in VS Code, lines end with `\n`, `\r\n`, or `\r`. */
export class TextLines {
  /** Offsets of line starts, in ascending order. */
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      if (character === LINE_FEED || (character === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) {
        starts.push(at + 1);
      }
    }
    this.#starts = starts;
  }

  positionAt(offset: number): TextPosition {
    const line = this.lineAt(offset) - 1;
    return { line, character: offset - (this.#starts[line] ?? 0) };
  }

  /** Returns the line number of an offset, starting at 1. */
  lineAt(offset: number): number {
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
