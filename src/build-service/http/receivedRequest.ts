/** Reads the fields and files of a request in every format that clients send. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

import type { Service } from '../service.ts';
import { HttpError } from './errors.ts';
import { createPlainObject, isPlainObject, parsePlainObject, type PlainObject } from './fields.ts';
import { getMediaType, readBody, readMultipart, type FormEntry, type ReceivedFile } from './requestBody.ts';

/** A request that creates or changes something. */
export interface ReceivedRequest {
  /**
   * Merged fields of the query, the form, and the JSON body, in an object without a prototype. Values are text unless
   * they come from JSON or from nested names such as `keys[android]`.
   */
  readonly fields: PlainObject;
  /** Uploaded files, keyed by field name. */
  readonly files: Readonly<Record<string, ReceivedFile>>;
}

/** Reads a parameter by name. Returns an empty string if it's missing. */
export type ParameterReader = (name: string) => string;

const MULTIPART = 'multipart/form-data';
const URLENCODED = 'application/x-www-form-urlencoded';

/** Query parameters for authentication and JSONP, which aren't fields. */
const QUERY_ONLY: readonly string[] = ['auth_token', 'access_token', 'callback'];

/**
 * Matches `list[]`, `data[title]`, and `data[keys][android]`. Clients don't use deeper nesting, so deeper names are
 * treated as plain names.
 */
const NESTED_NAME = /^([^[\]]+)((?:\[[^[\]]*\]){1,3})$/;

/**
 * Reads a request in any format that clients send, saves its files in a work folder, and passes it to `answer`.
 * Afterward, deletes the files that `answer` hasn't moved. Fields in the body override fields in the query. Within
 * each, {@link toFields} defines the precedence. A body of an unknown type doesn't have fields.
 *
 * @throws HttpError 400 for a malformed body, 413 for a body that's too large
 * @throws the system's error if a file can't be written, or an error that `isClientGone` recognizes
 */
export async function withReceivedRequest<T>(
  c: Context,
  { files, maxUploadBytes }: Service,
  answer: (request: ReceivedRequest) => Promise<T> | T,
): Promise<T> {
  const bindings = c.env as HttpBindings;
  const type = getMediaType(bindings.incoming);
  const query = toFields(
    parseEntries(new URL(c.req.url).search.slice(1)).filter(([name]) => !QUERY_ONLY.includes(name)),
  );
  if (type === MULTIPART) {
    return files.withWorkFolder(async (folder) => {
      const form = await readMultipart(bindings, { folder, maxBytes: maxUploadBytes });
      return answer({ fields: merged(query, toFields(form.entries)), files: form.files });
    });
  }
  const text = await readBody(bindings);
  const fields =
    type === 'application/json' ? getJsonFields(text) : type === URLENCODED ? toFields(parseEntries(text)) : {};
  return answer({ fields: merged(query, fields), files: {} });
}

/**
 * Reads the fields of a page's form or of an OAuth call, urlencoded or multipart. A body of another type doesn't have
 * fields.
 *
 * @throws HttpError 400 if the body doesn't match its type, 413 if it's too large
 */
export async function readForm(c: Context): Promise<ParameterReader> {
  const bindings = c.env as HttpBindings;
  const type = getMediaType(bindings.incoming);
  const entries = type === MULTIPART ? (await readMultipart(bindings)).entries : parseEntries(await readBody(bindings));
  const fields = new Map(type === MULTIPART || type === URLENCODED ? entries : []);
  return (name) => fields.get(name) ?? '';
}

/**
 * Reads the parameters of an OAuth call. The contract puts them in the query, but real clients put them in a form body.
 *
 * @throws HttpError like {@link readForm}
 */
export async function readParameters(c: Context): Promise<ParameterReader> {
  const form = await readForm(c);
  return (name) => c.req.query(name) ?? form(name);
}

function parseEntries(text: string): readonly FormEntry[] {
  return [...new URLSearchParams(text)];
}

/**
 * Returns the properties of a JSON body. As in a form, the properties of `data`, which can be an object or JSON text,
 * also become fields.
 */
function getJsonFields(text: string): PlainObject {
  if (text.trim() === '') {
    return {};
  }
  const { data, ...fields } = parsePlainObject(text, 'The body');
  if (typeof data === 'string') {
    return merged(fields, toFields([['data', data]]));
  }
  if (data !== undefined && !isPlainObject(data)) {
    throw new HttpError(400, 'The field data must be a JSON object.');
  }
  return merged(fields, data ?? {});
}

/**
 * Merges the fields of a form or a query into one object. If a field is repeated, JSON in the field `data` overrides
 * nested names, and nested names override plain names. Otherwise, the last value wins. `data[title]` and `{"title": …}`
 * in `data` both set the field `title`.
 *
 * @throws HttpError 400 for malformed JSON
 */
function toFields(entries: readonly FormEntry[]): PlainObject {
  const fields = createPlainObject();
  const nested: (readonly [path: readonly string[], value: string])[] = [];
  let json = '';
  for (const [name, value] of entries) {
    const path = parseFieldPath(name);
    if (path.length > 1) {
      nested.push([path[0] === 'data' ? path.slice(1) : path, value]);
    } else if (name === 'data') {
      json = value;
    } else {
      fields[name] = value;
    }
  }
  for (const [[name = '', ...rest], value] of nested) {
    fields[name] = withValueAt(fields[name], rest, value);
  }
  // Some clients send an empty `data` field.
  return json.trim() === '' ? fields : merged(fields, parsePlainObject(json, 'The field data'));
}

/** Merges two objects. Properties of the second one win. */
function merged(first: PlainObject, second: PlainObject): PlainObject {
  return Object.assign(createPlainObject(), first, second);
}

function parseFieldPath(name: string): readonly string[] {
  const [, first = name, rest = ''] = NESTED_NAME.exec(name) ?? [];
  return rest === '' ? [name] : [first, ...rest.slice(1, -1).split('][')];
}

/**
 * Returns `existing` with a value set at a nested path. An empty name appends to a list. Replaces existing values along
 * the path that have another type.
 */
function withValueAt(existing: unknown, [name, ...rest]: readonly string[], value: string): unknown {
  if (name === undefined) {
    return value;
  }
  if (name === '') {
    const list: unknown[] = Array.isArray(existing) ? existing : [];
    list.push(withValueAt(undefined, rest, value));
    return list;
  }
  const object: Record<string, unknown> = isPlainObject(existing) ? existing : createPlainObject();
  object[name] = withValueAt(object[name], rest, value);
  return object;
}
