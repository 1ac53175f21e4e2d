/** Failures that a caller is told about, and how they are answered: as JSON to programs, as a page to browsers. */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import { errorPage } from '../pages/error.ts';

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

/** 401 with the challenge that RFC 9110 §15.5.2 asks for. */
export function unauthorized(message: string): HttpError {
  return new HttpError(401, message, {
    'WWW-Authenticate': 'Basic realm="Application Build Service", charset="UTF-8"',
  });
}

/** 404: it does not exist, or belongs to somebody else. */
export function notFound(message = 'not found'): HttpError {
  return new HttpError(404, message);
}

/**
 * Tells whether the answer to a request is JSON, whatever happens: so it is for the API and the token endpoints, and for
 * a program that asks the website for anything but a page.
 */
export function answersJson(c: Context): boolean {
  const { path, method } = c.req;
  return (
    /^\/(api|token|authorize\/token)(\/|$)/.test(path) ||
    (path === '/authorize' && method !== 'GET' && method !== 'HEAD') ||
    !(c.req.header('accept') ?? '').includes('text/html')
  );
}

/** Answers with `{"error": message}` (contract, Errors, 1), or with a page that says it to a person. */
export async function answerError(c: Context, { status, message, headers }: HttpError): Promise<Response> {
  return answersJson(c)
    ? c.json({ error: message }, status, headers)
    : c.html(await errorPage(message), status, headers);
}
