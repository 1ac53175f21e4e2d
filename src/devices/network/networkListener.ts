import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from '../../workbench/clock.ts';
import { refuseTunnels } from '../../workbench/refuseTunnels.ts';
import { Failure } from '../../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { CLOSE_TIMEOUT_MS, IDLE_TIMEOUT_MS, LIFETIME_MS, MAX_CONNECTIONS } from '../limits.ts';
import { answerPage } from '../../workbench/browserPage.ts';
import { refusalDocument, type Refusal } from './phonePages.ts';

/** A GET below the random path that was answered. */
export interface NetworkVisit {
  /** From where. */
  readonly address: string;
  /** Below the random path; empty for the start. */
  readonly path: string;
  readonly response: ServerResponse;
}

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
  /** Called with each answer below the random path, which is under way. */
  readonly onDidVisit?: (visit: NetworkVisit) => void;
  /** Called once, when it no longer listens and all connections are closed. */
  readonly onDidEnd?: () => Promise<void>;
  /** Default: {@link LIFETIME_MS}. */
  readonly lifetimeMs?: number;
  readonly clock?: Clock;
}

/** A listener in the network, with a random path: the link is needed to reach it. */
export interface NetworkListener {
  /** The link: ends with the random path. */
  readonly url: string;
  readonly endsAt: Date;
  /** Lets requests name another host, too: that of a forwarded port. */
  allowHost(host: string): void;
  /** Ends it. Resolves when no connection is open, and `onDidEnd` is through. May be called again. */
  close(): Promise<void>;
}

/** No device in a network can reach what this window would share. */
export function sharingFailure(what: Sentence, next: Sentence, cause?: unknown): Failure {
  return new Failure('sharing', { what, next, remedy: 'download', calm: true, cause });
}

const RANDOM_BYTES = 18;

/**
 * Listens on one address and a free port, for one site, until it is closed or its time is over.
 *
 * @throws Failure when the address cannot be listened on.
 */
export async function listenInNetwork(options: NetworkListenerOptions): Promise<NetworkListener> {
  const { address, clock = systemClock, site, onDidVisit, onDidEnd, lifetimeMs = LIFETIME_MS } = options;
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
      sentence('This computer doesn’t let the extension listen on {0}.', address),
      sentence('Choose another network, or download the build and send the file.'),
      error,
    );
  }
  const host = `${address}:${(server.address() as AddressInfo).port}`;
  const hosts = new Set([host]);
  server.on('request', (request, response) => {
    const { method, socket, url = '' } = request;
    const { remoteAddress: visitor } = socket;
    const path = pathBelow(secret, url);
    const isAnswered = answer(request, response, site, hosts, path);
    if (isAnswered && method === 'GET' && path !== undefined && visitor !== undefined) {
      onDidVisit?.({ address: visitor, path, response });
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
  const timer = clock.after(lifetimeMs, () => void close());
  return {
    url: `http://${host}/${secret}/`,
    endsAt: new Date(clock.now() + lifetimeMs),
    allowHost: (other) => void hosts.add(other.toLowerCase()),
    close,
  };
}

/** The path of a request below the random one; undefined for one outside of it. */
function pathBelow(secret: string, url: string): string | undefined {
  const path = pathOf(url);
  return isEqual(path.slice(0, secret.length + 2), `/${secret}/`) ? path.slice(secret.length + 2) : undefined;
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/**
 * @param hosts names and ports, as browsers send them.
 * @param below the random path; undefined: the request is for something outside of it.
 * @returns true when the site has answered.
 */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  site: NetworkSite,
  hosts: ReadonlySet<string>,
  below: string | undefined,
): boolean {
  const { headers, method, url = '' } = request;
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  // Anything but a path would name a host of its own (RFC 9112 §3.2). A page of another name that resolves to this machine must
  // not reach the listener (DNS rebinding).
  if (!hosts.has(headers.host?.toLowerCase() ?? '') || !url.startsWith('/')) {
    return refuse(response, 421);
  }
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return refuse(response, 405);
  }
  const isAnswered =
    below === undefined
      ? (site.answerOutside?.(request, response, pathOf(url)) ?? false)
      : site.answer(request, response, below);
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
