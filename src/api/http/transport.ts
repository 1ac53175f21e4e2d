import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';

import type { Dispatcher } from 'undici';

import { cancellable, CancelledError } from '../errors/cancelledError.ts';
import { NetworkError } from '../errors/connectionErrors.ts';
import { MAX_ERROR_BYTES } from '../limits.ts';
import { retryAfterSeconds, toBuildServiceError } from './failures.ts';

/** A proxy and how to sign in to it. */
export interface Proxy {
  /** http, https or socks5 URL of the proxy; user info in it is used, and never shown. */
  readonly url: string;
  /** Value of the Proxy-Authorization header; it wins over user info. */
  readonly authorization?: string;
}

/** Milliseconds. */
export interface Timeouts {
  readonly connect: number;
  /** From the request's last byte to the response's headers. */
  readonly headers: number;
  /** Between two chunks of a body. */
  readonly idle: number;
  /** The whole call, redirects, retries and body included. */
  readonly total: number;
}

export interface TransportOptions {
  readonly timeouts?: Partial<Timeouts>;
  /** Certificate authorities to trust, PEM, instead of Node's own. Called once, before the first TLS connection. */
  readonly authorities?: () => Promise<readonly string[] | undefined>;
  /** The proxy for an origin; undefined to connect directly, as for loopback addresses. Called before every request. */
  readonly proxyFor?: (origin: string) => Promise<Proxy | undefined>;
  readonly retries?: Partial<typeof DEFAULT_RETRIES>;
}

/**
 * How often a request is sent again, and after how many milliseconds: doubled for the second time. When the service asks for a longer
 * wait than `maxDelay` (Retry-After), it is not.
 */
const DEFAULT_RETRIES = { limit: 2, delay: 250, maxDelay: 5_000 };

/** One request, to exactly this URL. */
export interface TransportRequest {
  readonly method: string;
  /** Absolute http(s) URL as the URL parser writes it. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
}

/** The time of a call. Its signal aborts, for a typed reason, when the caller cancels the call or when its time is up. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** To be called when the call is over: what has not finished ends. */
  readonly dispose: () => void;
}

/** A response of which the headers have arrived. Its body is read once, or discarded. */
export interface IncomingResponse {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with a comma, cookies are left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the body as it is sent; undefined when it was not announced, or when no body follows. */
  readonly announcedBytes: number | undefined;
  readonly body: Dispatcher.ResponseData['body'];
}

const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, headers: 30_000, idle: 30_000, total: 120_000 };
const GATEWAY_ERROR_STATUSES = [502, 503, 504];

/**
 * Sends requests with undici: connections, timeouts, proxies, retries of safe requests. It knows nothing of credentials and
 * follows no redirects. Every failure is a typed error without URL, headers or body.
 */
export class Transport {
  readonly timeouts: Timeouts;
  readonly #options: TransportOptions;
  readonly #retries: typeof DEFAULT_RETRIES;
  /** By scheme and proxy. */
  readonly #dispatchers = new Map<string, Promise<Dispatcher>>();
  /** Cancel the calls that are under way. */
  readonly #cancellers = new Set<() => void>();
  #disposed = false;
  #secureContext: Promise<SecureContext | undefined> | undefined;

  constructor(options: TransportOptions = {}) {
    this.#options = options;
    this.timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
    this.#retries = { ...DEFAULT_RETRIES, ...options.retries };
  }

  /**
   * Starts the time of a call. AbortSignal.timeout and AbortSignal.any would leave a timer behind, for two minutes after each.
   *
   * @param host host and port that are called, for the sentence of a failure.
   * @param caller cancels the call.
   * @param timeoutMs for the whole call; Infinity for downloads and uploads.
   */
  startDeadline(host: string, caller: AbortSignal | undefined, timeoutMs = this.timeouts.total): Deadline {
    const controller = new AbortController();
    const cancel = (): void => controller.abort(new CancelledError());
    const end = (): void => controller.abort(new NetworkError('totalTimeout', host));
    const timer = Number.isFinite(timeoutMs) ? setTimeout(end, timeoutMs).unref() : undefined;
    caller?.addEventListener('abort', cancel, { once: true });
    this.#cancellers.add(cancel);
    if (caller?.aborted === true || this.#disposed) {
      cancel();
    }
    return {
      signal: controller.signal,
      dispose: () => {
        clearTimeout(timer);
        caller?.removeEventListener('abort', cancel);
        this.#cancellers.delete(cancel);
        cancel();
      },
    };
  }

  /**
   * Sends a request and waits for the headers of its response. GET and HEAD are sent again, up to twice, when the connection
   * was closed before a response, and when a gateway or the service asks to try again soon; nothing else is.
   *
   * @throws {@link NetworkError}, {@link CancelledError} and the other typed errors of a request without a response.
   */
  async request({ url, method, headers, body }: TransportRequest, signal: AbortSignal): Promise<IncomingResponse> {
    const { origin, host, pathname, search } = new URL(url);
    const path = pathname + search;
    const { limit, delay, maxDelay } = this.#retries;
    const { headers: headersTimeout, idle: bodyTimeout } = this.timeouts;
    const safe = method === 'GET' || method === 'HEAD';
    for (let attempt = 0; ; attempt += 1) {
      const mayRetry = safe && attempt < limit;
      let proxy: Proxy | undefined;
      try {
        proxy = this.#options.proxyFor && (await cancellable(this.#options.proxyFor(origin), signal));
        const dispatcher = await cancellable(this.#dispatcher(proxy, origin), signal);
        const options = { origin, path, method, headers, body: body ?? null, headersTimeout, bodyTimeout };
        const response = await sendRequest(dispatcher, options, signal);
        const wait = mayRetry ? retryDelay(response, delay * 2 ** attempt) : undefined;
        if (wait === undefined || wait > maxDelay) {
          return response;
        }
        discardBody(response);
        await sleep(wait, undefined, { signal });
      } catch (error) {
        const proxyHost = proxy && URL.parse(proxy.url)?.host;
        const failure = toBuildServiceError(error, { signal, host, proxyHost, responded: false });
        if (!mayRetry || !(failure instanceof NetworkError && failure.failure === 'reset')) {
          throw failure;
        }
      }
    }
  }

  #dispatcher(proxy: Proxy | undefined, origin: string): Promise<Dispatcher> {
    if (this.#disposed) {
      throw new CancelledError();
    }
    // Reading the certificates of a computer takes a while: plain HTTP on this machine does without.
    const secure = origin.startsWith('https:') || proxy?.url.startsWith('https:') === true;
    const scheme = secure ? 'https' : 'http';
    const key = proxy === undefined ? scheme : `${scheme} ${proxy.authorization ?? ''} ${proxy.url}`;
    const created = this.#dispatchers.get(key) ?? this.#createDispatcher(proxy, secure);
    this.#dispatchers.set(key, created);
    // After a failure (certificates that could not be read) the next call tries again.
    created.catch(() => {
      this.#dispatchers.delete(key);
      this.#secureContext = undefined;
    });
    return created;
  }

  async #createDispatcher(proxy: Proxy | undefined, secure: boolean): Promise<Dispatcher> {
    const { Agent, ProxyAgent } = await import('./undici.ts');
    const secureContext = secure ? await (this.#secureContext ??= this.#createSecureContext()) : undefined;
    const tls = { timeout: this.timeouts.connect, allowH2: false, ...(secureContext && { secureContext }) };
    const pool = { connections: 10, pipelining: 1, allowH2: false };
    return proxy === undefined
      ? new Agent({ ...pool, connect: { ...tls, autoSelectFamily: true } })
      : new ProxyAgent({
          ...pool,
          uri: proxy.url,
          requestTls: tls,
          connectTimeout: this.timeouts.connect,
          // With this option undici would speak TLS to a SOCKS proxy.
          ...(proxy.url.startsWith('https:') && { proxyTls: tls }),
          ...(proxy.authorization !== undefined && { token: proxy.authorization }),
        });
  }

  /** One for all connections: parsing some hundred certificates takes tens of milliseconds. */
  async #createSecureContext(): Promise<SecureContext | undefined> {
    const authorities = await this.#options.authorities?.();
    return authorities && createSecureContext({ ca: [...authorities] });
  }

  /** Closes every connection. Calls that are under way fail as cancelled. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#cancellers.forEach((cancel) => cancel());
    for (const created of this.#dispatchers.values()) {
      const dispatcher = await created.catch(() => undefined);
      await dispatcher?.destroy();
    }
  }
}

/** Milliseconds to wait before the request is sent again; undefined when the response is to be used as it is. */
function retryDelay({ status, headers }: IncomingResponse, defaultDelay: number): number | undefined {
  const seconds = retryAfterSeconds(headers['retry-after']);
  if (GATEWAY_ERROR_STATUSES.includes(status)) {
    return seconds === undefined ? defaultDelay : seconds * 1000;
  }
  return status === 429 && seconds !== undefined ? seconds * 1000 : undefined;
}

/**
 * Sends one request. Follows no redirects and decodes no content encodings.
 *
 * @returns the response, when its headers have arrived.
 * @throws undici's and Node's own errors.
 */
async function sendRequest(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<IncomingResponse> {
  try {
    // undici aborts a request that waits for a connection when it gets one. That can take long.
    const sent = cancellable(dispatcher.request({ ...options, signal }), signal);
    const { statusCode: status, headers: received, body } = await sent;
    // Without a listener, the end of a body that is not read would be an exception.
    body.on('error', () => undefined);
    const headers = singleValues(received);
    const length = headers['content-length'];
    // RFC 9110 §6.4.1: these responses have no content, whatever length they announce.
    const isEmpty = options.method === 'HEAD' || status === 304;
    return { status, headers, announcedBytes: length === undefined || isEmpty ? undefined : Number(length), body };
  } catch (error) {
    // undici does not destroy a body that it has not begun to send.
    if (options.body instanceof Readable) {
      options.body.on('error', () => undefined).destroy();
    }
    throw error;
  }
}

function singleValues(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // A header may be called __proto__; none of use is.
    if (value !== undefined && name !== 'set-cookie' && name !== '__proto__') {
      single[name] = typeof value === 'string' ? value : value.join(', ');
    }
  }
  return single;
}

/** Drops the body. A short one is read to its end, so that its connection can be used again. */
export function discardBody({ body }: IncomingResponse): void {
  body.dump({ limit: MAX_ERROR_BYTES }).catch(() => undefined);
}
