import {
  createServer,
  request as forward,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { listen } from '../../support/listen.ts';

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
  instead?:
    | ((path: string, authorization?: string) => StubbedAnswer | undefined | Promise<StubbedAnswer | undefined>)
    | undefined;
  close(): Promise<void>;
}

/** @param service base URL of the real service; without one, everything needs to be answered by `instead`. */
export async function startInterceptingProxy(service = 'http://127.0.0.1:9'): Promise<InterceptingProxy> {
  const { port, close } = await listen(createServer((request, response) => void answer(request, response)));
  const front: InterceptingProxy = { url: `http://127.0.0.1:${port}`, requests: [], close };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    if (headers['user-agent'] === 'app-build-service') {
      const { pathname } = new URL(url, front.url);
      front.requests.push(`${method} ${pathname}`);
      const stub = await front.instead?.(pathname, headers.authorization);
      if (stub !== undefined) {
        response.writeHead(stub.status, { 'content-type': 'application/json', ...stub.headers }).end(stub.body);
        return;
      }
    }
    // The service answers only to its own name.
    const { host } = new URL(service);
    const upstream = forward(new URL(url, service), { method, headers: { ...headers, host } }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  }

  return front;
}
