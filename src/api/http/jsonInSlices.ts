import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Characters of a piece that is parsed at once: some milliseconds. */
const pieceLength = 512 * 1024;

/** Milliseconds. */
const longestSlice = 5;

/** Arrays further inside are not taken apart. */
const deepest = 4;

/** An array that is parsed in pieces: the positions of its brackets, and of the commas between the pieces. */
interface LongArray {
  readonly start: number;
  readonly end: number;
  readonly commas: readonly number[];
}

/**
 * `JSON.parse` for long texts that lets everything else in the process run every few milliseconds: it parses long arrays
 * piece by piece, and the document around them with a word in the place of each.
 *
 * @param length characters of a piece
 * @throws {SyntaxError} as `JSON.parse` does
 */
export async function parseJsonInSlices(text: string, length = pieceLength): Promise<unknown> {
  const slice = new Slice();
  const arrays = await longArrays(text, length, slice);
  const found = new Map<string, readonly unknown[]>();
  let around = '';
  let at = 0;
  for (const { start, end, commas } of arrays) {
    const items: unknown[] = [];
    for (let index = 0; index <= commas.length; index += 1) {
      const piece = itemsOf(text.slice((commas[index - 1] ?? start) + 1, commas[index] ?? end));
      if (piece === undefined) {
        return JSON.parse(text);
      }
      for (const item of piece) {
        items.push(item);
      }
      await slice.end();
    }
    // in no document by chance, nor because somebody wants it to be
    const word = randomUUID();
    found.set(word, items);
    around += `${text.slice(at, start)}"${word}"`;
    at = end + 1;
  }
  const missing = new Set(found.keys());
  const put = (value: unknown, depth: number): unknown => {
    const items = typeof value === 'string' ? found.get(value) : undefined;
    if (items !== undefined && typeof value === 'string') {
      missing.delete(value);
      return items;
    }
    if (depth < deepest && typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const whole = put(member, depth + 1);
        if (whole !== member) {
          Object.defineProperty(value, name, { value: whole });
        }
      }
    }
    return value;
  };
  // An array may have been a name, which is no JSON, or under a name that comes twice.
  const whole = arrays.length === 0 ? undefined : put(parsed(around + text.slice(at)), 0);
  return arrays.length === 0 || missing.size > 0 ? (JSON.parse(text) as unknown) : whole;
}

/** The innermost arrays that are longer than a piece, in order; what they are worth is found out by parsing them. */
async function longArrays(text: string, length: number, slice: Slice): Promise<readonly LongArray[]> {
  const long: LongArray[] = [];
  const open: { readonly start: number; readonly commas: number[]; last: number }[] = [];
  let depth = 0;
  for (let at = 0, next = length; at < text.length; at += 1) {
    if (at > next) {
      next = at + length;
      await slice.end();
    }
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at);
        break;
      case '[':
      case '{':
        depth += 1;
        if (depth <= deepest) {
          open[depth] = { start: at, commas: [], last: at };
        }
        break;
      case ',': {
        const array = open[depth];
        if (depth <= deepest && array !== undefined && at - array.last > length) {
          array.commas.push(at);
          array.last = at;
        }
        break;
      }
      case ']': {
        const array = depth <= deepest ? open[depth] : undefined;
        // What a brace has opened is no array, whatever closes it.
        if (
          array !== undefined &&
          text[array.start] === '[' &&
          array.commas.length > 0 &&
          (long.at(-1)?.start ?? -1) < array.start
        ) {
          long.push({ start: array.start, end: at, commas: array.commas });
        }
        depth -= 1;
        break;
      }
      case '}':
        depth -= 1;
        break;
      default:
    }
  }
  return long;
}

/** Position of the quote that ends the string which starts at a position. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escape = at;
    while (text[escape - 1] === '\\') {
      escape -= 1;
    }
    if ((at - escape) % 2 === 0) {
      return at;
    }
  }
  return text.length;
}

/** The items of a part of an array; undefined when it is none. */
function itemsOf(piece: string): readonly unknown[] | undefined {
  const items = parsed(`[${piece}]`);
  return Array.isArray(items) && items.length > 0 ? items : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

class Slice {
  #start = performance.now();

  /** Lets others run when it has been long enough. */
  async end(): Promise<void> {
    if (performance.now() - this.#start > longestSlice) {
      await setImmediate();
      this.#start = performance.now();
    }
  }
}
