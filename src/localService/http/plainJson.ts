/** JSON of a client as values that hold nothing but what it says: objects without prototype, in bounded number and depth. */
import { HttpError } from './errors.ts';

/** An object without prototype. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Objects and arrays inside one another. */
export const MAX_DEPTH = 8;
/** Members and elements of one JSON text. */
const MAX_VALUES = 5_000;
/** Code that copies objects could take these for more than data. */
const RESERVED_NAMES: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/**
 * Reads JSON.
 *
 * @param what names it in the sentence of an error, as the subject: `The field data`
 * @throws HttpError 400 when it is malformed, too deep or too long, or has a reserved name
 */
export function parsePlainJson(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, `${what} is malformed JSON.`);
  }
  let count = 0;
  const copy = (from: unknown, depth: number): unknown => {
    count += 1;
    if (depth > MAX_DEPTH || count > MAX_VALUES) {
      throw new HttpError(400, `${what} has more than ${MAX_VALUES} values, or more than ${MAX_DEPTH} levels.`);
    }
    if (Array.isArray(from)) {
      return from.map((element) => copy(element, depth + 1));
    }
    if (typeof from !== 'object' || from === null) {
      return from;
    }
    const object = createPlainObject();
    for (const [name, member] of Object.entries(from)) {
      object[allowedName(name)] = copy(member, depth + 1);
    }
    return object;
  };
  return copy(value, 0);
}

/** As {@link parsePlainJson}. @throws HttpError 400 also when it is no object */
export function parsePlainObject(text: string, what: string): PlainObject {
  const value = parsePlainJson(text, what);
  if (!isPlainObject(value)) {
    throw new HttpError(400, `${what} must be a JSON object.`);
  }
  return value;
}

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An empty one, to be filled with {@link allowedName}s. */
export function createPlainObject<T = unknown>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** The name of a field as it stands. @throws HttpError 400 when no field may have it */
export function allowedName(name: string): string {
  if (RESERVED_NAMES.includes(name)) {
    throw new HttpError(400, `No field may have the name ${name}.`);
  }
  return name;
}
