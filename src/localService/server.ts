/** The service as an HTTP server. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { getRequestListener, RequestError } from '@hono/node-server';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { methodNotAllowed } from 'hono/method-not-allowed';

import { requireUser, type Authenticated } from './http/authentication.ts';
import { DEFAULT_CONNECTION_LIMITS, limitConnections, type ConnectionLimits } from './http/connectionLimits.ts';
import { answerError, HttpError, notFound } from './http/errors.ts';
import { jsonp } from './http/jsonp.ts';
import { refuseLargeForms } from './http/requestBody.ts';
import { allowOnlyLoopbackHosts, setSecurityHeaders } from './http/security.ts';
import { addAccountPages } from './routes/account.ts';
import { addAppRoutes } from './routes/apps.ts';
import { addAuthorizationPages } from './routes/authorization.ts';
import { addDownloadRoutes } from './routes/downloads.ts';
import { addInstanceRoute } from './routes/instance.ts';
import { addKeyRoutes } from './routes/keys.ts';
import { addOAuthRoutes } from './routes/oauth.ts';
import { addSignInPages } from './routes/signIn.ts';
import { addTokenRoutes } from './routes/token.ts';
import { addUserRoutes } from './routes/user.ts';
import type { Service } from './service.ts';
import { LOOPBACK_ADDRESS } from './store/instanceProof.ts';

export interface ServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly limits?: Partial<ConnectionLimits>;
}

export interface Server {
  readonly port: number;
  readonly baseUrl: string;
  /** Ends every connection. Resolves when nothing is left open. */
  close(): Promise<void>;
}

/**
 * Starts to listen on 127.0.0.1.
 *
 * @throws the system's error, with `code` EADDRINUSE when the port is taken
 */
export async function startServer(service: Service, options: ServerOptions): Promise<Server> {
  let boundPort = options.port;
  const app = createApp(service, () => boundPort);
  const limits = { ...DEFAULT_CONNECTION_LIMITS, ...options.limits };
  const handleRequest = getRequestListener(app.fetch, { errorHandler: answerUnreadable(service.report) });
  const answer: RequestListener = (request, response) => {
    setSecurityHeaders(response);
    void handleRequest(request, response);
  };
  // Node itself would answer a request without Host, and one with an unknown expectation, without a body.
  const server = createServer(
    { connectionsCheckingInterval: limits.headersTimeoutMs / 10, requireHostHeader: false },
    answer,
  ).on('checkExpectation', answer);
  limitConnections(server, limits);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, LOOPBACK_ADDRESS, () => {
      server.off('error', reject);
      resolve();
    });
  });
  boundPort = (server.address() as AddressInfo).port;
  return {
    port: boundPort,
    baseUrl: `http://${LOOPBACK_ADDRESS}:${boundPort}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers a request that does not reach the app, because its target or its Host makes no URL. */
function answerUnreadable(report: Service['report']): (error: unknown) => Response {
  return (error) => {
    if (error instanceof RequestError) {
      return Response.json({ error: 'malformed request' }, { status: 400 });
    }
    report(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return Response.json({ error: 'internal server error' }, { status: 500 });
  };
}

/** @param port tells the port, which is known only after the server has begun to listen */
function createApp(service: Service, port: () => number): Hono {
  const { store, report, now } = service;
  const app = new Hono({ getPath: ({ url }) => pathOf(url) });

  app.onError((error, c) => {
    if (error instanceof HttpError) {
      return answerError(c, error);
    }
    if (error instanceof HTTPException) {
      return answerError(c, new HttpError(error.status, 'The request was refused.'));
    }
    if ('code' in error && error.code === 'ECONNRESET') {
      // The client has gone while its body was read: no fault of the service, and nobody receives the answer.
      return answerError(c, new HttpError(400, 'The request is incomplete.'));
    }
    report(`${c.req.method} ${c.req.path}: ${error.stack ?? error.message}`);
    return answerError(c, new HttpError(500, 'internal server error'));
  });
  app.notFound((c) => answerError(c, notFound()));

  app.use(jsonp);
  app.use(allowOnlyLoopbackHosts(port));
  app.use(refuseLargeForms);
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        answerError(c, new HttpError(405, 'method not allowed', { Allow: methods.join(', ') })),
    }),
  );

  // Before the API, which asks for other credentials: one of these paths is below its own.
  addTokenRoutes(app, store);
  addOAuthRoutes(app, store, now);
  app.route('/api/v1', createApi(service));
  addInstanceRoute(app, store, port);
  addDownloadRoutes(app, service);
  addSignInPages(app, store, now);
  addAuthorizationPages(app, store, now);
  addAccountPages(app, store, now);
  return app;
}

/** The API below `/api/v1`: every request needs a user. */
function createApi(service: Service): Hono<Authenticated> {
  const { store } = service;
  const api = new Hono<Authenticated>();
  api.use(requireUser(store));
  addUserRoutes(api, store);
  addAppRoutes(api, service);
  addKeyRoutes(api, service);
  return api;
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
