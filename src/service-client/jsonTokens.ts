/** Position of a JSON token: a string, number, literal, or punctuation mark. */
interface JsonToken {
  readonly start: number;
  readonly end: number;
}

const SPACE = /[\t\n\r ]*/y;
/** Matches a number, a literal, or punctuation. */
const WORD = /[\w.+-]+|[^]/y;

/**
 * Yields the positions of the tokens in valid JSON. Isn't recursive, because documents may be nested too deeply for the
 * stack. Doesn't use a scanner library, because those assemble token values character by character, which is slow.
 */
export function* tokenizeJson(json: string): Generator<JsonToken> {
  for (let end = 0; ;) {
    const start = findEnd(SPACE, json, end);
    if (start >= json.length) {
      return;
    }
    end = json.charAt(start) === '"' ? findStringEnd(json, start) : findEnd(WORD, json, start);
    yield { start, end };
  }
}

/** Reports whether a string token is the name of a member. */
export function isName(json: string, { end }: JsonToken): boolean {
  return json.charAt(findEnd(SPACE, json, end)) === ':';
}

function findEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Returns the index after the next quotation mark that isn't escaped by a backslash. */
function findStringEnd(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (json.charAt(quote - 1 - backslashes) === '\\') {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) {
      return quote + 1;
    }
  }
  return json.length;
}
