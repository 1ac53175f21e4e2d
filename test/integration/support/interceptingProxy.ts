import { EventEmitter, once } from 'node:events';
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer that is given instead of the service's. */
export interface StubbedAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** Stands before the real service, sees what arrives, and answers some of it differently. */
export interface InterceptingProxy {
  readonly url: string;
  /** Requests of the extension, such as `GET /api/v1/me`; without what browsers ask. */
  readonly requests: string[];
  /** Called before every request of the extension; undefined lets the request through. May wait. */
  instead:
    | ((
        path: string,
        authorization: string | undefined,
      ) => StubbedAnswer | undefined | Promise<StubbedAnswer | undefined>)
    | undefined;
  /** Resolves when the extension has sent this request. */
  waitForRequest(line: string): Promise<void>;
  /** Resolves with the next request of the extension. */
  nextRequest(): Promise<void>;
  close(): Promise<void>;
}

/** @param service base URL of the real service; without one, everything needs to be answered by `instead`. */
export async function startInterceptingProxy(service?: string): Promise<InterceptingProxy> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const arrivals = new EventEmitter<{ request: [] }>();
  const front: InterceptingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    instead: undefined,
    waitForRequest: async (line) => {
      while (!front.requests.includes(line)) {
        await once(arrivals, 'request');
      }
    },
    nextRequest: async () => {
      await once(arrivals, 'request');
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? '/';
    const own = request.headers['user-agent'] === 'app-build-service';
    if (own) {
      const { pathname } = new URL(target, front.url);
      front.requests.push(`${request.method ?? ''} ${pathname}`);
      arrivals.emit('request');
      const answerInstead = await front.instead?.(pathname, request.headers.authorization);
      if (answerInstead !== undefined) {
        response
          .writeHead(answerInstead.status, { 'content-type': 'application/json', ...answerInstead.headers })
          .end(answerInstead.body);
        return;
      }
    }
    if (service === undefined) {
      response.writeHead(404).end();
      return;
    }
    // The service answers only to its own name.
    const options = { method: request.method ?? 'GET', headers: { ...request.headers, host: new URL(service).host } };
    const upstream = forward(new URL(target, service), options, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  }

  return front;
}
