import { setImmediate } from 'node:timers/promises';

/** JSON as text, token by token, without recursion: a document may be nested more deeply than the call stack allows. */

/** Characters that are gone through without a pause: some milliseconds. */
export const CHARACTERS_PER_TURN = 128 * 1024;

/** Does long work; wherever it yields, what else waits has its turn. */
export async function withPauses<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) {
      return step.value;
    }
    await setImmediate();
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Where the first token at or after an offset starts: the next character that is no white space (RFC 8259 §2). */
export function tokenStart(json: string, from: number): number {
  let at = from;
  while (isSpace(json.charCodeAt(at))) {
    at += 1;
  }
  return at;
}

/** Where the token that starts at an offset ends. Of what is no JSON, every character belongs to some token. */
export function tokenEnd(json: string, start: number): number {
  const first = json.charCodeAt(start);
  if (first === QUOTE) {
    return stringEnd(json, start);
  }
  let at = start + 1;
  if (!isPunctuation(first)) {
    while (at < json.length && !endsLiteral(json.charCodeAt(at))) {
      at += 1;
    }
  }
  return at;
}

function stringEnd(json: string, start: number): number {
  let at = start + 1;
  for (; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      return at + 1;
    }
    if (code === BACKSLASH) {
      at += 1;
    }
  }
  return json.length;
}

function endsLiteral(code: number): boolean {
  return isPunctuation(code) || isSpace(code) || code === QUOTE;
}

function isPunctuation(code: number): boolean {
  return (
    code === COMMA ||
    code === COLON ||
    code === OPEN_BRACE ||
    code === CLOSE_BRACE ||
    code === OPEN_BRACKET ||
    code === CLOSE_BRACKET
  );
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
