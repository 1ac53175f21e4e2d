/** What every reader needs to look at JSON that somebody else wrote. */

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

/** Appends one step to a JSON Pointer (RFC 6901 §3). */
export function pointerTo(parent: string, step: string | number): string {
  if (typeof step === 'string' && (step.includes('~') || step.includes('/'))) {
    return `${parent}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return `${parent}/${step}`;
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

/** The value that a JSON Pointer leads to (RFC 6901 §4); undefined where there is none. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? (value[Number(name)] as unknown) : isObject(value) ? member(value, name) : undefined;
  }
  return value;
}

/** Numbers as the service wrote them: a JavaScript number holds 15 to 17 digits, and identifiers can be longer. */
export class NumberTexts {
  readonly #document: string | undefined;
  /** The document with the text of each number in its place, once it is needed. */
  #texts: { readonly document: unknown } | undefined;

  /** @param document as sent; without it, long numbers are shown rounded */
  constructor(document: string | undefined) {
    this.#document = document;
  }

  /** @param pointer JSON Pointer of the number in the document */
  of(value: number, pointer: string): string {
    if (this.#document === undefined || !mayBeRounded(value)) {
      return String(value);
    }
    this.#texts ??= { document: parseNumbersAsText(this.#document) };
    const sent = valueAt(this.#texts.document, pointer);
    return typeof sent === 'string' ? sent : String(value);
  }
}

/** True when printing the number may differ from what was sent: beyond 2^53, infinite, or with too many digits. */
function mayBeRounded(value: number): boolean {
  return (
    !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value) || String(value).length > 16)
  );
}

/** Undefined where the text cannot be parsed with a reviver, which nesting of thousands of levels is too deep for. */
function parseNumbersAsText(document: string): unknown {
  try {
    return JSON.parse(document, (_key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? context?.source : value,
    ) as unknown;
  } catch {
    return undefined;
  }
}
