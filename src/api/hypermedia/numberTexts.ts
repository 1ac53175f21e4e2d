import { setImmediate } from 'node:timers/promises';

import { isObject, MAX_POINTER_LENGTH, member } from './json.ts';
import { CHARACTERS_PER_TURN, finished, tokenEnd, tokenStart, withPauses } from './jsonTokens.ts';

/** Characters of a number that a JavaScript number, which holds 15 to 17 digits, may not hold. */
const MIN_LONG_NUMBER_LENGTH = 16;

/** What every long number looks like, and few texts: looking for it is quicker than going through all parts of a document. */
const LIKE_LONG_NUMBER = /[[:,\s]-?\d(?:[\d.eE+-]{14}|[\d.]{0,13}[eE])/;

/** Stands before a number that has become a text: V8 keeps texts of up to 10 characters in a table, which takes longer. */
const MARK = 'as sent: ';

/** Numbers as the service wrote them: identifiers can be longer than what JavaScript holds. */
export class NumberTexts {
  readonly #document: string | undefined;
  /** The document with its long numbers as texts, once it is needed. */
  #texts: { readonly document: unknown } | undefined;

  /** @param document as sent, valid JSON; without it, long numbers are rounded */
  constructor(document: string | undefined) {
    this.#document = document;
  }

  /** Those of a document of any length: what {@link of} needs is done ahead, with pauses. */
  static async prepared(document: string): Promise<NumberTexts> {
    const numbers = new NumberTexts(document);
    const mayHoldSome = LIKE_LONG_NUMBER.test(document);
    await setImmediate();
    const texts = mayHoldSome ? await withPauses(longNumbersAsTexts(document)) : undefined;
    await setImmediate();
    numbers.#texts = { document: parsed(texts) };
    return numbers;
  }

  /**
   * A number as it was sent; `≈` before it says that it is rounded.
   *
   * @param pointer JSON Pointer of the number in the document
   */
  of(value: number, pointer: string): string {
    if (!mayBeRounded(value)) {
      return String(value);
    }
    this.#texts ??= { document: parsed(finished(longNumbersAsTexts(this.#document ?? ''))) };
    const sent = pointer.length > MAX_POINTER_LENGTH ? undefined : valueAt(this.#texts.document, pointer);
    return typeof sent === 'string' ? sent.slice(MARK.length) : `≈ ${value}`;
  }
}

/** True when printing the number may differ from what was sent: beyond 2^53, infinite, or with too many digits. */
export function mayBeRounded(value: number): boolean {
  return (
    !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value) || String(value).length > 16)
  );
}

/** The document with each long number in quotes; undefined when there is none. Pauses where it yields. */
function* longNumbersAsTexts(json: string): Generator<undefined, string | undefined> {
  const turns: string[] = [];
  let parts: string[] = [];
  let copied = 0;
  let pause = CHARACTERS_PER_TURN;
  for (let start = tokenStart(json, 0); start < json.length;) {
    const end = tokenEnd(json, start);
    if (isLongNumber(json, start, end)) {
      parts.push(json.slice(copied, start), `"${MARK}${json.slice(start, end)}"`);
      copied = end;
    }
    start = tokenStart(json, end);
    if (start > pause) {
      turns.push(parts.join(''));
      parts = [];
      yield;
      pause = start + CHARACTERS_PER_TURN;
    }
  }
  return copied === 0 ? undefined : turns.join('') + parts.join('') + json.slice(copied);
}

function isLongNumber(json: string, start: number, end: number): boolean {
  const first = json.charCodeAt(start);
  const isNumber = first === 0x2d || (first >= 0x30 && first <= 0x39);
  return isNumber && (end - start >= MIN_LONG_NUMBER_LENGTH || /e/i.test(json.slice(start, end)));
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}

/** The value that a JSON Pointer leads to (RFC 6901 §4); undefined where there is none. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? (value[Number(name)] as unknown) : isObject(value) ? member(value, name) : undefined;
  }
  return value;
}
