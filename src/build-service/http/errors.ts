/**
 * Creates error responses: JSON for programs, and a page for browsers. Also implements JSONP (contract, General
 * behaviours, 2).
 */
import type { Context, ErrorHandler, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import { MAX_NAME_LENGTH } from '../limits.ts';
import { errorPage } from '../pages/layout.ts';
import { errorCode, isDiskFull } from '../store/database.ts';
import { PackageError } from '../../android-package/index.ts';

/** An error with its response's status, message, and additional headers. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: ContentfulStatusCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: ContentfulStatusCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Creates a 401 error with the challenge that RFC 9110 §15.5.2 requires. For a JSONP request, uses a scheme that
 * browsers don't recognize. Otherwise, the browser would prompt for a user name and password on the page that contains
 * the script tag.
 */
export function unauthorized(c: Context, message: string): HttpError {
  const scheme = wantsJsonp(c) ? 'token' : 'Basic charset="UTF-8",';
  return new HttpError(401, message, { 'WWW-Authenticate': `${scheme} realm="Application Build Service"` });
}

/** Reports whether the response must be wrapped for a script tag (contract, General behaviours, 2). */
export function wantsJsonp(c: Context): boolean {
  return c.req.query('callback') !== undefined && answersJson(c);
}

/** Creates a 404 error for a resource that doesn't exist or that belongs to another user. */
export function notFound(message = 'not found'): HttpError {
  return new HttpError(404, message);
}

/**
 * Reports whether the response to a request must be JSON, even for an error. That's the case for the API, the token
 * endpoints, and programs that don't accept a page.
 */
function answersJson(c: Context): boolean {
  const { path, method } = c.req;
  return (
    /^\/(api|token|authorize\/token|instance)(\/|$)/.test(path) ||
    (path === '/authorize' && method !== 'GET' && method !== 'HEAD') ||
    !(c.req.header('accept') ?? '').includes('text/html')
  );
}

/** Reports whether reading a body failed because the client disconnected. No response can be sent in that case. */
function isClientGone(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE');
}

/** Status 507 (RFC 4918 §11.5). */
const DISK_FULL = new HttpError(
  507,
  'The service’s disk is full, so nothing was changed. Free some space and try again.',
);

/** Responds with `{"error": message}` (contract, Errors, 1), or with a page that shows the message. */
export async function answerError(c: Context, { status, message, headers }: HttpError): Promise<Response> {
  return answersJson(c)
    ? c.json({ error: message }, status, headers)
    : c.html(await errorPage(status, message), status, headers);
}

/**
 * Returns the service's error handler. It reports internal failures, without query values.
 *
 * @param report receives one line per internal failure
 */
export function failureAnswers(report: (line: string) => void): ErrorHandler {
  return (error, c) => {
    if (error instanceof HttpError) {
      return answerError(c, error);
    }
    if (error instanceof PackageError) {
      return answerError(c, new HttpError(400, error.message));
    }
    if (isClientGone(error)) {
      // The client disconnected, so the service didn't fail, and no one will receive this response.
      return answerError(c, new HttpError(400, 'The request is incomplete.'));
    }
    if (isDiskFull(error)) {
      report(`${c.req.method} ${reportedPath(c.req.path)}: no space is left for the data (${errorCode(error)}).`);
      return answerError(c, DISK_FULL);
    }
    report(`${c.req.method} ${reportedPath(c.req.path)}: ${error.stack ?? error.message}`);
    return answerError(c, new HttpError(500, 'internal server error'));
  };
}

/** Returns a path for use in reports. Hides download paths, because anyone who knows one can download the file. */
function reportedPath(path: string): string {
  return path.startsWith('/downloads/') ? '/downloads/…' : path;
}

const CALLBACK_NAME = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/;

/**
 * Wraps every JSON response as exactly `<callback>(<json>)` if the request has the parameter `callback`. Keeps the
 * status. Rejects a callback name that could contain script with 400 before handling the request, because the
 * contract's format doesn't allow a protective prefix.
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

/** Escapes U+2028 and U+2029, which are valid in JSON but end a line in JavaScript before ECMAScript 2019. */
function escapeLineSeparators(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
