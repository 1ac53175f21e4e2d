/** What the fields of a form mean, in every way that clients write them. */
import { HttpError } from './errors.ts';
import {
  allowedName,
  createPlainObject,
  isPlainObject,
  MAX_DEPTH,
  parsePlainObject,
  type PlainObject,
} from './plainJson.ts';

/** One field as it was sent. */
export type FormEntry = readonly [name: string, value: string];

/** `list[]`, `data[title]`, `data[keys][android]`. */
const NESTED_NAME = /^([^[\]]+)((?:\[[^[\]]*\])+)$/;

/**
 * Makes one object of the fields of a form or a query. Where two say the same, the later of these wins: flat names, nested
 * names, JSON in the field `data`; among equals the one that was sent later. What is nested in `data`, as JSON or by its
 * name, stands for itself: `data[title]` and `{"title": …}` in `data` are the field `title`.
 *
 * @throws HttpError 400 for JSON that is malformed, and for names that are reserved or too deep
 */
export function fieldsOf(entries: readonly FormEntry[]): PlainObject {
  const fields = createPlainObject();
  const nested: (readonly [path: readonly string[], value: string])[] = [];
  let json = '';
  for (const [name, value] of entries) {
    const path = pathOf(name);
    if (path.length > 1) {
      nested.push([path[0] === 'data' ? path.slice(1) : path, value]);
    } else if (name === 'data') {
      json = value;
    } else {
      fields[allowedName(name)] = value;
    }
  }
  for (const [[name = '', ...rest], value] of nested) {
    fields[name] = extended(fields[name], rest, value);
  }
  // Clients send it empty where there is nothing to say.
  return json.trim() === '' ? fields : merged(fields, parsePlainObject(json, 'The field data'));
}

/** Members of all objects; where they have the same name, the later object wins. */
export function merged(...objects: readonly PlainObject[]): PlainObject {
  const all = createPlainObject();
  for (const object of objects) {
    for (const [name, value] of Object.entries(object)) {
      all[name] = value;
    }
  }
  return all;
}

function pathOf(name: string): readonly string[] {
  const [, first = name, rest = ''] = NESTED_NAME.exec(name) ?? [];
  const path = rest === '' ? [name] : [first, ...rest.slice(1, -1).split('][')];
  if (path.length > MAX_DEPTH) {
    throw new HttpError(400, `The name of a field has more than ${MAX_DEPTH} levels.`);
  }
  return path.map(allowedName);
}

/** `existing` with a value at `path` below it; an empty name appends to a list. What is of another kind is replaced. */
function extended(existing: unknown, [name, ...rest]: readonly string[], value: string): unknown {
  if (name === undefined) {
    return value;
  }
  if (name === '') {
    const list: unknown[] = Array.isArray(existing) ? existing : [];
    list.push(extended(undefined, rest, value));
    return list;
  }
  const object: Record<string, unknown> = isPlainObject(existing) ? existing : createPlainObject();
  object[name] = extended(object[name], rest, value);
  return object;
}
