/** Requests to a Hono app of the local service in the process of the test: without a server, a socket and a port. */
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';

import type { Hono } from 'hono';

/** Sends a request, and follows no redirect unless it is told to. */
export type Fetch = (url: URL, init?: RequestInit) => Promise<Response>;

/** Answers requests by an app. Where Node's own request and response are asked for, there is what the routes use of them. */
export function fetchFrom(app: Hono): Fetch {
  return async (url, init) => {
    const request = new Request(url, init);
    const { method, headers } = request;
    const body = Buffer.from(await request.arrayBuffer());
    const incoming = Object.assign(Readable.from(body.length === 0 ? [] : [body]), {
      method,
      url: url.pathname + url.search,
      socket: {},
      headers: {
        host: url.host,
        ...(body.length > 0 && !headers.has('transfer-encoding') && { 'content-length': String(body.length) }),
        ...Object.fromEntries(headers),
      },
    });
    const bindings = { incoming, outgoing: new EventEmitter() };
    return app.request(new Request(url, { method, headers }), undefined, bindings);
  };
}
