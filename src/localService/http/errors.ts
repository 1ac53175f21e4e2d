/** Failures that are answered to the caller. */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

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
export function answersJson(c: Context): boolean {
  const { path, method } = c.req;
  return (
    /^\/(api|token|authorize\/token|instance)(\/|$)/.test(path) ||
    (path === '/authorize' && method !== 'GET' && method !== 'HEAD') ||
    !(c.req.header('accept') ?? '').includes('text/html')
  );
}
