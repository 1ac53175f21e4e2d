/** Keeps connections few and short, with Node's own limits, and answers requests that are not HTTP. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { CLOSE_TIMEOUT_MS, MAX_CONNECTIONS } from '../limits.ts';
import { SECURITY_HEADERS } from './security.ts';

export interface ConnectionLimits {
  /** Time for a request's headers, from the start of the connection. */
  readonly headersTimeoutMs: number;
  /** Time for a whole request, an upload too. */
  readonly requestTimeoutMs: number;
  /** Time in which nothing is sent or taken: of an answer that nobody reads, and for all work on a request. */
  readonly idleTimeoutMs: number;
}

const DEFAULT_LIMITS: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15 * 60_000,
  idleTimeoutMs: 5 * 60_000,
};

/**
 * A server with these limits. A request that is not HTTP is answered as the contract asks (Errors, 1): with a status and
 * `{"error": message}`.
 */
export function createLimitedServer(limits: Partial<ConnectionLimits> = {}): Server {
  const { headersTimeoutMs, requestTimeoutMs, idleTimeoutMs } = { ...DEFAULT_LIMITS, ...limits };
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: headersTimeoutMs / 10,
    // Node itself would answer a request without Host without a body.
    requireHostHeader: false,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = idleTimeoutMs;
  const latest = new WeakMap<Duplex, ServerResponse>();
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.on(event, ({ socket }: IncomingMessage, response: ServerResponse) => {
      latest.set(socket, response);
    });
  }
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
    refuse(socket, REFUSALS[error.code ?? ''] ?? MALFORMED_REQUEST);
  });
  server.on('connect', (_request, socket: Duplex) => {
    // Node has removed its own listener. Without one, an error such as a reset would end the process.
    socket.on('error', () => undefined);
    refuse(socket, ['405 Method Not Allowed', 'method not allowed']);
  });
  return server;
}

/** Answers a request for which there is no response object, and closes the connection. */
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

/** Status line and message by the code of the error. */
const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'The chunk extensions of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};
const MALFORMED_REQUEST = ['400 Bad Request', 'malformed request'] as const;
