import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from '../../workbench/clock.ts';
import { refuseTunnels } from '../../workbench/refuseTunnels.ts';
import { Failure } from '../../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { CLOSE_TIMEOUT_MS, IDLE_TIMEOUT_MS, LIFETIME_MS, MAX_CONNECTIONS } from '../limits.ts';
import { answerPage, refusalDocument, type Refusal } from './phonePages.ts';

/** The answers of a listener. */
export interface NetworkSite {
  /**
   * Answers a GET or HEAD below the random path.
   *
   * @param path below the random path, as it was sent; empty for the start.
   * @returns false when there is nothing at this path: the listener answers 404.
   */
  answer(request: IncomingMessage, response: ServerResponse, path: string): boolean;
  /** The same outside of the random path, where a site must know by itself that a browser has come by it. */
  answerOutside?(request: IncomingMessage, response: ServerResponse, path: string): boolean;
  /** Ends the answers that are still open. Called once no request is answered any more. */
  end?(): void;
}

export interface NetworkListenerOptions {
  /** Of this machine, IPv4: exactly this one is listened on. */
  readonly address: string;
  readonly site: NetworkSite;
  /** Called once for each address that fetched something. */
  readonly onDidVisit?: (address: string) => void;
  /** Called once, when it no longer listens and all connections are closed. */
  readonly onDidEnd?: () => Promise<void>;
  readonly clock?: Clock;
}

/** A listener in the network, with a random path: the link is needed to reach it. */
export interface NetworkListener {
  /** The link: ends with the random path. */
  readonly url: string;
  readonly endsAt: Date;
  /** Ends it. Resolves when no connection is open, and `onDidEnd` is through. May be called again. */
  close(): Promise<void>;
}

/** No device in a network can reach what this window would share. */
export function sharingFailure(what: Sentence, next: Sentence, cause?: unknown): Failure {
  return new Failure('sharing', { what, next, remedy: 'download', calm: true, cause });
}

const RANDOM_BYTES = 18;

/**
 * Listens on one address and a free port, for one site, until it is closed or {@link LIFETIME_MS} are over.
 *
 * @throws Failure when the address cannot be listened on.
 */
export async function listenInNetwork(options: NetworkListenerOptions): Promise<NetworkListener> {
  const { address, clock = systemClock, site, onDidVisit, onDidEnd } = options;
  const secret = randomBytes(RANDOM_BYTES).toString('base64url');
  const server = createServer({ requestTimeout: IDLE_TIMEOUT_MS });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = IDLE_TIMEOUT_MS;
  refuseTunnels(server, 'GET, HEAD');
  server.listen({ host: address, port: 0, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw sharingFailure(
      sentence('This computer does not let the extension listen on {0}.', address),
      sentence('Choose another network, or download the build and send the file.'),
      error,
    );
  }
  const host = `${address}:${(server.address() as AddressInfo).port}`;
  const visitors = new Set<string>();
  server.on('request', (request, response) => {
    const { remoteAddress } = request.socket;
    if (answer(request, response, site, host, secret) && remoteAddress !== undefined && !visitors.has(remoteAddress)) {
      visitors.add(remoteAddress);
      onDidVisit?.(remoteAddress);
    }
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      timer.dispose();
      site.end?.();
      await closeServer(server);
      await onDidEnd?.();
    })());
  const timer = clock.after(LIFETIME_MS, () => void close());
  return { url: `http://${host}/${secret}/`, endsAt: new Date(clock.now() + LIFETIME_MS), close };
}

/**
 * @param host address and port, as browsers send them.
 * @returns true when the site has answered.
 */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  site: NetworkSite,
  host: string,
  secret: string,
): boolean {
  const { headers, method, url = '' } = request;
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  // Anything but a path would name a host of its own (RFC 9112 §3.2). A page of another name that resolves to this machine must
  // not reach the listener (DNS rebinding).
  if (headers.host?.toLowerCase() !== host || !url.startsWith('/')) {
    return refuse(response, 421);
  }
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return refuse(response, 405);
  }
  const path = url.replace(/[?#].*$/s, '');
  const isBelow = isEqual(path.slice(0, secret.length + 2), `/${secret}/`);
  const isAnswered = isBelow
    ? site.answer(request, response, path.slice(secret.length + 2))
    : (site.answerOutside?.(request, response, path) ?? false);
  return isAnswered || refuse(response, 404);
}

function refuse(response: ServerResponse, status: Refusal): false {
  // The rest of the request is not read.
  response.setHeader('connection', 'close');
  answerPage(response, status, refusalDocument(status));
  return false;
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  await closed;
  clearTimeout(timer);
}
