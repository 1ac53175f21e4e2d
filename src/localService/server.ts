/** The service as an HTTP server. */
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
import { CLOSE_TIMEOUT_MS, CONNECTION_TIMEOUTS, MAX_CONNECTIONS } from './limits.ts';
import type { Certificate } from './tls.ts';
import { addAccountPages } from './routes/account.ts';
import { appLink } from './routes/appActions.ts';
import { addAppRoutes } from './routes/apps.ts';
import { addAuthorizationRoutes } from './routes/authorization.ts';
import { addCurrentSupportRoute } from './routes/currentSupport.ts';
import { addDownloadRoutes } from './routes/downloads.ts';
import { addKeyRoutes, keysByPlatform } from './routes/keys.ts';
import { addSignInPages } from './routes/signIn.ts';
import { addInstanceRoute } from './runningInstance.ts';
import type { Service } from './service.ts';
import { findApps, roleIn } from './store/apps.ts';
import type { User } from './store/model.ts';
import type { Store } from './store/store.ts';

export interface ServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Serves with TLS. */
  readonly certificate?: Certificate | undefined;
  readonly limits?: Partial<typeof CONNECTION_TIMEOUTS> | undefined;
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
export async function startServer(
  service: Service,
  { port, certificate, limits = {} }: ServerOptions,
): Promise<Server> {
  const { headersTimeoutMs, requestTimeoutMs, idleTimeoutMs } = { ...CONNECTION_TIMEOUTS, ...limits };
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: headersTimeoutMs / 10,
    // Node itself would answer a request without Host without a body.
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
  // The library would close the connection half a second after an early answer: a busy client has not read it by then.
  const handleRequest = getRequestListener(app.fetch, {
    // A request does not reach the app when its target or its Host makes no URL.
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
  const answer: RequestListener = (request, response) => {
    latest.set(request.socket, response);
    if (!request.socket.destroyed) {
      // Before anything can fail, on Node's response: touching the headers of a web Response costs more than the rest of a request.
      SECURITY_HEADERS.forEach(([name, value]) => response.setHeader(name, value));
      const { shouldKeepAlive } = response;
      // Node would close the connection with an answer, though the body has not been read: that resets it (RFC 9112, 9.6).
      let decided: boolean | undefined;
      Object.defineProperty(response, 'shouldKeepAlive', {
        get: () => decided ?? (shouldKeepAlive || !request.complete),
        // Node decides where a client still waits to be asked for the body: it does not come.
        set: (value: boolean) => {
          decided = value;
        },
      });
      response.once('finish', () => leaveUnread(request, shouldKeepAlive));
      void handleRequest(request, response);
    }
  };
  server.on('request', answer);
  // Node itself would answer an unknown expectation without a body, and ask for uploads that may be refused unread.
  server.on('checkExpectation', answer);
  server.on('checkContinue', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The error comes again with the bytes that follow; it is answered once.
    if (!socket.writable) {
      return;
    }
    const response = latest.get(socket);
    if (response?.headersSent === true && !response.req.complete) {
      // The rest of a request that has its answer, or a part of it.
      socket.destroy();
      return;
    }
    refuse(socket, REFUSALS[error.code ?? ''] ?? ['400 Bad Request', 'malformed request']);
  });
  server.on('connect', (_request, socket: Duplex) => {
    // Node has removed its own listener. Without one, an error such as a reset would end the process.
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

/** Status line and message of a request that is not HTTP, by the code of Node's error. */
const REFUSALS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'The chunk extensions of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/** Answers a request that has no response object, as the contract asks (Errors, 1), and closes the connection. */
function refuse(socket: Duplex, [status, message]: readonly [status: string, message: string]): void {
  const body = JSON.stringify({ error: message });
  const headers = [
    ['Content-Type', 'application/json'],
    ['Content-Length', body.length],
    ['Connection', 'close'],
    ...SECURITY_HEADERS,
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('')}\r\n${body}`);
  // A client that never closes its side would keep the connection for ever.
  const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Lets a client end a body that nobody wants, so that it reads the answer; one that goes on and on is left. */
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

/** The app that answers, as if it listened at `origin`. */
export function createApp(service: Service, origin: string): Hono {
  const { store, report } = service;
  const app = new Hono({ getPath: ({ url }) => pathOfUrl(url) });

  app.onError(failureAnswers(report));
  app.notFound((c) => answerError(c, notFound()));

  app.use(jsonp);
  app.use(allowOnlyLoopbackHosts(origin));
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: async (c, methods) => {
        // A resource that does not exist, or not for this user, is not found whatever the method.
        const found = methods.includes('GET')
          ? await app.request(c.req.url, { headers: c.req.header() }, c.env)
          : undefined;
        if (found?.status === 404) {
          return found;
        }
        // It may be a file that is open.
        await found?.body?.cancel();
        return answerError(c, new HttpError(405, 'method not allowed', { Allow: methods.join(', ') }));
      },
    }),
  );

  addAuthorizationRoutes(app, store);
  // Every request of the API needs a user.
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

/** The user resource, which is the API's home too (contract, endpoints 1 and 2). */
function userResource(store: Store, user: User): object {
  // The first page: `link` leads to all of them.
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

/** The path of an absolute URL, without trailing slashes: they mean nothing, and real clients send them. */
function pathOfUrl(url: string): string {
  // A host has a character at least, so that this passes over `http://` too.
  const start = url.indexOf('/', 'https://'.length);
  const end = url.search(/[?#]/);
  let last = end < 0 ? url.length : end;
  while (last > start + 1 && url[last - 1] === '/') {
    last -= 1;
  }
  return url.slice(start, last);
}
