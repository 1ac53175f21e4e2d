import { request as forward, type OutgoingHttpHeaders } from 'node:http';
import { serve, type TestServer } from '../../support/servers.ts';

/** A response to send instead of the service's. */
export interface StubbedAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** A proxy in front of the real service that records requests and replaces some responses. */
export interface InterceptingProxy extends Pick<TestServer, 'url' | 'close'> {
  /** Requests of the extension, such as `GET /api/v1/me`, without those of browsers. */
  readonly requests: string[];
  /** Called before every request of the extension. Undefined lets the request through. Can be asynchronous. */
  instead?:
    | ((path: string, authorization?: string) => StubbedAnswer | undefined | Promise<StubbedAnswer | undefined>)
    | undefined;
}

/** Starts the proxy. @param service base URL of the real service. Without it, `instead` must respond to all requests */
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
    // The service accepts only its own host name.
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
