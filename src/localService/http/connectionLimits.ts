/** Keeps connections few and short, so that a client that is slow or sends nothing holds nobody else up. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

import { SECURITY_HEADERS } from './security.ts';

export interface ConnectionLimits {
  /** Time for a request's headers, from the start of the connection. */
  readonly headersTimeoutMs: number;
  /** Time for a whole request. */
  readonly requestTimeoutMs: number;
  /** Connections on which no request has arrived yet; the oldest is closed in favour of the latest. */
  readonly maxIdleConnections: number;
  /** All connections; further ones are closed at once. */
  readonly maxConnections: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  maxIdleConnections: 256,
  maxConnections: 1024,
};

/** Time that a client has to read why its request was refused. */
const REFUSAL_READ_TIMEOUT_MS = 1000;

/**
 * Applies the limits to a server. What is not an HTTP request is answered as the contract asks (Errors, 1): with a status
 * and `{"error": message}`.
 */
export function limitConnections(
  server: Server,
  { headersTimeoutMs, requestTimeoutMs, maxIdleConnections, maxConnections }: ConnectionLimits,
): void {
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.maxConnections = maxConnections;
  // By the client's end: over TLS the socket of a request is not that of the connection.
  const idle = new Map<string, Socket>();
  server.on('connection', (socket) => {
    const client = clientOf(socket);
    idle.set(client, socket);
    socket.once('close', () => {
      if (idle.get(client) === socket) {
        idle.delete(client);
      }
    });
    const [oldest] = idle.values();
    if (idle.size > maxIdleConnections) {
      oldest?.destroy();
    }
  });
  server.on('request', ({ socket }) => idle.delete(clientOf(socket)));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The client does not speak TLS, or breaks off: there is no way to answer it.
    if ((socket as Partial<TLSSocket>).getProtocol?.() === null) {
      socket.destroy();
      return;
    }
    // The error comes again with the bytes that follow; it is answered once.
    if (!socket.writable) {
      return;
    }
    refuse(socket, REFUSALS[error.code ?? ''] ?? MALFORMED_REQUEST);
  });
  server.on('connect', (_request, socket: Duplex) => refuse(socket, ['405 Method Not Allowed', 'method not allowed']));
}

function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
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

/** Status line and message by the code of the error. */
const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'The chunk extensions of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};
const MALFORMED_REQUEST = ['400 Bad Request', 'malformed request'] as const;
