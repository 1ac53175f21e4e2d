/** The service as an HTTP server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { methodNotAllowed } from 'hono/method-not-allowed';

import { answerFailure } from './answers.ts';
import { addApi } from './routes/api.ts';
import { defaultLimits, limitConnections, type Limits } from './connections.ts';
import { addDownloads } from './routes/downloads.ts';
import { notFound, ServiceError } from './errors.ts';
import { maximumBody, onlyLoopbackHosts, setSafeHeaders } from './guards.ts';
import { jsonp } from './jsonp.ts';
import { addTokenEndpoints } from './routes/oauth.ts';
import type { Store } from './store/store.ts';
import { addWebsite } from './routes/website.ts';

const address = '127.0.0.1';

export interface ServiceOptions {
  readonly store: Store;
  /** Receives a line for each failure inside the service, without query values. */
  readonly report: (line: string) => void;
  /** The clock, milliseconds since the epoch. */
  readonly now?: () => number;
  readonly limits?: Partial<Limits>;
}

export interface Service {
  readonly port: number;
  readonly baseUrl: string;
  /** Ends every connection. Resolves when nothing is left open. */
  close(): Promise<void>;
}

/**
 * Starts to listen on 127.0.0.1.
 *
 * @param port 0 takes a free one
 * @throws the system's error, with `code` EADDRINUSE when the port is taken
 */
export async function listen(options: ServiceOptions, port: number): Promise<Service> {
  let bound = port;
  const app = createApp(options, () => bound);
  const limits = { ...defaultLimits, ...options.limits };
  const answer = getRequestListener(app.fetch);
  const server = createServer({ connectionsCheckingInterval: limits.headers / 10 }, (request, response) => {
    setSafeHeaders(response);
    void answer(request, response);
  });
  limitConnections(server, limits);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
  bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    baseUrl: `http://${address}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createApp({ store, report, now = Date.now }: ServiceOptions, port: () => number): Hono {
  const app = new Hono({ getPath: ({ url }) => pathOf(url) });

  app.onError((error, c) => {
    if (error instanceof ServiceError) {
      return answerFailure(c, error);
    }
    if (error instanceof HTTPException) {
      return answerFailure(c, new ServiceError(error.status, 'The request was refused.'));
    }
    report(`${c.req.method} ${c.req.path}: ${error.stack ?? error.message}`);
    return answerFailure(c, new ServiceError(500, 'internal server error'));
  });
  app.notFound((c) => answerFailure(c, notFound()));

  app.use(jsonp);
  app.use(onlyLoopbackHosts(port));
  const limited = bodyLimit({
    maxSize: maximumBody,
    onError: () => {
      throw new ServiceError(413, `The body is larger than ${maximumBody} bytes.`);
    },
  });
  // The body of a GET is never read; looking for it would make a whole web Request.
  app.use((c, next) => (c.req.method === 'GET' ? next() : limited(c, next)));
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        answerFailure(c, new ServiceError(405, 'method not allowed', { Allow: methods.join(', ') })),
    }),
  );
  addTokenEndpoints(app, store, now);
  addApi(app, store, now);
  addDownloads(app, store, now);
  addWebsite(app, store, now);
  return app;
}

/** The path of an absolute URL, without trailing slashes: they mean nothing, and real clients send them. */
function pathOf(url: string): string {
  const start = url.indexOf('/', 'http://'.length);
  const end = url.search(/[?#]/);
  let last = end < 0 ? url.length : end;
  while (last > start + 1 && url[last - 1] === '/') {
    last -= 1;
  }
  return url.slice(start, last);
}
