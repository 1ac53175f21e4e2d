/** What every request passes before anything reads it, and what every answer carries. */
import type { ServerResponse } from 'node:http';

import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';

import { ServiceError } from './errors.ts';

/** Bytes a request body may have. */
export const maximumBody = 1024 * 1024;

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Accepts only requests that name this machine's loopback and `port`: a website that lets its own name point to
 * 127.0.0.1 (DNS rebinding) arrives with another Host.
 */
export function onlyLoopbackHosts(port: () => number): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (c, next) => {
    // As Node has it: making the Headers of a web Request takes longer than everything else here.
    const { headers, url = '' } = c.env.incoming;
    const host = headers.host?.toLowerCase() ?? '';
    const suffix = port() === 80 ? '' : `:${port()}`;
    const named = host.endsWith(suffix) && loopbackNames.includes(host.slice(0, host.length - suffix.length));
    // A request may name a host in its first line, too (RFC 9112 §3.2.2).
    if (!named || !(url.startsWith('/') || URL.parse(url)?.host === host)) {
      throw new ServiceError(421, 'This service answers only as 127.0.0.1 and localhost, with its own port.');
    }
    await next();
  };
}

/**
 * Headers of every answer, set before anything can fail; the policy of pages is stricter and replaces this one. No CORS header,
 * ever. On Node's response, because touching those of a web Response costs more than the rest of a request.
 */
export function setSafeHeaders(response: ServerResponse): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Content-Security-Policy', defaultPolicy);
}

/** The Content-Security-Policy of a page: no script at all, one stylesheet, no frames. */
export function pagePolicy(formAction = ''): string {
  const directives = [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    formAction,
  ];
  return directives.filter((directive) => directive !== '').join('; ');
}

const defaultPolicy = pagePolicy("form-action 'self'");
