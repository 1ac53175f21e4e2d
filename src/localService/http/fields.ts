/**
 * The fields of a request. JSON of a client becomes values that hold nothing but what it says: objects without prototype, in
 * bounded number and depth. The readers of fields return `undefined` for one that was not sent or is null, and throw HttpError
 * 400, which names the field, for a value of another type.
 */
import { HttpError } from './errors.ts';

/** An object without prototype. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Objects and arrays inside one another. */
export const MAX_DEPTH = 8;
/** Members and elements of one JSON text. */
const MAX_VALUES = 500;
/** Code that copies objects could take these for more than data. */
const RESERVED_NAMES: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/**
 * Reads JSON.
 *
 * @param what names it in the sentence of an error, as the subject: `The field data`
 * @throws HttpError 400 when it is malformed, too deep or too long, or has a reserved name
 */
function parsePlainJson(text: string, what: string): unknown {
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

/** A whole number in the query; 0 when it was not sent. @throws HttpError 400 */
export function readNumber(name: string, text = '0'): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw new HttpError(400, `The parameter ${name} must be a whole number.`);
  }
  return Number(text);
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

/** Text; numbers as JSON writes them. */
export function textField(fields: PlainObject, name: string): string | undefined {
  const value = fields[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string' && typeof value !== 'number') {
    throw wrongType(name, 'text');
  }
  return value === undefined ? undefined : String(value);
}

/** `true`, `"true"`, 1 and `"1"`, or their opposites. An empty text counts as not sent. */
export function booleanField(fields: PlainObject, name: string): boolean | undefined {
  const value = fields[name] ?? '';
  if (value === '') {
    return undefined;
  }
  if (TRUE.includes(value)) {
    return true;
  }
  if (FALSE.includes(value)) {
    return false;
  }
  throw wrongType(name, 'true or false');
}

const TRUE: readonly unknown[] = [true, 'true', 1, '1'];
const FALSE: readonly unknown[] = [false, 'false', 0, '0'];

/** An integer, also as text. An empty text counts as not sent. */
export function integerField(fields: PlainObject, name: string): number | undefined {
  const value = fields[name] ?? '';
  if (value === '') {
    return undefined;
  }
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    throw wrongType(name, 'an integer');
  }
  return number;
}

/** A list of texts: a JSON array, texts between commas, or fields `name[]` and `name[0]`. An empty text is an empty list. */
export function listField(fields: PlainObject, name: string): readonly string[] | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) {
    return undefined;
  }
  const elements = isPlainObject(value)
    ? Object.entries(value).map(([index, element]) => (/^\d+$/.test(index) ? element : undefined))
    : typeof value === 'string'
      ? elementsOf(value, name)
      : value;
  if (!Array.isArray(elements) || !elements.every((each) => typeof each === 'string' || typeof each === 'number')) {
    throw wrongType(name, 'a list of texts');
  }
  return elements.map(String);
}

/** An object, also as JSON. An empty text counts as not sent. */
export function objectField(fields: PlainObject, name: string): PlainObject | undefined {
  const value = fields[name] ?? '';
  if (value === '') {
    return undefined;
  }
  if (typeof value === 'string') {
    return parsePlainObject(value, `The field ${name}`);
  }
  if (!isPlainObject(value)) {
    throw wrongType(name, 'an object');
  }
  return value;
}

function elementsOf(text: string, name: string): unknown {
  return text.trim().startsWith('[')
    ? parsePlainJson(text, `The field ${name}`)
    : text
        .split(',')
        .map((element) => element.trim())
        .filter((element) => element !== '');
}

function wrongType(name: string, type: string): HttpError {
  return new HttpError(400, `The field ${name} must be ${type}.`);
}
