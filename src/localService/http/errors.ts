/** Failures, and how they are answered: as JSON to programs, as a page to browsers. And JSONP (contract, General behaviours, 2). */
import type { Context, ErrorHandler, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import { PackageError } from '../builds/packages/archiveContents.ts';
import { MAX_NAME_LENGTH } from '../limits.ts';
import { errorPage } from '../pages/layout.ts';
import { errorCode, isDiskFull } from '../store/database.ts';

/** A failure with the status and the message that the caller gets, and further headers of the answer. */
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
 * 401 with the challenge that RFC 9110 §15.5.2 asks for. A JSONP request gets one that browsers do not know: they would ask
 * a person for user name and password in the name of the page that holds the script tag.
 */
export function unauthorized(c: Context, message: string): HttpError {
  const scheme = wantsJsonp(c) ? 'token' : 'Basic charset="UTF-8",';
  return new HttpError(401, message, { 'WWW-Authenticate': `${scheme} realm="Application Build Service"` });
}

/** Whether the answer is to be wrapped for a script tag (contract, General behaviours, 2). */
export function wantsJsonp(c: Context): boolean {
  return c.req.query('callback') !== undefined && answersJson(c);
}

/** 404: it does not exist, or belongs to another user. */
export function notFound(message = 'not found'): HttpError {
  return new HttpError(404, message);
}

/**
 * Whether the answer to a request is JSON, whatever happens: so it is for the API and the token endpoints, and for
 * a program that asks the website for anything but a page.
 */
function answersJson(c: Context): boolean {
  const { path, method } = c.req;
  return (
    /^\/(api|token|authorize\/token|instance)(\/|$)/.test(path) ||
    (path === '/authorize' && method !== 'GET' && method !== 'HEAD') ||
    !(c.req.header('accept') ?? '').includes('text/html')
  );
}

/** Whether reading a body failed because the client has gone, so that no answer reaches it. */
function isClientGone(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE');
}

/** RFC 4918 §11.5. */
const DISK_FULL = new HttpError(
  507,
  'The disk of the service is full, so nothing was changed. Free some space, and try again.',
);

/** Answers with `{"error": message}` (contract, Errors, 1), or with a page that has the message. */
export async function answerError(c: Context, { status, message, headers }: HttpError): Promise<Response> {
  return answersJson(c)
    ? c.json({ error: message }, status, headers)
    : c.html(await errorPage(status, message), status, headers);
}

/**
 * Makes the answer to every error of a route. Failures of the service itself are reported, without query values.
 *
 * @param report receives a line for each failure inside the service
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
      // No fault of the service, and there is no one to receive the answer.
      return answerError(c, new HttpError(400, 'The request is incomplete.'));
    }
    if (isDiskFull(error)) {
      report(`${c.req.method} ${reportedPath(c.req.path)}: there is no space left for the data (${errorCode(error)}).`);
      return answerError(c, DISK_FULL);
    }
    report(`${c.req.method} ${reportedPath(c.req.path)}: ${error.stack ?? error.message}`);
    return answerError(c, new HttpError(500, 'internal server error'));
  };
}

/** A path as reports have it: that of a download is a capability. */
function reportedPath(path: string): string {
  return path.startsWith('/downloads/') ? '/downloads/…' : path;
}

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
