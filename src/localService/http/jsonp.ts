/** JSONP (contract, General behaviours, 2). */
import type { MiddlewareHandler } from 'hono';

import { MAX_NAME_LENGTH } from '../limits.ts';
import { HttpError, wantsJsonp } from './errors.ts';

const CALLBACK_NAME = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/;

/**
 * Wraps every JSON answer to a request with `callback` as exactly `<callback>(<json>)`; the status stays. A name that
 * could carry script is refused with 400, before anything is done: the contract's form leaves no room for a prefix that
 * would disarm it.
 */
export const jsonp: MiddlewareHandler = async (c, next) => {
  const name = c.req.query('callback') ?? '';
  if (!wantsJsonp(c)) {
    await next();
    return;
  }
  if (name.length > MAX_NAME_LENGTH || !CALLBACK_NAME.test(name)) {
    throw new HttpError(400, 'The callback must be the name of a function.');
  }
  await next();
  if (c.res.headers.get('content-type')?.startsWith('application/json')) {
    const { status, headers } = c.res;
    const body = `${name}(${escapeLineSeparators(await c.res.text())})`;
    c.res = undefined;
    c.res = new Response(body, { status, headers });
    c.res.headers.set('content-type', 'text/javascript; charset=UTF-8');
    c.res.headers.delete('content-length');
  }
};

/** U+2028 and U+2029 may stand in JSON, but end a line in JavaScript before ECMAScript 2019. */
function escapeLineSeparators(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
