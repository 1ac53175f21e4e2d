/** How failures are answered: JSON for programs, a page for browsers. */
import type { Context } from 'hono';

import { ServiceError } from './errors.ts';
import { messagePage } from './pages/message.ts';

/** Whether a request belongs to the API and the token endpoints, whose every answer is JSON, rather than to the website. */
export function answersJson(c: Context): boolean {
  const { path, method } = c.req;
  return (
    /^\/(api|token|authorize\/token)(\/|$)/.test(path) ||
    (path === '/authorize' && method !== 'GET' && method !== 'HEAD') ||
    !(c.req.header('accept') ?? '').includes('text/html')
  );
}

/** Answers a failure: the contract's `{"error": message}`, or a page that says it to a person. */
export async function answerFailure(c: Context, { status, message, headers }: ServiceError): Promise<Response> {
  return answersJson(c)
    ? c.json({ error: message }, status, headers)
    : c.html(await messagePage(message), status, headers);
}
