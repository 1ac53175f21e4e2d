/** The fields and files of a request, in any of the forms that clients send. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

import type { Service } from '../service.ts';
import { HttpError } from './errors.ts';
import { createPlainObject, isPlainObject, parsePlainObject, type PlainObject } from './fields.ts';
import { mediaTypeOf, readBody, readMultipart, type FormEntry, type ReceivedFile } from './requestBody.ts';

/** A request that changes something. */
export interface ReceivedRequest {
  /**
   * The fields of the query, the form and the JSON body, merged; without prototype. Values are texts, or what JSON in the
   * field `data` and nested names such as `data[title]` make of them.
   */
  readonly fields: PlainObject;
  /** The uploaded files by the names of their fields. */
  readonly files: Readonly<Record<string, ReceivedFile>>;
}

/** Reads a parameter by name; the empty string when it was not sent. */
export type ParameterReader = (name: string) => string;

const MULTIPART = 'multipart/form-data';
const URLENCODED = 'application/x-www-form-urlencoded';

/** Parameters of the query for signing in and for JSONP: they are no fields. */
const QUERY_ONLY: readonly string[] = ['auth_token', 'access_token', 'callback'];

/** `list[]`, `data[title]`, `data[keys][android]`. Clients nest no deeper; a deeper name is a name like any other. */
const NESTED_NAME = /^([^[\]]+)((?:\[[^[\]]*\]){1,3})$/;

/**
 * Reads a request in any of the forms that clients send, its files into a work folder, and hands it to `answer`. The files
 * are removed afterwards unless they were kept. Fields of the body win over those of the query; {@link fieldsOf} has the order
 * within each. A body of an unknown type has no fields.
 *
 * @throws HttpError 400 for a malformed body, 413 for one that is too large; the system's error when a file cannot be written;
 * an error for which `isClientGone` holds
 */
export async function withReceivedRequest<T>(
  c: Context,
  { files, maxUploadBytes }: Service,
  answer: (request: ReceivedRequest) => Promise<T> | T,
): Promise<T> {
  const bindings = c.env as HttpBindings;
  const type = mediaTypeOf(bindings.incoming);
  const query = fieldsOf(entriesOf(new URL(c.req.url).search.slice(1)).filter(([name]) => !QUERY_ONLY.includes(name)));
  if (type === MULTIPART) {
    return files.withWorkFolder(async (folder) => {
      const form = await readMultipart(bindings, { folder, maxBytes: maxUploadBytes });
      return answer({ fields: merged(query, fieldsOf(form.entries)), files: form.files });
    });
  }
  const text = await readBody(bindings);
  const fields =
    type === 'application/json' ? fieldsOfJson(text) : type === URLENCODED ? fieldsOf(entriesOf(text)) : {};
  return answer({ fields: merged(query, fields), files: {} });
}

/**
 * The fields of the form of a page or of an OAuth call, urlencoded or multipart. A body of another kind has none.
 *
 * @throws HttpError 400 when the body is not what its type says, 413 when it is too large
 */
export async function readForm(c: Context): Promise<ParameterReader> {
  const bindings = c.env as HttpBindings;
  const type = mediaTypeOf(bindings.incoming);
  const entries = type === MULTIPART ? (await readMultipart(bindings)).entries : entriesOf(await readBody(bindings));
  const fields = new Map(type === MULTIPART || type === URLENCODED ? entries : []);
  return (name) => fields.get(name) ?? '';
}

/**
 * Parameters of an OAuth call: the contract shows them in the query, real clients put them into a form body.
 *
 * @throws HttpError as {@link readForm}
 */
export async function readParameters(c: Context): Promise<ParameterReader> {
  const form = await readForm(c);
  return (name) => c.req.query(name) ?? form(name);
}

/** The fields of an urlencoded text. */
function entriesOf(text: string): readonly FormEntry[] {
  return [...new URLSearchParams(text)];
}

/** The members of a JSON body. Those of its member `data`, an object or JSON text, stand for themselves, as in a form. */
function fieldsOfJson(text: string): PlainObject {
  if (text.trim() === '') {
    return {};
  }
  const { data, ...fields } = parsePlainObject(text, 'The body');
  if (typeof data === 'string') {
    return merged(fields, fieldsOf([['data', data]]));
  }
  if (data !== undefined && !isPlainObject(data)) {
    throw new HttpError(400, 'The field data must be a JSON object.');
  }
  return merged(fields, data ?? {});
}

/**
 * Makes one object of the fields of a form or a query. Where a field comes twice, the later of these wins: flat names, nested
 * names, JSON in the field `data`; among equals the one that was sent later. `data[title]` and `{"title": …}` in `data` are
 * the field `title`.
 *
 * @throws HttpError 400 for JSON that is malformed
 */
function fieldsOf(entries: readonly FormEntry[]): PlainObject {
  const fields = createPlainObject();
  const nested: (readonly [path: readonly string[], value: string])[] = [];
  let json = '';
  for (const [name, value] of entries) {
    const path = pathOfField(name);
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
  // Clients send it empty where there is nothing to say.
  return json.trim() === '' ? fields : merged(fields, parsePlainObject(json, 'The field data'));
}

/** Members of both objects; where they have the same name, those of the second. */
function merged(first: PlainObject, second: PlainObject): PlainObject {
  return Object.assign(createPlainObject(), first, second);
}

function pathOfField(name: string): readonly string[] {
  const [, first = name, rest = ''] = NESTED_NAME.exec(name) ?? [];
  return rest === '' ? [name] : [first, ...rest.slice(1, -1).split('][')];
}

/** `existing` with a value at `path` below it; an empty name appends to a list. A value of another kind is replaced. */
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
