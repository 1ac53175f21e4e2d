/** The service's HTTP server. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { finished } from 'node:stream';

import { getRequestListener, RequestError } from '@hono/node-server';
import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';

import { requireUser, type Authenticated } from './http/authentication.ts';
import { answerError, failureAnswers, HttpError, jsonp, notFound } from './http/errors.ts';
import { getLoopbackHosts, LOOPBACK_ADDRESS, originAt, SECURITY_HEADERS } from './http/security.ts';
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
import { startHttpServer, type HttpServer } from '../http-server/index.ts';

/** Options of {@link startServer}. */
export interface ServerOptions {
  /** Port to listen on. 0 chooses a free port. */
  readonly port: number;
  /** TLS certificate. `undefined` for plain HTTP. */
  readonly certificate?: Certificate | undefined;
  readonly limits?: Partial<typeof CONNECTION_TIMEOUTS> | undefined;
}

/** A running server. */
export interface Server extends HttpServer {
  readonly baseUrl: string;
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
  const toOrigin = (served: number): string => originAt(certificate === undefined ? 'http' : 'https', served);
  const tls = certificate === undefined ? undefined : await import('./tls.ts');
  const server = await startHttpServer({
    host: LOOPBACK_ADDRESS,
    port,
    maxConnections: MAX_CONNECTIONS,
    ...CONNECTION_TIMEOUTS,
    ...limits,
    closeTimeoutMs: 0,
    // Node's default response to a request without a Host header has no body, so `errorHandler` responds instead.
    requireHostHeader: false,
    createListener: certificate && tls && ((inner) => tls.createTlsListener(inner, certificate)),
    createHandlers: (served) => ({
      hosts: getLoopbackHosts(toOrigin(served)),
      answer: createRequestHandler(service, createApp(service, toOrigin(served))),
      answerOtherHost: createRequestHandler(service, createAppForOtherHosts(service)),
    }),
    // The contract's format (Errors, 1).
    describeRefusal: ({ message }) => ({
      headers: [['Content-Type', 'application/json'], ...SECURITY_HEADERS],
      body: JSON.stringify({ error: message }),
    }),
  });
  return { ...server, baseUrl: toOrigin(server.port) };
}

/** Returns the handler of an app's requests. */
function createRequestHandler(service: Service, app: Hono): RequestListener {
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
  const inTurn = createTurns(MAX_REQUESTS_PER_TURN);
  const begin: RequestListener = (request, response) => {
    if (request.socket.destroyed) {
      return;
    }
    // Set the headers on Node's response, because setting them on a web Response takes longer than handling the rest of
    // a request. Do this before anything can fail.
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
  };
  return (request, response) => inTurn(() => begin(request, response));
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

/**
 * Creates the app for requests from which the service must be protected, such as those of a website whose name resolves
 * to 127.0.0.1 (DNS rebinding).
 */
function createAppForOtherHosts({ report }: Service): Hono {
  const app = new Hono();
  app.onError(failureAnswers(report));
  app.use(jsonp);
  return app.all('*', () => {
    throw new HttpError(421, 'This service accepts requests only for 127.0.0.1 and localhost with its own port.');
  });
}

/** Creates the app, which responds as if it listened at `origin`. */
export function createApp(service: Service, origin: string): Hono {
  const { store, report } = service;
  const app = new Hono({ getPath: ({ url }) => getUrlPath(url) });

  app.onError(failureAnswers(report));
  app.notFound((c) => answerError(c, notFound()));

  app.use(jsonp);
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
