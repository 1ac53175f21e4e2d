/** Keeps connections few and short, so that a client that is slow or says nothing holds nobody else up. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Limits {
  /** Milliseconds for a request's headers, from the start of the connection. */
  readonly headers: number;
  /** Milliseconds for a whole request. */
  readonly request: number;
  /** Connections on which no request has arrived yet; the oldest gives way to a new one. */
  readonly silent: number;
  /** All connections; further ones are closed at once. */
  readonly connections: number;
}

export const defaultLimits: Limits = { headers: 10_000, request: 30_000, silent: 256, connections: 1024 };

/** Milliseconds that a client has to read why its request was refused. */
const farewell = 1000;

/** Applies the limits, and answers what is not a request as the contract asks: with a status and `{"error": message}`. */
export function limitConnections(server: Server, { headers, request, silent, connections }: Limits): void {
  server.headersTimeout = headers;
  server.requestTimeout = request;
  server.maxConnections = connections;
  const waiting = new Set<Socket>();
  server.on('connection', (socket) => {
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
    const [oldest] = waiting;
    if (waiting.size > silent) {
      oldest?.destroy();
    }
  });
  server.on('request', ({ socket }) => waiting.delete(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What comes after the answer is not answered again.
    if (!socket.writable) {
      return;
    }
    const [status, message] = refusals[error.code ?? ''] ?? malformed;
    const body = JSON.stringify({ error: message });
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    );
    // A client that never closes its side would keep the connection for ever.
    const end = setTimeout(() => socket.destroy(), farewell).unref();
    socket.once('close', () => clearTimeout(end));
  });
}

const malformed = ['400 Bad Request', 'malformed request'] as const;
const refusals: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'The chunk extensions of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};
