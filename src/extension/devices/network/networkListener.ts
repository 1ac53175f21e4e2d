import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../../workbench/clock.ts';
import { Failure, sentence, type Sentence } from '../../../errors/index.ts';
import { startHttpServer, type HttpServer } from '../../../http-server/index.ts';
import { CLOSE_TIMEOUT_MS, IDLE_TIMEOUT_MS, LIFETIME_MS, MAX_CONNECTIONS, MAX_HEADER_BYTES } from '../limits.ts';
import { answerPage } from '../../workbench/browserPage.ts';
import { refusalDocument, type RefusalStatus } from './phonePages.ts';

/** A GET request under the random path, to which the site responds. */
export interface NetworkVisit {
  /** Address of the phone. */
  readonly address: string;
  /** Path relative to the random path. Empty for the start page. */
  readonly path: string;
  readonly response: ServerResponse;
}

/** Content that a listener serves. */
export interface NetworkSite {
  /**
   * Responds to a GET or HEAD request under the random path.
   * @param path path relative to the random path, as it was sent; empty for the start page
   * @returns false if no page exists at this path; the listener then responds with 404
   */
  answer(request: IncomingMessage, response: ServerResponse, path: string): boolean;
  /** Responds to a request outside the random path. The site itself must check that the browser has the link. */
  answerOutside?(request: IncomingMessage, response: ServerResponse, path: string): boolean;
  /** Ends open responses. Called once, when no more requests are accepted. */
  end?(): void;
}

export interface NetworkListenerOptions {
  /** IPv4 address of this computer. The listener uses no other address. */
  readonly address: string;
  readonly site: NetworkSite;
  /** Called when a response under the random path begins. */
  readonly onDidVisit?: (visit: NetworkVisit) => void;
  /** Called once, when the listener has stopped and all connections are closed. */
  readonly onDidEnd?: () => Promise<void>;
  /** Lifetime in ms. Defaults to {@link LIFETIME_MS}. */
  readonly lifetimeMs?: number;
  /** Time, in ms, after which an idle connection is closed. Defaults to {@link IDLE_TIMEOUT_MS}. */
  readonly idleTimeoutMs?: number;
  readonly clock?: Clock;
}

/** A listener on the network. Its random path ensures that only a device with the link can reach it. */
export interface NetworkListener {
  /** The link, which ends with the random path. */
  readonly url: string;
  readonly endsAt: Date;
  /** Allows requests for another host, such as a forwarded port. */
  allowHost(host: string): void;
  /** Stops the listener. Resolves when all connections are closed and `onDidEnd` has finished. Can be called again. */
  close(): Promise<void>;
}

/** Creates the error for a share that no device on a network could reach. */
export function sharingFailure(what: Sentence, next: Sentence, cause?: unknown): Failure {
  return new Failure('sharing', { what, next, remedy: 'download', calm: true, cause });
}

const RANDOM_BYTES = 18;

/**
 * Listens on one address and a free port for one site, until it's closed or its lifetime is over.
 * @throws Failure if it can't listen on the address
 */
export async function listenInNetwork(options: NetworkListenerOptions): Promise<NetworkListener> {
  const { address, clock = systemClock, site, onDidVisit, onDidEnd } = options;
  const { lifetimeMs = LIFETIME_MS, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const secret = randomBytes(RANDOM_BYTES).toString('base64url');
  const hosts = new Set<string>();
  const answer: RequestListener = (request, response) => {
    const { method, socket, url = '' } = request;
    const { remoteAddress: visitor } = socket;
    const path = getPathAfterSecret(secret, url);
    const isAnswered = answerRequest(request, response, site, path);
    if (isAnswered && method === 'GET' && path !== undefined && visitor !== undefined) {
      onDidVisit?.({ address: visitor, path, response });
    }
  };
  let server: HttpServer;
  try {
    server = await startHttpServer({
      host: address,
      port: 0,
      maxConnections: MAX_CONNECTIONS,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeoutMs: idleTimeoutMs,
      requestTimeoutMs: idleTimeoutMs,
      idleTimeoutMs,
      closeTimeoutMs: CLOSE_TIMEOUT_MS,
      createHandlers: (port) => ({
        hosts: hosts.add(`${address}:${port}`),
        answer,
        answerOtherHost: (_request, response) => refuse(response, 421),
      }),
      describeRefusal: ({ status }) => ({ headers: status === 405 ? [['allow', 'GET, HEAD']] : [], body: '' }),
    });
  } catch (error) {
    throw sharingFailure(
      sentence('This computer doesn’t let the extension listen on {0}.', address),
      sentence('Choose another network, or download the build and send the file.'),
      error,
    );
  }
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      timer.dispose();
      site.end?.();
      await server.close();
      await onDidEnd?.();
    })());
  const timer = clock.after(lifetimeMs, () => void close());
  return {
    url: `http://${address}:${server.port}/${secret}/`,
    endsAt: new Date(clock.now() + lifetimeMs),
    allowHost: (other) => void hosts.add(other.toLowerCase()),
    close,
  };
}

/** Returns a request's path relative to the random path, or undefined for a request outside it. */
function getPathAfterSecret(secret: string, url: string): string | undefined {
  const path = getUrlPath(url);
  return isEqualInConstantTime(path.slice(0, secret.length + 2), `/${secret}/`)
    ? path.slice(secret.length + 2)
    : undefined;
}

function getUrlPath(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/**
 * Responds to a request with the site's content or a refusal.
 * @param below path relative to the random path; undefined for a request outside it
 * @returns true if the site has responded
 */
function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  site: NetworkSite,
  below: string | undefined,
): boolean {
  const { method, url = '' } = request;
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return refuse(response, 405);
  }
  const isAnswered =
    below === undefined
      ? (site.answerOutside?.(request, response, getUrlPath(url)) ?? false)
      : site.answer(request, response, below);
  return isAnswered || refuse(response, 404);
}

function refuse(response: ServerResponse, status: RefusalStatus): false {
  // The rest of the request isn't read.
  response.setHeader('connection', 'close');
  answerPage(response, status, refusalDocument(status));
  return false;
}

function isEqualInConstantTime(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
