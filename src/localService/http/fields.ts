/**
 * Readers of the fields of a received request. Each returns `undefined` for a field that was not sent or is null, and throws
 * HttpError 400, which names the field, for a value of another type.
 */
import { HttpError } from './errors.ts';
import { isPlainObject, parsePlainJson, parsePlainObject, type PlainObject } from './plainJson.ts';

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
