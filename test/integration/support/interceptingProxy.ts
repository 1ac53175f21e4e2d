import { request as forward, type OutgoingHttpHeaders } from 'node:http';
import { serve, type TestServer } from '../../support/servers.ts';

/** An answer that is given instead of the service's. */
export interface StubbedAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** Stands before the real service, sees what arrives, and answers some of it differently. */
export interface InterceptingProxy extends Pick<TestServer, 'url' | 'close'> {
  /** Requests of the extension, such as `GET /api/v1/me`; without what browsers ask. */
  readonly requests: string[];
  /** Called before every request of the extension; undefined lets the request through. May wait. */
  instead?:
    | ((path: string, authorization?: string) => StubbedAnswer | undefined | Promise<StubbedAnswer | undefined>)
    | undefined;
}

/** @param service base URL of the real service; without one, everything needs to be answered by `instead`. */
export async function startInterceptingProxy(service = 'http://127.0.0.1:9'): Promise<InterceptingProxy> {
  const { url: own, close } = await serve(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    if (headers['user-agent'] === 'app-build-service') {
      const { pathname } = new URL(url, own);
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
  });
  const front: InterceptingProxy = { url: own, requests: [], close };
  return front;
}
