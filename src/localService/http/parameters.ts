import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

import type { FormEntry } from './formFields.ts';
import { readMultipart } from './multipart.ts';
import { hasBody, mediaTypeOf, readBody } from './requestBody.ts';

/** Reads a parameter by name; the empty string when it was not sent. */
export type ParameterReader = (name: string) => string;

/**
 * The fields of a form body, urlencoded or multipart. A body of another kind has none.
 *
 * @throws HttpError 400 when the body is not what its type says, 413 when it is too large
 */
export async function readForm(c: Context): Promise<ParameterReader> {
  const fields = new Map(await readEntries(c.env as HttpBindings));
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

async function readEntries(bindings: HttpBindings): Promise<readonly FormEntry[]> {
  const { incoming } = bindings;
  const type = mediaTypeOf(incoming);
  if (type === 'multipart/form-data' && hasBody(incoming)) {
    return (await readMultipart(bindings)).entries;
  }
  const text = (await readBody(bindings)).toString('utf8');
  return type === 'application/x-www-form-urlencoded' ? [...new URLSearchParams(text)] : [];
}
