/** Keeps connections few and short, so that a client that is slow or sends nothing holds nobody else up. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { hasBody } from './requestBody.ts';
import { SECURITY_HEADERS } from './security.ts';

export interface ConnectionLimits {
  /** Time for a request's headers, from the start of the connection. */
  readonly headersTimeoutMs: number;
  /** Time for a whole request, after which it has to have arrived at `minBytesPerSecond` at least. */
  readonly requestTimeoutMs: number;
  /** What a large upload has to reach on average to go on. A form of 1 MiB that reaches it is complete in time. */
  readonly minBytesPerSecond: number;
  /** Time for a whole request, however fast it arrives. */
  readonly uploadTimeoutMs: number;
  /** Connections on which no request has arrived yet; the oldest is closed in favour of the latest. */
  readonly maxIdleConnections: number;
  /** All connections; further ones are closed at once. */
  readonly maxConnections: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  minBytesPerSecond: 64 * 1024,
  uploadTimeoutMs: 15 * 60_000,
  maxIdleConnections: 256,
  maxConnections: 1024,
};

/** Time that a client has to read why its request was refused. */
const REFUSAL_READ_TIMEOUT_MS = 1000;

/**
 * Applies the limits to a server. What is not an HTTP request is answered as the contract asks (Errors, 1): with a status
 * and `{"error": message}`.
 *
 * @param now milliseconds of a clock that nobody sets: bodies are measured by it
 */
export function limitConnections(server: Server, limits: ConnectionLimits, now: () => number): void {
  const { headersTimeoutMs, uploadTimeoutMs, maxIdleConnections, maxConnections } = limits;
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = uploadTimeoutMs;
  server.maxConnections = maxConnections;
  const idle = new Set<Socket>();
  server.on('connection', (socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
    const [oldest] = idle;
    if (idle.size > maxIdleConnections) {
      oldest?.destroy();
    }
  });
  const bodies = watchBodies(server, limits, now);
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      idle.delete(request.socket);
      bodies.add(request, response);
    });
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The error comes again with the bytes that follow; it is answered once.
    if (!socket.writable) {
      return;
    }
    refuse(socket, REFUSALS[error.code ?? ''] ?? MALFORMED_REQUEST);
  });
  server.on('connect', (_request, socket: Duplex) => refuse(socket, ['405 Method Not Allowed', 'method not allowed']));
}

/** Ends requests whose bodies arrive too slowly. Node's own time limit does not know how much has arrived. */
function watchBodies(
  server: Server,
  { requestTimeoutMs, minBytesPerSecond }: ConnectionLimits,
  now: () => number,
): { readonly add: (request: IncomingMessage, response: ServerResponse) => void } {
  interface Arrival {
    readonly response: ServerResponse;
    readonly startedAt: number;
    /** Of the connection, before the body. */
    readonly bytesBefore: number;
  }
  const arrivals = new Map<IncomingMessage, Arrival>();
  const timer = setInterval(() => {
    for (const [request, { response, startedAt, bytesBefore }] of arrivals) {
      const { socket } = request;
      const elapsedMs = now() - startedAt;
      const bytesPerSecond = ((socket.bytesRead - bytesBefore) * 1000) / elapsedMs;
      if (request.complete || elapsedMs < requestTimeoutMs || bytesPerSecond >= minBytesPerSecond) {
        continue;
      }
      arrivals.delete(request);
      if (response.headersSent) {
        socket.destroy();
      } else {
        refuse(socket, REQUEST_TIMEOUT);
      }
    }
  }, requestTimeoutMs / 10).unref();
  server.once('close', () => clearInterval(timer));
  return {
    add: (request, response) => {
      if (hasBody(request)) {
        const arrival = { response, startedAt: now(), bytesBefore: request.socket.bytesRead };
        arrivals.set(request, arrival);
        request.once('close', () => arrivals.delete(request));
      }
    },
  };
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
  const timer = setTimeout(() => socket.destroy(), REFUSAL_READ_TIMEOUT_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

const REQUEST_TIMEOUT = ['408 Request Timeout', 'The request took too long to arrive.'] as const;
/** Status line and message by the code of the error. */
const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'The chunk extensions of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: REQUEST_TIMEOUT,
};
const MALFORMED_REQUEST = ['400 Bad Request', 'malformed request'] as const;
