/** Reading JSON that is not trusted. */
import { tokensOf } from '../jsonTokens.ts';
import { MAX_TEXT_LENGTH } from '../limits.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for `{…}`; false for arrays, null and scalars. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for an object or array that holds something. */
export function hasMembers(value: unknown): value is JsonObject | readonly unknown[] {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

/** The object's own member, so that `constructor` or `__proto__` never reach the prototype. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The object's own member if it is a string. */
export function text(object: JsonObject, name: string): string | undefined {
  const value = member(object, name);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Appends one step to a JSON Pointer (RFC 6901 §3).
 *
 * @returns a pointer of more than {@link MAX_TEXT_LENGTH} characters, cut off, where it would have more
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

/** True for a pointer of {@link pointerTo} that leads somewhere: it was not cut off. */
export function isWholePointer(pointer: string): boolean {
  return pointer.length <= MAX_TEXT_LENGTH;
}

/** The last step of a JSON Pointer: the name of a member, or an index. */
export function lastStep(pointer: string): string {
  const step = pointer.slice(pointer.lastIndexOf('/') + 1);
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A member of an object or an element of an array. */
export interface Entry<Value = unknown> {
  readonly name: string;
  readonly value: Value;
  readonly pointer: string;
}

/** Numbers as the service wrote them: identifiers can be longer than what JavaScript holds. */
export class NumberTexts {
  readonly #json: string | undefined;
  /** The document with its long numbers as texts, once it is needed. */
  #texts: { readonly document: unknown } | undefined;

  /** @param json as sent. Without it, long numbers are rounded. */
  constructor(json: string | undefined) {
    this.#json = json;
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
    this.#texts ??= { document: this.#json === undefined ? undefined : longNumbersAsTexts(this.#json) };
    const sent = isWholePointer(pointer) ? valueAt(this.#texts.document, pointer) : undefined;
    return typeof sent === 'string' ? sent : `≈ ${value}`;
  }
}

/** True when printing the number may differ from what was sent: beyond 2^53, infinite, or with too many digits. */
export function mayBeRounded(value: number): boolean {
  return (
    !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value) || String(value).length > 16)
  );
}

/** A reviver would take ten times as long as parsing, and calls itself for each level. */
function longNumbersAsTexts(json: string): unknown {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of tokensOf(json)) {
    const token = json.slice(start, end);
    if (/^[-\d]/.test(token) && mayBeRounded(Number(token))) {
      parts.push(json.slice(done, start), `"${token}"`);
      done = end;
    }
  }
  return JSON.parse(parts.join('') + json.slice(done));
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
