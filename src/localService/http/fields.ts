/**
 * The fields of a request. The readers of fields return `undefined` for one that was not sent or is null, and throw HttpError 400,
 * which names the field, for a value of another type.
 */
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../limits.ts';
import { HttpError } from './errors.ts';

/** An object as JSON has it. Names are a client's: only its own members count. */
export type PlainObject = Readonly<Record<string, unknown>>;

/**
 * Reads JSON.
 *
 * @param what names it in the sentence of an error, as the subject: `The field data`
 * @throws HttpError 400 when it is malformed
 */
function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, `${what} is malformed JSON.`);
  }
}

/** A whole number in the query; 0 when it was not sent. @throws HttpError 400 */
export function readNumber(name: string, text = '0'): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw new HttpError(400, `The parameter ${name} must be a whole number.`);
  }
  return Number(text);
}

/** As {@link parseJson}. @throws HttpError 400 also if the value isn't an object */
export function parsePlainObject(text: string, what: string): PlainObject {
  const value = parseJson(text, what);
  if (!isPlainObject(value)) {
    throw new HttpError(400, `${what} must be a JSON object.`);
  }
  return value;
}

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An empty one without prototype, in which every name is just a name. */
export function createPlainObject<T = unknown>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** Text; numbers as JSON writes them. */
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

/** A name or a title: one line, without white space around it; the empty string when it was not sent. */
export function lineField(fields: PlainObject, name: string): string {
  const line = (textField(fields, name, MAX_NAME_LENGTH) ?? '').trim();
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) {
    throw wrongType(name, 'a single line');
  }
  return line;
}

/** Any text as a title: one line, not too long. It may be empty. */
export function asTitle(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.slice(0, MAX_NAME_LENGTH).toWellFormed();
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
    ? parseJson(text, `The field ${name}`)
    : text
        .split(',')
        .map((element) => element.trim())
        .filter((element) => element !== '');
}

function wrongType(name: string, type: string): HttpError {
  return new HttpError(400, `The field ${name} must be ${type}.`);
}
