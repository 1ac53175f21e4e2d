/**
 * Reads the fields of a request. The functions return `undefined` for a field that's missing or null, and throw
 * HttpError 400 with the field's name for a value of the wrong type.
 */
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../limits.ts';
import { HttpError } from './errors.ts';

/** A JSON object from a client. Read only its own properties, because the client chooses their names. */
export type PlainObject = Readonly<Record<string, unknown>>;

/**
 * Parses JSON.
 *
 * @param what subject of the error message, such as `The field data`
 * @throws HttpError 400 if the JSON is malformed
 */
function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, `${what} isn’t valid JSON.`);
  }
}

/** Reads a non-negative integer from the query. Returns 0 if it's missing. @throws HttpError 400 */
export function readNumber(name: string, text = '0'): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw new HttpError(400, `The parameter ${name} must be a whole number.`);
  }
  return Number(text);
}

/** Parses a JSON object. @throws HttpError 400 if the JSON is malformed or isn't an object */
export function parsePlainObject(text: string, what: string): PlainObject {
  const value = parseJson(text, what);
  if (!isPlainObject(value)) {
    throw new HttpError(400, `${what} must be a JSON object.`);
  }
  return value;
}

/** Reports whether a value is an object other than an array. */
export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Creates an empty object without a prototype, so that every property name is safe. */
export function createPlainObject<T = unknown>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** Reads a text field. Accepts numbers and returns them as JSON formats them. */
export function textField(fields: PlainObject, name: string, maxLength = MAX_TEXT_LENGTH): string | undefined {
  const value = fields[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string' && typeof value !== 'number') {
    throw wrongType(name, 'text');
  }
  const text = value === undefined ? undefined : String(value);
  if (text !== undefined && text.length > maxLength) {
    throw new HttpError(400, `The field ${name} must have at most ${maxLength} characters.`);
  }
  return text;
}

/** Reads a name or title: one line without surrounding white space. Returns an empty string if it's missing. */
export function lineField(fields: PlainObject, name: string): string {
  const line = (textField(fields, name, MAX_NAME_LENGTH) ?? '').trim();
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) {
    throw wrongType(name, 'a single line');
  }
  return line;
}

/** Converts any string to a title: one line, cut to the maximum length. The title can be empty. */
export function asTitle(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.slice(0, MAX_NAME_LENGTH).toWellFormed();
}

/** Reads a boolean, given as `true`, `"true"`, 1, `"1"`, or their opposites. Treats an empty string as missing. */
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

/** Reads an integer, given as a number or as text. Treats an empty string as missing. */
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

/**
 * Reads a list of strings: a JSON array, comma-separated text, or fields named `name[]` or `name[0]`. An empty string
 * results in an empty list.
 */
export function listField(fields: PlainObject, name: string): readonly string[] | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) {
    return undefined;
  }
  const elements = isPlainObject(value)
    ? Object.entries(value).map(([index, element]) => (/^\d+$/.test(index) ? element : undefined))
    : typeof value === 'string'
      ? parseElements(value, name)
      : value;
  if (!Array.isArray(elements) || !elements.every((each) => typeof each === 'string' || typeof each === 'number')) {
    throw wrongType(name, 'a list of strings');
  }
  return elements.map(String);
}

/** Reads an object, given as an object or as JSON text. Treats an empty string as missing. */
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

function parseElements(text: string, name: string): unknown {
  return text.trim().startsWith('[')
    ? parseJson(text, `The field ${name}`)
    : text
        .split(',')
        .map((element) => element.trim())
        .filter((element) => element !== '');
}

function wrongType(name: string, type: string): HttpError {
  return new HttpError(400, `The field ${name} must be ${type}.`);
}
