import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';

import type { Dispatcher } from 'undici';

import { CancelledError } from '../errors/cancelledError.ts';
import { Deadline } from './deadline.ts';
import { toFailure } from './toBuildServiceError.ts';
import { IncomingResponse } from './incomingResponse.ts';
import { NetworkError } from '../errors/networkError.ts';
import { retryAfterSeconds } from '../errors/serviceError.ts';

/** How a proxy is reached. */
export interface Proxy {
  /** http, https or socks5 URL of the proxy; user info in it is used, and never shown. */
  readonly url: string;
  /** Value of the Proxy-Authorization header; it wins over user info. */
  readonly authorization?: string;
}

/** Milliseconds. */
export interface Timeouts {
  readonly connect: number;
  /** From the request's last byte to the answer's headers. */
  readonly headers: number;
  /** Between two pieces of a body. */
  readonly idle: number;
  /** The whole call, redirects, retries and body included. */
  readonly total: number;
}

export interface TransportOptions {
  readonly timeouts?: Partial<Timeouts>;
  /** Certificate authorities to trust, PEM, instead of Node's own. Asked once, before the first TLS connection. */
  readonly authorities?: () => Promise<readonly string[] | undefined>;
  /**
   * Asked before every request, with the origin only. The resolver decides what goes directly, loopback above all.
   */
  readonly proxyFor?: (origin: string) => Promise<Proxy | undefined>;
  /** Bytes of the largest answer that is read into memory, after decompression; {@link MAX_BODY_BYTES} when absent. */
  readonly maxBodyBytes?: number;
  readonly retries?: Partial<Retries>;
  readonly userAgent?: string;
}

interface Retries {
  readonly limit: number;
  /** Milliseconds before the first retry; doubled for the next one. */
  readonly delay: number;
  /** A service that asks for a longer wait (Retry-After) gets no retry, milliseconds. */
  readonly longestDelay: number;
}

/** One request, to exactly this URL. */
export interface TransportRequest {
  readonly method: string;
  /** Absolute http(s) URL as the URL parser writes it. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
}

/** Parsing and reading this much takes less than a person notices; what is larger can be downloaded. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

const defaultTimeouts: Timeouts = { connect: 10_000, headers: 30_000, idle: 30_000, total: 120_000 };
const defaultRetries: Retries = { limit: 2, delay: 250, longestDelay: 5_000 };
const gatewayFailures = [502, 503, 504];

/**
 * Carries requests over undici: connections, timeouts, proxies, retries of safe requests. It knows nothing of credentials
 * and follows no redirects. Every failure is a typed error without URL, headers or body.
 */
export class Transport {
  readonly timeouts: Timeouts;
  readonly maxBodyBytes: number;
  readonly userAgent: string;
  readonly #options: TransportOptions;
  readonly #retries: Retries;
  readonly #dispatchers = new Map<string, Promise<Dispatcher> | Dispatcher>();
  /** Under way. A set, because each further listener of one signal costs more than the one before. */
  readonly #calls = new Set<Deadline>();
  readonly #over = (call: Deadline): boolean => this.#calls.delete(call);
  #disposed = false;
  #trust: Promise<SecureContext | undefined> | undefined;

  constructor(options: TransportOptions = {}) {
    this.#options = options;
    this.timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#retries = { ...defaultRetries, ...options.retries };
    this.maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
    this.userAgent = options.userAgent ?? 'app-build-service';
  }

  /** @param total milliseconds for the whole call; Infinity for downloads and uploads. */
  deadline(signal: AbortSignal | undefined, total = this.timeouts.total): Deadline {
    const until = new Deadline(signal, total, this.#over);
    this.#calls.add(until);
    if (this.#disposed) {
      until.finish('cancelled');
    }
    return until;
  }

  /**
   * Sends a request and waits for the headers of its answer. GET and HEAD are retried within narrow bounds when the
   * connection was closed before an answer, or when a gateway or the service asks to come back soon; nothing else is.
   */
  async request({ url, method, headers, body }: TransportRequest, until: Deadline): Promise<IncomingResponse> {
    const { origin, path, host } = takeApart(url);
    const { limit, delay, longestDelay } = this.#retries;
    const { headers: headersTimeout, idle: bodyTimeout } = this.timeouts;
    const safe = method === 'GET' || method === 'HEAD';
    for (let attempt = 0; ; attempt += 1) {
      const mayRetry = safe && attempt < limit;
      let proxy: Proxy | undefined;
      try {
        const asked = this.#options.proxyFor?.(origin);
        proxy = asked && (await until.within(asked));
        const known = this.#dispatcher(proxy, origin);
        const dispatcher = known instanceof Promise ? await until.within(known) : known;
        const options = { origin, path, method, headers, body: body ?? null, headersTimeout, bodyTimeout };
        const response = await IncomingResponse.to(dispatcher, options, until);
        const wait = mayRetry ? delayOf(response, delay * 2 ** attempt) : undefined;
        if (wait === undefined || wait > longestDelay) {
          return response;
        }
        response.discard();
        await pause(wait, until);
      } catch (error) {
        const proxyHost = proxy && URL.parse(proxy.url)?.host;
        const failure = until.failure(host) ?? toFailure(error, { host, proxyHost, answered: false });
        if (!mayRetry || !(failure instanceof NetworkError && failure.failure === 'reset')) {
          throw failure;
        }
      }
    }
  }

  #dispatcher(proxy: Proxy | undefined, origin: string): Promise<Dispatcher> | Dispatcher {
    if (this.#disposed) {
      throw new CancelledError();
    }
    // The certificates of a computer take a while to read: plain HTTP on this machine does without.
    const secure = origin.startsWith('https:') || proxy?.url.startsWith('https:') === true;
    const way = secure ? 'https' : 'http';
    const key = proxy === undefined ? way : `${way} ${proxy.authorization ?? ''} ${proxy.url}`;
    const known = this.#dispatchers.get(key);
    if (known !== undefined) {
      return known;
    }
    const created = this.#createDispatcher(proxy, secure);
    this.#dispatchers.set(key, created);
    created.then(
      (dispatcher) => this.#dispatchers.set(key, dispatcher),
      // A failure (certificates that could not be read) is the next call's chance to try again.
      () => {
        this.#dispatchers.delete(key);
        this.#trust = undefined;
      },
    );
    return created;
  }

  async #createDispatcher(proxy: Proxy | undefined, secure: boolean): Promise<Dispatcher> {
    const { Agent, ProxyAgent } = await import('./undici.ts');
    const secureContext = secure ? await (this.#trust ??= this.#readTrust()) : undefined;
    const tls = { timeout: this.timeouts.connect, allowH2: false, ...(secureContext && { secureContext }) };
    const pool = { connections: 10, pipelining: 1, allowH2: false };
    return proxy === undefined
      ? new Agent({ ...pool, connect: { ...tls, autoSelectFamily: true } })
      : new ProxyAgent({
          ...pool,
          uri: proxy.url,
          requestTls: tls,
          connectTimeout: this.timeouts.connect,
          // Given for a SOCKS proxy, it would make undici speak TLS to it.
          ...(proxy.url.startsWith('https:') && { proxyTls: tls }),
          ...(proxy.authorization !== undefined && { token: proxy.authorization }),
        });
  }

  /** One for all connections: some hundred certificates take tens of milliseconds to parse. */
  async #readTrust(): Promise<SecureContext | undefined> {
    const authorities = await this.#options.authorities?.();
    return authorities && createSecureContext({ ca: [...authorities] });
  }

  /** Ends every connection; calls that are under way fail as cancelled. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#calls.forEach((call) => call.finish('cancelled'));
    for (const created of this.#dispatchers.values()) {
      const dispatcher = created instanceof Promise ? await created.catch(() => undefined) : created;
      await dispatcher?.destroy();
    }
  }
}

async function pause(milliseconds: number, until: Deadline): Promise<void> {
  const controller = new AbortController();
  try {
    await until.within(sleep(milliseconds, undefined, { signal: controller.signal }));
  } finally {
    controller.abort();
  }
}

interface Address {
  readonly origin: string;
  /** With the port, as in a URL. */
  readonly host: string;
  /** With the query. */
  readonly path: string;
}

/** By hand where that is easy: the URL parser costs more than the rest of the preparations. */
function takeApart(url: string): Address {
  if (/^https?:\/\/[a-z\d.-]+(?::\d+)?\/[\w\-./?&=%~+]*$/.test(url)) {
    const start = url.indexOf('//') + 2;
    const end = url.indexOf('/', start);
    return { origin: url.slice(0, end), host: url.slice(start, end), path: url.slice(end) };
  }
  const parsed = new URL(url);
  return { origin: parsed.origin, host: parsed.host, path: parsed.pathname + parsed.search };
}

/** Milliseconds to wait before trying again; undefined when the answer is to be used as it is. */
function delayOf({ status, headers }: IncomingResponse, wait: number): number | undefined {
  const asked = retryAfterSeconds(headers['retry-after']);
  if (gatewayFailures.includes(status)) {
    return asked === undefined ? wait : asked * 1000;
  }
  return status === 429 && asked !== undefined ? asked * 1000 : undefined;
}
