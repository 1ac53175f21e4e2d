/** Where a token of JSON stands: a string, a number, a literal or a punctuation mark. */
export interface JsonToken {
  readonly start: number;
  readonly end: number;
}

const SPACE = /[\t\n\r ]*/y;
/** A number, a literal, or punctuation. */
const WORD = /[\w.+-]+|[^]/y;

/**
 * Where the tokens of valid JSON stand. Nothing here is recursive: a document may be nested more deeply than the stack allows.
 * The scanners of libraries put the values of tokens together character by character.
 */
export function* tokensOf(json: string): Generator<JsonToken> {
  for (let end = 0; ;) {
    const start = endOf(SPACE, json, end);
    if (start >= json.length) {
      return;
    }
    end = json.charAt(start) === '"' ? endOfString(json, start) : endOf(WORD, json, start);
    yield { start, end };
  }
}

/** True for a string that is the name of a member. */
export function isName(json: string, { end }: JsonToken): boolean {
  return json.charAt(endOf(SPACE, json, end)) === ':';
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Behind the next quotation mark that no backslash escapes. */
function endOfString(json: string, start: number): number {
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
