import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { createConnection, createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net';

import { BuildServiceClient, type ClientOptions } from '../../src/api/client.ts';
import { BuildServiceError } from '../../src/api/errors/buildServiceError.ts';
import { parseServiceUrl } from '../../src/api/serviceUrl.ts';
import { Transport, type TransportOptions } from '../../src/api/http/transport.ts';
import { listen } from './listen.ts';

const cleanups: (() => Promise<unknown>)[] = [];

/** Adds something of the test's own that {@link cleanUp} ends. */
export function addCleanup(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup);
}

/** Ends every server and transport of a test. */
export async function cleanUp(): Promise<void> {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
}

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Request lines and headers, as received. */
  readonly received: string[];
  /** For further events. */
  readonly server: RawServer;
  /** Ends it before {@link cleanUp} does. */
  readonly close: () => Promise<void>;
}

async function start(
  server: RawServer,
  scheme: string,
  received: string[],
  address = '127.0.0.1',
  wanted = 0,
): Promise<TestServer> {
  const { port, close } = await listen(server, address, wanted);
  addCleanup(close);
  const host = address.includes(':') ? `[${address}]` : address;
  return { url: `${scheme}://${host}:${port}`, port, received, server, close };
}

/** The line and the headers of a request, as {@link TestServer.received} has them. */
export function headOf({ method = '', url = '', headers }: IncomingMessage): string {
  return `${method} ${url}\n${JSON.stringify(headers)}`;
}

/** A server that answers as the test says and remembers what it received. A listener that rejects ends the connection. */
export async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  tls?: ServerOptions,
  address?: string,
): Promise<TestServer> {
  const received: string[] = [];
  const handler: RequestListener = (request, response) => {
    received.push(headOf(request));
    const answered = listener(request, response);
    if (answered instanceof Promise) {
      answered.catch(() => response.destroy());
    }
  };
  const server = tls === undefined ? createServer(handler) : createSecureServer(tls, handler);
  return start(server, tls === undefined ? 'http' : 'https', received, address);
}

/** A server below HTTP: `answer` gets each connection and what has arrived. @param port a free one when it is 0. */
export async function serveRaw(answer: (socket: Socket, bytes: string) => void, port = 0): Promise<TestServer> {
  const received: string[] = [];
  const server = createRawServer((socket) => {
    socket.on('data', (bytes) => {
      received.push(bytes.toString('latin1'));
      answer(socket, bytes.toString('latin1'));
    });
  });
  return start(server, 'http', received, undefined, port);
}

/** Below the ports that systems give to programs that ask for any: another test's server never gets one of these. */
const FREE_PORTS = { from: 10_000, to: 32_768 };

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const candidate = randomInt(FREE_PORTS.from, FREE_PORTS.to);
    try {
      const { port, close } = await listen(createRawServer(), undefined, candidate);
      await close();
      return port;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) {
        throw error;
      }
    }
  }
}

export function transport(options: TransportOptions = {}): Transport {
  const created = new Transport({ retries: { delay: 1 }, ...options });
  cleanups.push(() => created.dispose());
  return created;
}

export const accessToken = 'sEcret+Access/Token=1';

/** A client that is signed in with {@link accessToken}. */
export function clientOf(
  server: { readonly url: string },
  options: Partial<ClientOptions> & { readonly carrier?: TransportOptions } = {},
): BuildServiceClient {
  return new BuildServiceClient({
    service: parseServiceUrl(server.url),
    credentials: { type: 'accessToken', accessToken },
    transport: transport(options.carrier),
    ...options,
  });
}

/** The typed error that a promise rejects with. */
export async function failureOf<E extends BuildServiceError>(
  type: abstract new (...args: never[]) => E,
  promise: Promise<unknown>,
): Promise<E> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof type) {
      return error;
    }
    throw new Error(`Expected ${type.name}, got ${String(error)}`, { cause: error });
  }
  throw new Error(`Expected ${type.name}, got an answer`);
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Asks a server for a tunnel, and resets the connection before the server can write its answer. */
export async function resetConnect({ hostname, port, host }: URL): Promise<void> {
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, () => socket.resetAndDestroy());
  await once(socket, 'close');
}
