/** The service's HTTP server. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished, type Duplex } from 'node:stream';

import { getRequestListener, RequestError } from '@hono/node-server';
import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';

import { requireUser, type Authenticated } from './http/authentication.ts';
import { answerError, failureAnswers, HttpError, jsonp, notFound } from './http/errors.ts';
import { allowOnlyLoopbackHosts, LOOPBACK_ADDRESS, originAt, SECURITY_HEADERS } from './http/security.ts';
import { createTurns } from './http/turns.ts';
import { CLOSE_TIMEOUT_MS, CONNECTION_TIMEOUTS, MAX_CONNECTIONS, MAX_REQUESTS_PER_TURN } from './limits.ts';
import { addAccountPages } from './routes/accountRoutes.ts';
import { appLink } from './routes/appActions.ts';
import { addAppRoutes } from './routes/appRoutes.ts';
import { addAuthorizationRoutes } from './routes/authorization.ts';
import { addCurrentSupportRoute } from './routes/currentSupport.ts';
import { addDownloadRoutes } from './routes/downloads.ts';
import { addKeyRoutes, keysByPlatform } from './routes/keyRoutes.ts';
import { addSignInPages } from './routes/signInRoutes.ts';
import { addInstanceRoute } from './runningInstance.ts';
import type { Service } from './service.ts';
import { findApps, roleIn } from './store/apps.ts';
import type { User } from './store/model.ts';
import type { Store } from './store/store.ts';
import type { Certificate } from '../android-package/index.ts';

/** Options of {@link startServer}. */
export interface ServerOptions {
  /** Port to listen on. 0 chooses a free port. */
  readonly port: number;
  /** TLS certificate. `undefined` for plain HTTP. */
  readonly certificate?: Certificate | undefined;
  readonly limits?: Partial<typeof CONNECTION_TIMEOUTS> | undefined;
}

/** A running server. */
export interface Server {
  readonly port: number;
  readonly baseUrl: string;
  /** Closes every connection. Resolves when all are closed. */
  close(): Promise<void>;
}

/**
 * Starts the server on 127.0.0.1.
 *
 * @throws the system's error, with `code` EADDRINUSE if the port is in use
 */
export async function startServer(
  service: Service,
  { port, certificate, limits = {} }: ServerOptions,
): Promise<Server> {
  const { headersTimeoutMs, requestTimeoutMs, idleTimeoutMs } = { ...CONNECTION_TIMEOUTS, ...limits };
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: headersTimeoutMs / 10,
    // Node's default response to a request without a Host header has no body, so `errorHandler` responds instead.
    requireHostHeader: false,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = idleTimeoutMs;
  const listener =
    certificate === undefined ? server : (await import('./tls.ts')).createTlsListener(server, certificate);
  await once(listener.listen(port, LOOPBACK_ADDRESS), 'listening');
  const address = listener.address() as AddressInfo;
  const baseUrl = originAt(certificate === undefined ? 'http' : 'https', address.port);
  const app = createApp(service, baseUrl);
  // By default, the library closes the connection half a second after an early response, before a busy client has read
  // it.
  const handleRequest = getRequestListener(app.fetch, {
    // The app doesn't receive a request whose target or Host isn't valid in a URL.
    errorHandler: (error) => {
      const isRefused = error instanceof RequestError;
      if (!isRefused) {
        service.report(error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
      const message = isRefused ? 'malformed request' : 'internal server error';
      return Response.json({ error: message }, { status: isRefused ? 400 : 500 });
    },
    autoCleanupIncoming: false,
  });
  const latest = new WeakMap<Duplex, ServerResponse>();
  const inTurn = createTurns(MAX_REQUESTS_PER_TURN);
  const answer: RequestListener = (request, response) => {
    latest.set(request.socket, response);
    inTurn(() => begin(request, response));
  };
  const begin: RequestListener = (request, response) => {
    if (!request.socket.destroyed) {
      // Set the headers on Node's response, because setting them on a web Response takes longer than handling the rest
      // of a request. Do this before anything can fail.
      SECURITY_HEADERS.forEach(([name, value]) => response.setHeader(name, value));
      const { shouldKeepAlive } = response;
      // After responding to a request with an unread body, Node would close and thereby reset the connection (RFC 9112,
      // 9.6).
      let decided: boolean | undefined;
      Object.defineProperty(response, 'shouldKeepAlive', {
        get: () => decided ?? (shouldKeepAlive || !request.complete),
        // Node sets this if the client is still waiting for permission to send the body. In that case, the body never
        // arrives.
        set: (value: boolean) => {
          decided = value;
        },
      });
      response.once('finish', () => leaveUnread(request, shouldKeepAlive));
      void handleRequest(request, response);
    }
  };
  server.on('request', answer);
  // Node's default response to an unknown expectation doesn't have a body. Node also asks for uploads that the service
  // may reject without reading them.
  server.on('checkExpectation', answer);
  server.on('checkContinue', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The error recurs with every further piece of data, so respond only once.
    if (!socket.writable) {
      return;
    }
    const response = latest.get(socket);
    if (response?.headersSent === true && !response.req.complete) {
      // These bytes belong to a request that already has at least part of a response.
      socket.destroy();
      return;
    }
    refuse(socket, REFUSALS[error.code ?? ''] ?? ['400 Bad Request', 'malformed request']);
  });
  server.on('connect', (_request, socket: Duplex) => {
    // Node has removed its own listener. Without a listener, an error such as a reset would crash the process.
    socket.on('error', () => undefined);
    refuse(socket, ['405 Method Not Allowed', 'method not allowed']);
  });
  return {
    port: address.port,
    baseUrl,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        server.close();
        server.closeAllConnections();
      }),
  };
}

/** Status lines and messages for requests that aren't valid HTTP, keyed by Node's error code. */
const REFUSALS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'The chunk extensions of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/**
 * Responds to a request that Node doesn't provide a response object for, in the contract's format (Errors, 1). Closes
 * the connection.
 */
function refuse(socket: Duplex, [status, message]: readonly [status: string, message: string]): void {
  const body = JSON.stringify({ error: message });
  const headers = [
    ['Content-Type', 'application/json'],
    ['Content-Length', body.length],
    ['Connection', 'close'],
    ...SECURITY_HEADERS,
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('')}\r\n${body}`);
  // Otherwise, a client that never closes its side would keep the connection open.
  const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Lets a client finish sending a body that the service doesn't read, so that the client then reads the response. Closes
 * the connection after a timeout.
 */
function leaveUnread(request: IncomingMessage, shouldKeepAlive: boolean): void {
  const leave = (): void => request.socket.destroySoon();
  if (!request.complete) {
    const timer = setTimeout(leave, CLOSE_TIMEOUT_MS).unref();
    request.once('close', () => clearTimeout(timer)).resume();
  }
  if (!shouldKeepAlive) {
    finished(request, leave);
  }
}

/** Creates the app, which responds as if it listened at `origin`. */
export function createApp(service: Service, origin: string): Hono {
  const { store, report } = service;
  const app = new Hono({ getPath: ({ url }) => getUrlPath(url) });

  app.onError(failureAnswers(report));
  app.notFound((c) => answerError(c, notFound()));

  app.use(jsonp);
  app.use(allowOnlyLoopbackHosts(origin));
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: async (c, methods) => {
        // The response is 404 for every method if the resource doesn't exist or this user can't see it.
        const found = methods.includes('GET')
          ? await app.request(c.req.url, { headers: c.req.header() }, c.env)
          : undefined;
        if (found?.status === 404) {
          return found;
        }
        // Cancel the body, which can be an open file.
        await found?.body?.cancel();
        return answerError(c, new HttpError(405, 'method not allowed', { Allow: methods.join(', ') }));
      },
    }),
  );

  addAuthorizationRoutes(app, store);
  // Every API request requires a user.
  const api = new Hono<Authenticated>();
  api.use(requireUser(store));
  for (const path of ['/', '/me']) {
    api.get(path, (c) => c.json(userResource(store, c.var.user)));
  }
  addAppRoutes(api, service);
  addKeyRoutes(api, service);
  addCurrentSupportRoute(api, service);
  app.route('/api/v1', api);
  addInstanceRoute(app, service, origin);
  addDownloadRoutes(app, service);
  addSignInPages(app, store);
  addAccountPages(app, store);
  return app;
}

/** Returns the user resource, which is also the API's home (contract, endpoints 1 and 2). */
function userResource(store: Store, user: User): object {
  // This is only the first page. `link` leads to all apps.
  const { apps } = findApps(store, user.id);
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    link: '/api/v1/me',
    apps: {
      link: '/api/v1/apps',
      all: apps.map((app) => ({ title: app.title, role: roleIn(app, user.id), link: appLink(app) })),
    },
    keys: keysByPlatform(store, user.id),
    links: { current_support: '/api/v1/current_support' },
  };
}

/** Returns the path of an absolute URL. Removes trailing slashes, which real clients send. */
function getUrlPath(url: string): string {
  // Skip the scheme. A host has at least one character, so this also works for `http://`.
  const start = url.indexOf('/', 'https://'.length);
  const end = url.search(/[?#]/);
  let last = end < 0 ? url.length : end;
  while (last > start + 1 && url[last - 1] === '/') {
    last -= 1;
  }
  return url.slice(start, last);
}
