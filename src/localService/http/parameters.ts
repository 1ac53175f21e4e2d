import type { Context } from 'hono';

import { HttpError } from './errors.ts';

/** Reads a parameter by name; the empty string when it was not sent. */
export type ParameterReader = (name: string) => string;

/**
 * The fields of a form body, urlencoded or multipart. A body of another kind has none.
 *
 * @throws HttpError 400 when the body is not what its type says
 */
export async function readForm(c: Context): Promise<ParameterReader> {
  let fields: Record<string, unknown>;
  try {
    fields = await c.req.parseBody();
  } catch {
    throw new HttpError(400, 'The form in the body is malformed.');
  }
  return (name) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
}

/**
 * Parameters of an OAuth call: the contract shows them in the query, real clients put them into a form body.
 *
 * @throws HttpError 400 as {@link readForm}
 */
export async function readParameters(c: Context): Promise<ParameterReader> {
  const form = await readForm(c);
  return (name) => c.req.query(name) ?? form(name);
}
