/** The service as an HTTP server. */
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream';

import { getRequestListener, RequestError } from '@hono/node-server';
import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';

import { requireUser, type Authenticated } from './http/authentication.ts';
import { createLimitedServer, type ConnectionLimits } from './http/connectionLimits.ts';
import { answerError, failureAnswers, HttpError, notFound } from './http/errors.ts';
import { jsonp } from './http/jsonp.ts';
import { allowOnlyLoopbackHosts, LOOPBACK_ADDRESS, originAt, setSecurityHeaders } from './http/security.ts';
import { CLOSE_TIMEOUT_MS } from './limits.ts';
import type { Certificate } from './tls.ts';
import { addAccountPages } from './routes/account.ts';
import { addAppRoutes } from './routes/apps.ts';
import { addAuthorizationRoutes } from './routes/authorization.ts';
import { addCurrentSupportRoute } from './routes/currentSupport.ts';
import { addDownloadRoutes } from './routes/downloads.ts';
import { addKeyRoutes } from './routes/keys.ts';
import { addSignInPages } from './routes/signIn.ts';
import { addUserRoutes } from './routes/user.ts';
import { addInstanceRoute } from './runningInstance.ts';
import type { Service } from './service.ts';

export interface ServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Serves with TLS. */
  readonly certificate?: Certificate | undefined;
  readonly limits?: Partial<ConnectionLimits> | undefined;
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
  const { certificate, limits } = options;
  const server = createLimitedServer(limits);
  const listener =
    certificate === undefined ? server : (await import('./tls.ts')).createTlsListener(server, certificate);
  await once(listener.listen(options.port, LOOPBACK_ADDRESS), 'listening');
  const { port } = listener.address() as AddressInfo;
  const baseUrl = originAt(certificate === undefined ? 'http' : 'https', port);
  const app = createApp(service, baseUrl);
  // The library would close the connection half a second after an early answer: a busy client has not read it by then.
  const handleRequest = getRequestListener(app.fetch, {
    errorHandler: answerUnreadable(service.report),
    autoCleanupIncoming: false,
  });
  const answer: RequestListener = (request, response) => {
    if (!request.socket.destroyed) {
      setSecurityHeaders(response);
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
  return {
    port,
    baseUrl,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        server.close();
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
  app.route('/api/v1', createApi(service));
  addInstanceRoute(app, service, origin);
  addDownloadRoutes(app, service);
  addSignInPages(app, store);
  addAccountPages(app, store);
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
  addCurrentSupportRoute(api, service);
  return api;
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
