/** Functions for reading untrusted JSON. */
import { tokenizeJson } from '../jsonTokens.ts';
import { MAX_TEXT_LENGTH } from '../limits.ts';

/** JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reports whether a value is a JSON object, not an array, null, or scalar. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reports whether a value is a non-empty object or array. */
export function hasMembers(value: unknown): value is JsonObject | readonly unknown[] {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

/** Returns an object's own member, so that `constructor` or `__proto__` never reach the prototype. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns an object's own member if it's a string. */
export function text(object: JsonObject, name: string): string | undefined {
  const value = member(object, name);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Appends one step to a JSON Pointer (RFC 6901 §3).
 *
 * @returns the pointer. Pointers longer than {@link MAX_TEXT_LENGTH} characters are incomplete (see {@link
 * isWholePointer}).
 */
export function pointerTo(parent: string, step: string | number): string {
  if (parent.length > MAX_TEXT_LENGTH) {
    return parent;
  }
  const name = typeof step === 'string' ? step.slice(0, MAX_TEXT_LENGTH) : step;
  if (typeof name === 'string' && (name.includes('~') || name.includes('/'))) {
    return `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return `${parent}/${name}`;
}

/** Reports whether a pointer created by {@link pointerTo} is complete. */
export function isWholePointer(pointer: string): boolean {
  return pointer.length <= MAX_TEXT_LENGTH;
}

/** Returns the last step of a JSON Pointer: the name of a member or an index. */
export function lastStep(pointer: string): string {
  const step = pointer.slice(pointer.lastIndexOf('/') + 1);
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Member of an object or element of an array. */
export interface JsonEntry<Value = unknown> {
  readonly name: string;
  readonly value: Value;
  readonly pointer: string;
}

/** Looks up numbers as the service sent them. Identifiers can have more digits than JavaScript numbers hold. */
export class NumberTexts {
  readonly #json: string | undefined;
  /** The document with its long numbers as strings. Parsed on first use. */
  #texts: { readonly document: unknown } | undefined;

  /** @param json the document as sent. If it's missing, long numbers are rounded. */
  constructor(json: string | undefined) {
    this.#json = json;
  }

  /**
   * Returns the text of a number as it was sent. The prefix `≈` marks a rounded number.
   *
   * @param pointer JSON Pointer of the number in the document.
   */
  of(value: number, pointer: string): string {
    if (!mayBeRounded(value)) {
      return String(value);
    }
    this.#texts ??= { document: this.#json === undefined ? undefined : longNumbersAsTexts(this.#json) };
    const sent = isWholePointer(pointer) ? valueAt(this.#texts.document, pointer) : undefined;
    return typeof sent === 'string' ? sent : `≈ ${value}`;
  }
}

/**
 * Reports whether the printed number may differ from the sent text: it exceeds 2^53, is infinite, or has too many
 * digits.
 */
export function mayBeRounded(value: number): boolean {
  return (
    !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value) || String(value).length > 16)
  );
}

/**
 * Parses JSON with its long numbers as strings. A reviver would take ten times as long as parsing, and recurses for
 * each level.
 */
function longNumbersAsTexts(json: string): unknown {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of tokenizeJson(json)) {
    const token = json.slice(start, end);
    if (/^[-\d]/.test(token) && mayBeRounded(Number(token))) {
      parts.push(json.slice(done, start), `"${token}"`);
      done = end;
    }
  }
  return JSON.parse(parts.join('') + json.slice(done));
}

/** Returns the value at a JSON Pointer (RFC 6901 §4), or undefined if it doesn't exist. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? (value[Number(name)] as unknown) : isObject(value) ? member(value, name) : undefined;
  }
  return value;
}
