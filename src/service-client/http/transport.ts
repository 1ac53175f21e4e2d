import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';

import type { Dispatcher } from 'undici';

import { cancellable, CancelledError } from '../../errors/index.ts';
import { NetworkError } from '../errors/connectionErrors.ts';
import { MAX_ERROR_BYTES } from '../limits.ts';
import { retryAfterSeconds, toBuildServiceError } from './failures.ts';

/** A proxy and its credentials. */
export interface ProxyServer {
  /** http, https, or socks5 URL of the proxy. Its user info is used but never shown. */
  readonly url: string;
  /** Value of the Proxy-Authorization header. Takes precedence over user info. */
  readonly authorization?: string;
}

/** Time limits in ms. */
export interface Timeouts {
  readonly connect: number;
  /** Time from the last byte of the request to the response headers. */
  readonly headers: number;
  /** Time between two chunks of a body. */
  readonly idle: number;
  /** Time for the whole call, including redirects, retries, and body. */
  readonly total: number;
}

/** Options of {@link Transport}. */
export interface TransportOptions {
  readonly timeouts?: Partial<Timeouts>;
  /**
   * Returns the trusted certificate authorities in PEM format. They replace Node's. Called once, before the first TLS
   * connection.
   */
  readonly authorities?: () => Promise<readonly string[] | undefined>;
  /**
   * Returns the proxy for an origin, or undefined for a direct connection (for example, to a loopback address). Called
   * before every request.
   */
  readonly proxyFor?: (origin: string) => Promise<ProxyServer | undefined>;
  readonly retries?: Partial<typeof DEFAULT_RETRIES>;
}

/**
 * Retry limit and delays in ms. The delay doubles for the second retry. If Retry-After is longer than `maxDelay`, the
 * request isn't retried.
 */
const DEFAULT_RETRIES = { limit: 2, delay: 250, maxDelay: 5_000 };

/** One request. The transport doesn't follow redirects. */
export interface TransportRequest {
  readonly method: string;
  /** Absolute http(s) URL, as serialized by the URL parser. */
  readonly url: string;
  /** Headers with lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
}

/**
 * The time limit of a call. Its signal is aborted with a typed reason when the caller cancels the call or the time is
 * up.
 */
export interface CallDeadline {
  readonly signal: AbortSignal;
  /** Stops the timer and cancels anything that's still pending. Must be called when the call is done. */
  readonly dispose: () => void;
}

/** A response whose headers have arrived. Its body can be read once, or discarded. */
export interface IncomingResponse {
  readonly status: number;
  /** Headers with lowercase names. Repeated headers are joined with a comma. Cookies are omitted. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Announced body length in bytes, before decoding. Undefined if the length wasn't announced or the response has no
   * body.
   */
  readonly announcedBytes: number | undefined;
  readonly body: Dispatcher.ResponseData['body'];
}

const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, headers: 30_000, idle: 30_000, total: 120_000 };
const GATEWAY_ERROR_STATUSES = [502, 503, 504];

/**
 * Sends requests with undici: manages connections, timeouts, proxies, and retries of safe requests. It doesn't handle
 * credentials or redirects. Every failure is a typed error without URL, headers, or body.
 */
export class Transport {
  readonly timeouts: Timeouts;
  readonly #options: TransportOptions;
  readonly #retries: typeof DEFAULT_RETRIES;
  /** Dispatchers, keyed by scheme and proxy. */
  readonly #dispatchers = new Map<string, Promise<Dispatcher>>();
  /** Functions that cancel pending calls. */
  readonly #cancellers = new Set<() => void>();
  #disposed = false;
  #secureContext: Promise<SecureContext | undefined> | undefined;

  constructor(options: TransportOptions = {}) {
    this.#options = options;
    this.timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
    this.#retries = { ...DEFAULT_RETRIES, ...options.retries };
  }

  /**
   * Starts the time limit of a call. `AbortSignal.timeout` and `AbortSignal.any` aren't used, because every call would
   * leave a timer running for two minutes.
   *
   * @param host host and port of the call, for error messages.
   * @param caller signal that cancels the call.
   * @param timeoutMs limit for the whole call in ms; Infinity for downloads and uploads.
   */
  startDeadline(host: string, caller: AbortSignal | undefined, timeoutMs = this.timeouts.total): CallDeadline {
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
   * Sends a request and waits for the response headers. GET and HEAD are retried up to twice when the connection closes
   * before a response arrives, or when a gateway or the service asks for a retry soon. Other requests aren't retried.
   *
   * @throws {@link NetworkError}, {@link CancelledError}, and the other typed errors of a request without a response.
   */
  async request({ url, method, headers, body }: TransportRequest, signal: AbortSignal): Promise<IncomingResponse> {
    const { origin, host, pathname, search } = new URL(url);
    const path = pathname + search;
    const { limit, delay, maxDelay } = this.#retries;
    const { headers: headersTimeout, idle: bodyTimeout } = this.timeouts;
    const safe = method === 'GET' || method === 'HEAD';
    for (let attempt = 0; ; attempt += 1) {
      const mayRetry = safe && attempt < limit;
      let proxy: ProxyServer | undefined;
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

  #dispatcher(proxy: ProxyServer | undefined, origin: string): Promise<Dispatcher> {
    if (this.#disposed) {
      throw new CancelledError();
    }
    // Reading the computer's certificates is slow, and plain HTTP doesn't need them.
    const secure = origin.startsWith('https:') || proxy?.url.startsWith('https:') === true;
    const scheme = secure ? 'https' : 'http';
    const key = proxy === undefined ? scheme : `${scheme} ${proxy.authorization ?? ''} ${proxy.url}`;
    const created = this.#dispatchers.get(key) ?? this.#createDispatcher(proxy, secure);
    this.#dispatchers.set(key, created);
    // After a failure, for example when certificates couldn't be read, the next call tries again.
    created.catch(() => {
      this.#dispatchers.delete(key);
      this.#secureContext = undefined;
    });
    return created;
  }

  async #createDispatcher(proxy: ProxyServer | undefined, secure: boolean): Promise<Dispatcher> {
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
          // With this option, undici would use TLS for a SOCKS proxy.
          ...(proxy.url.startsWith('https:') && { proxyTls: tls }),
          ...(proxy.authorization !== undefined && { token: proxy.authorization }),
        });
  }

  /** Creates one context for all connections, because parsing hundreds of certificates takes tens of milliseconds. */
  async #createSecureContext(): Promise<SecureContext | undefined> {
    const authorities = await this.#options.authorities?.();
    return authorities && createSecureContext({ ca: [...authorities] });
  }

  /** Closes every connection. Pending calls fail with {@link CancelledError}. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#cancellers.forEach((cancel) => cancel());
    for (const created of this.#dispatchers.values()) {
      const dispatcher = await created.catch(() => undefined);
      await dispatcher?.destroy();
    }
  }
}

/** Returns the delay before a retry in ms, or undefined when the response should be used. */
function retryDelay({ status, headers }: IncomingResponse, defaultDelay: number): number | undefined {
  const seconds = retryAfterSeconds(headers['retry-after']);
  if (GATEWAY_ERROR_STATUSES.includes(status)) {
    return seconds === undefined ? defaultDelay : seconds * 1000;
  }
  return status === 429 && seconds !== undefined ? seconds * 1000 : undefined;
}

/**
 * Sends one request. Doesn't follow redirects or decode content encodings.
 *
 * @returns the response, once its headers have arrived.
 * @throws errors of undici and Node.
 */
async function sendRequest(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<IncomingResponse> {
  try {
    // undici aborts a request that's waiting for a connection only once one becomes available, which can take long.
    const sent = cancellable(dispatcher.request({ ...options, signal }), signal);
    const { statusCode: status, headers: received, body } = await sent;
    // Without a listener, an unread body that ends early would throw an uncaught exception.
    body.on('error', () => undefined);
    const headers = singleValues(received);
    const length = headers['content-length'];
    // These responses have no content, regardless of the length that they announce (RFC 9110 §6.4.1).
    const isEmpty = options.method === 'HEAD' || status === 304;
    return { status, headers, announcedBytes: length === undefined || isEmpty ? undefined : Number(length), body };
  } catch (error) {
    // undici doesn't destroy a body that it hasn't started to send.
    if (options.body instanceof Readable) {
      options.body.on('error', () => undefined).destroy();
    }
    throw error;
  }
}

function singleValues(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // Assigning to `__proto__` wouldn't add a header.
    if (value !== undefined && name !== 'set-cookie' && name !== '__proto__') {
      single[name] = typeof value === 'string' ? value : value.join(', ');
    }
  }
  return single;
}

/** Discards the body. A short body is read to its end so that its connection can be reused. */
export function discardBody({ body }: IncomingResponse): void {
  body.dump({ limit: MAX_ERROR_BYTES }).catch(() => undefined);
}
