import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Server as Listener, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { MAX_PIPELINED_REQUESTS, REFUSAL_TIMEOUT_MS } from './limits.ts';

/** Reason why a server closes a connection without calling its request handler. */
interface Refusal {
  readonly status: 400 | 405 | 408 | 413 | 431;
  /** English sentence for developers. */
  readonly message: string;
}

/** Options of {@link startHttpServer}. */
interface HttpServerOptions extends Pick<ServerOptions, 'maxHeaderSize' | 'requireHostHeader'> {
  /** IP address to listen on. */
  readonly host: string;
  /** Port to listen on. 0 chooses a free port. */
  readonly port: number;
  /** Further connections are closed. */
  readonly maxConnections: number;
  /** Time, in ms, to receive the headers of a request, from the start of the connection. */
  readonly headersTimeoutMs: number;
  /** Time, in ms, to receive a whole request. */
  readonly requestTimeoutMs: number;
  /** Time, in ms, without traffic on a connection, during a response as well. */
  readonly idleTimeoutMs: number;
  /** Time, in ms, for open responses to end after the server is closed. */
  readonly closeTimeoutMs: number;
  /** Returns the handlers of requests. @param port port that the server listens on */
  readonly createHandlers: (port: number) => RequestHandlers;
  /** Returns the content of the response to a connection that the server refuses. By default, it's empty. */
  readonly describeRefusal?: (refusal: Refusal) => RefusalContent;
  /** Returns a listener that passes its connections to the server, such as one for TLS. */
  readonly createListener?: ((server: Server) => Listener) | undefined;
}

/** Handlers of requests, including those that wait for permission to send their body. */
interface RequestHandlers {
  /** Names of the server in lowercase, with the port unless it's the default of the scheme. */
  readonly hosts: ReadonlySet<string>;
  /** Responds to a request for one of the hosts. Its URL is only a path and a query. */
  readonly answer: RequestListener;
  /** Responds to a request for another host with 421 (RFC 9110 §15.5.20). */
  readonly answerOtherHost: RequestListener;
}

interface RefusalContent {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** A running server. */
export interface HttpServer {
  readonly port: number;
  /** Stops listening and ends every connection. Resolves when all are closed. Can be called again. */
  close(): Promise<void>;
}

/** What the server knows about a connection. */
interface Connection {
  latest: ServerResponse | undefined;
  /** Responses that haven't ended. */
  readonly open: Set<ServerResponse>;
}

/** Refusals by Node's error code. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
};
const MALFORMED: Refusal = { status: 400, message: 'malformed request' };
const TUNNEL: Refusal = { status: 405, message: 'method not allowed' };

/** Checks of the timeouts, per timeout for headers. */
const CHECKS_PER_TIMEOUT = 10;

/**
 * Starts a server. Whatever a client sends or omits, its connection ends, and no error of a connection reaches the
 * process.
 *
 * @throws the system's error if it can't listen, such as one with `code` EADDRINUSE
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, port, headersTimeoutMs, requestTimeoutMs, createListener, maxHeaderSize, requireHostHeader } = options;
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: headersTimeoutMs / CHECKS_PER_TIMEOUT,
    maxHeaderSize,
    requireHostHeader,
  });
  server.maxConnections = options.maxConnections;
  server.timeout = options.idleTimeoutMs;
  const listener = createListener?.(server) ?? server;
  const connections = trackConnections(new Set([listener, server]));
  refuseInvalid(server, connections, options);
  await once(listener.listen({ host, port, exclusive: true }), 'listening');
  // A connection that can't be accepted doesn't concern the others.
  listener.on('error', () => undefined);
  const address = listener.address() as AddressInfo;
  const receive = limitPipelining(connections, options.createHandlers(address.port));
  // Node's own responses to an expectation ask for a body that the handler may reject, or lack a body themselves.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, receive);
  }
  let closing: Promise<void> | undefined;
  return { port: address.port, close: () => (closing ??= close(listener, server, connections, options)) };
}

/** Returns a server's open connections. Node knows only those with HTTP, and not those with CONNECT. */
function trackConnections(servers: Iterable<Listener>): ReadonlyMap<Duplex, Connection> {
  const connections = new Map<Duplex, Connection>();
  const track = (socket: Socket): void => {
    const open = new Set<ServerResponse>();
    connections.set(socket, { latest: undefined, open });
    // Node removes its own listener on CONNECT. Without a listener, an error such as a reset would crash the process.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      connections.delete(socket);
      // Node 22 closes only the first response. The others would keep their files open.
      setImmediate(() => [...open].forEach((response) => response.emit('close')));
    });
  };
  for (const server of servers) {
    server.on('connection', track);
  }
  return connections;
}

/** Returns a request handler that ends a connection with too many requests that wait for the end of their responses. */
function limitPipelining(
  connections: ReadonlyMap<Duplex, Connection>,
  { hosts, answer, answerOtherHost }: RequestHandlers,
): RequestListener {
  return (request, response) => {
    const connection = connections.get(request.socket);
    if (connection === undefined || request.socket.destroyed) {
      return;
    }
    const { open } = connection;
    if (open.size >= MAX_PIPELINED_REQUESTS) {
      request.socket.destroy();
      return;
    }
    connection.latest = response;
    open.add(response);
    response.once('close', () => open.delete(response));
    const path = getPathAtHosts(request, hosts);
    if (path === undefined) {
      answerOtherHost(request, response);
    } else {
      request.url = path;
      answer(request, response);
    }
  };
}

/**
 * Makes the server respond to connections that it can't pass to a request handler, and close them. A request to upgrade
 * the connection isn't one of them: without a listener for it, Node handles it as a usual request.
 */
function refuseInvalid(
  server: Server,
  connections: ReadonlyMap<Duplex, Connection>,
  { describeRefusal = () => ({ headers: [], body: '' }) }: HttpServerOptions,
): void {
  const refuse = (socket: Duplex, refusal: Refusal): void => {
    const { headers, body } = describeRefusal(refusal);
    const lines = [...headers, ['Content-Length', Buffer.byteLength(body)], ['Connection', 'close']];
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${head}\r\n${body}`);
    // Otherwise, the end of the client's side would stay unread, and its connection open.
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), REFUSAL_TIMEOUT_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The error recurs with every further piece of data, so respond only once.
    if (!socket.writable) {
      return;
    }
    const response = connections.get(socket)?.latest;
    if (response?.headersSent === true && !response.req.complete) {
      // These bytes belong to a request that already has at least part of a response.
      socket.destroy();
      return;
    }
    refuse(socket, REFUSALS[error.code ?? ''] ?? MALFORMED);
  });
  server.on('connect', (_request, socket) => refuse(socket, TUNNEL));
}

/** Ends a server. Resolves when all of its connections are closed. */
function close(
  listener: Listener,
  server: Server,
  connections: ReadonlyMap<Duplex, Connection>,
  { closeTimeoutMs }: HttpServerOptions,
): Promise<void> {
  return new Promise((resolve) => {
    const destroyAll = (): void => [...connections.keys()].forEach((socket) => socket.destroy());
    const timer = setTimeout(destroyAll, closeTimeoutMs).unref();
    listener.close(() => {
      clearTimeout(timer);
      resolve();
    });
    // Ends the checks of the timeouts if another listener passes connections to this server.
    server.close();
    const closeIdle = (): void => server.closeIdleConnections();
    closeIdle();
    // Otherwise, a connection would be kept for another request after its response.
    [...connections.values()].forEach(({ open }) => open.forEach((response) => response.once('close', closeIdle)));
  });
}

/**
 * Returns the path and query that a request asks for, or undefined if it asks for another host. A page on another host
 * name that resolves to this computer must not reach a server (DNS rebinding). The first line of a request may name a
 * host as well (RFC 9112 §3.2.2). Here, `//host` is a path.
 *
 * @param hosts names of the server in lowercase, with the port unless it's the default of the scheme
 */
function getPathAtHosts(
  { headers, socket, url = '' }: IncomingMessage,
  hosts: ReadonlySet<string>,
): string | undefined {
  const host = headers.host?.toLowerCase() ?? '';
  if (!hosts.has(host)) {
    return undefined;
  }
  if (url.startsWith('/')) {
    return url;
  }
  const target = URL.parse(url);
  const protocol = 'encrypted' in socket ? 'https:' : 'http:';
  return target?.protocol === protocol && target.host === host ? target.pathname + target.search : undefined;
}
