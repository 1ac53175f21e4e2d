/** Sends requests to one of the local service's Hono apps in the test process, without a server, socket, or port. */
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';

import type { Hono } from 'hono';

/** Sends a request. Follows redirects only on request. */
export type Fetch = (url: URL, init?: RequestInit) => Promise<Response>;

/** Returns a `fetch` whose requests an app handles. Where routes use Node's request and response, it provides the members that they use. */
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
