import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { createConnection, createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net';

import { BuildServiceClient, type ClientOptions } from '../../src/service-client/client.ts';
import { BuildServiceError } from '../../src/errors/buildServiceError.ts';
import { parseServiceUrl } from '../../src/service-client/serviceUrl.ts';
import { Transport, type TransportOptions } from '../../src/service-client/http/transport.ts';
import { listen } from './listen.ts';

const cleanups: (() => Promise<unknown>)[] = [];

/** Registers a cleanup function for {@link cleanUp}. */
export function addCleanup(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup);
}

/** Stops all servers and transports of a test. */
export async function cleanUp(): Promise<void> {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
}

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Received request lines and headers. */
  readonly received: string[];
  /** The underlying server, for other events. */
  readonly server: RawServer;
  /** Stops the server before {@link cleanUp} does. */
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

/** Returns the line and headers of a request, as in {@link TestServer.received}. */
export function getHead({ method = '', url = '', headers }: IncomingMessage): string {
  return `${method} ${url}\n${JSON.stringify(headers)}`;
}

/** Starts a server that responds with the test's listener and records requests. If the listener rejects, the connection is closed. */
export async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  tls?: ServerOptions,
  address?: string,
): Promise<TestServer> {
  const received: string[] = [];
  const handler: RequestListener = (request, response) => {
    received.push(getHead(request));
    const answered = listener(request, response);
    if (answered instanceof Promise) {
      answered.catch(() => response.destroy());
    }
  };
  const server = tls === undefined ? createServer(handler) : createSecureServer(tls, handler);
  return start(server, tls === undefined ? 'http' : 'https', received, address);
}

/** Starts a server on TCP. `answer` receives each connection and its data so far. @param port 0 selects a free port */
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

/** Outside the range from which systems assign free ports, so another test's server never gets one of these. */
const FREE_PORTS = { from: 10_000, to: 32_768 };

/** Returns a port without a listener. */
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

/** Returns a client that is signed in with {@link accessToken}. */
export function createClient(
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

/** Returns the typed error that a promise rejects with. */
export async function captureFailure<E extends BuildServiceError>(
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

/** Asks a server for a tunnel, and resets the connection before the server can respond. */
export async function resetConnect({ hostname, port, host }: URL): Promise<void> {
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, () => socket.resetAndDestroy());
  await once(socket, 'close');
}
