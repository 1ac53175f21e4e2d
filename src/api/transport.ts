import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';

import type { Dispatcher } from 'undici';

import { CancelledError } from './cancelledError.ts';
import { deadline, type Deadline } from './deadline.ts';
import { toFailure } from './failure.ts';
import { retryAfterSeconds } from './serviceError.ts';

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
  /** Largest answer that is read into memory, in bytes, after decompression. */
  readonly largestBody?: number;
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
  /** Absolute http(s) URL. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
}

/** The start of an answer. `body` has to be read to its end, discarded or destroyed. */
export interface TransportResponse {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with a comma, cookies are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
  /** Drops the body; a short one is read, so that its connection can be used again. */
  readonly discard: () => void;
}

const mostDiscarded = 64 * 1024;
const defaultTimeouts: Timeouts = { connect: 10_000, headers: 30_000, idle: 30_000, total: 120_000 };
const defaultRetries: Retries = { limit: 2, delay: 250, longestDelay: 5_000 };
const gatewayFailures = [502, 503, 504];

type Undici = typeof import('./undici.ts');

/**
 * Carries requests over undici: connections, timeouts, proxies, retries of safe requests. It knows nothing of credentials
 * and follows no redirects. Every failure is a typed error without URL, headers or body.
 */
export class Transport {
  readonly timeouts: Timeouts;
  readonly largestBody: number;
  readonly userAgent: string;
  readonly #options: TransportOptions;
  readonly #retries: Retries;
  readonly #dispatchers = new Map<string, Promise<Dispatcher> | Dispatcher>();
  /** Under way. A set, because each further listener of one signal costs more than the one before. */
  readonly #calls = new Set<Deadline>();
  #disposed = false;
  #undici: Promise<Undici> | undefined;
  #trust: Promise<SecureContext | undefined> | undefined;

  constructor(options: TransportOptions = {}) {
    this.#options = options;
    this.timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#retries = { ...defaultRetries, ...options.retries };
    this.largestBody = options.largestBody ?? 32 * 1024 * 1024;
    this.userAgent = options.userAgent ?? 'app-build-service';
  }

  /** @param total milliseconds for the whole call; Infinity for downloads and uploads. */
  deadline(signal: AbortSignal | undefined, total = this.timeouts.total): Deadline {
    const until = deadline(signal, total, () => this.#calls.delete(until));
    this.#calls.add(until);
    if (this.#disposed) {
      until.cancel();
    }
    return until;
  }

  /**
   * Sends a request and waits for the headers of its answer. GET and HEAD are retried within narrow bounds when the
   * connection was closed before an answer, or when a gateway or the service asks to come back soon; nothing else is.
   */
  async request(request: TransportRequest, until: Deadline): Promise<TransportResponse> {
    const url = new URL(request.url);
    const { host } = url;
    for (let attempt = 0; ; attempt += 1) {
      const wait = this.#retries.delay * 2 ** attempt;
      const mayRetry = attempt < this.#retries.limit && (request.method === 'GET' || request.method === 'HEAD');
      try {
        const response = await this.#send(request, url, until);
        const delay = mayRetry ? delayOf(response, wait) : undefined;
        if (delay === undefined || delay > this.#retries.longestDelay) {
          return response;
        }
        response.discard();
        await sleep(delay, undefined, { signal: until.signal });
      } catch (error) {
        const ended = until.failure(host);
        if (ended !== undefined) {
          throw ended;
        }
        if (!mayRetry || !(error instanceof Error && 'failure' in error && error.failure === 'reset')) {
          throw error;
        }
      }
    }
  }

  async #send({ method, headers, body }: TransportRequest, { origin, pathname, search, host }: URL, until: Deadline): Promise<TransportResponse> {
    let proxyHost: string | undefined;
    try {
      const asked = this.#options.proxyFor?.(origin);
      const proxy = asked && (await unlessAborted(asked, until.signal));
      proxyHost = proxy && new URL(proxy.url).host;
      this.#undici ??= import('./undici.ts');
      const { request } = await this.#undici;
      const known = this.#dispatcher(proxy, origin);
      const dispatcher = known instanceof Promise ? await unlessAborted(known, until.signal) : known;
      const response = await request(dispatcher, {
        origin,
        path: pathname + search,
        method,
        headers,
        body: body ?? null,
        signal: until.signal,
        headersTimeout: this.timeouts.headers,
        bodyTimeout: this.timeouts.idle,
      });
      const { statusCode: status, headers: received, body: answer } = response;
      // Its reader learns of an error. An answer that nobody reads must not end the process with one.
      answer.on('error', () => undefined);
      const discard = (): void => void answer.dump({ limit: mostDiscarded }).catch(() => undefined);
      return { status, headers: flatten(received), body: answer, discard };
    } catch (error) {
      throw until.failure(host) ?? toFailure(error, { host, proxyHost, answered: false });
    }
  }

  #dispatcher(proxy: Proxy | undefined, origin: string): Promise<Dispatcher> | Dispatcher {
    if (this.#disposed) {
      throw new CancelledError();
    }
    // The certificates of a computer take a while to read: plain HTTP on this machine does without.
    const secure = [origin, proxy?.url].some((url) => url?.startsWith('https:'));
    const key = `${secure} ${proxy === undefined ? '' : `${proxy.authorization ?? ''} ${proxy.url}`}`;
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
    this.#undici ??= import('./undici.ts');
    const { Agent, ProxyAgent } = await this.#undici;
    const secureContext = secure ? await (this.#trust ??= this.#readTrust()) : undefined;
    const tls = { timeout: this.timeouts.connect, allowH2: false, ...(secureContext && { secureContext }) };
    const pool = { connections: 8, pipelining: 1, allowH2: false };
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
    this.#calls.forEach((call) => call.cancel());
    for (const created of this.#dispatchers.values()) {
      const dispatcher = created instanceof Promise ? await created.catch(() => undefined) : created;
      await dispatcher?.destroy();
    }
  }
}

/** What a promise gives, unless the signal aborts first: whoever resolves proxies or reads certificates may hang. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new CancelledError());
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) {
      end();
    }
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** Milliseconds to wait before trying again; undefined when the answer is to be used as it is. */
function delayOf({ status, headers }: TransportResponse, wait: number): number | undefined {
  const asked = retryAfterSeconds(headers['retry-after']);
  if (gatewayFailures.includes(status)) {
    return asked === undefined ? wait : asked * 1000;
  }
  return status === 429 && asked !== undefined ? asked * 1000 : undefined;
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // a header may be called __proto__; no answer of use has one
    if (value !== undefined && name !== 'set-cookie' && name !== '__proto__') {
      flat[name] = typeof value === 'string' ? value : value.join(', ');
    }
  }
  return flat;
}
