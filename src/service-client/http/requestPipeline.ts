import { authorize, belongsTo, removeCredentials, withoutCredentials, type Credentials } from '../credentials.ts';
import { BuildServiceError } from '../../errors/index.ts';
import { addressesInLinkHeader } from '../hypermedia/conventions/linkHeader.ts';
import { MAX_ERROR_BYTES, MAX_RESOURCE_BYTES } from '../limits.ts';
import { redactUrl, type Redactor } from '../redaction.ts';
import type { ServiceUrl } from '../serviceUrl.ts';
import {
  ACCEPT_ENCODING,
  readBody,
  toDownload,
  type Download,
  type DownloadOptions,
  type FinalResponse,
} from './download.ts';
import { toServiceError } from './failures.ts';
import { isRedirect, nextHop, type RedirectHop, type RedirectPolicy } from './redirects.ts';
import { getMediaType, parseBody, parseJson, type ServiceResponse } from './response.ts';
import {
  discardBody,
  type CallDeadline,
  type IncomingResponse,
  type Transport,
  type TransportRequest,
} from './transport.ts';

/** One request and its response, for the log. Doesn't contain query values, headers, or bodies. */
export interface LoggedExchange {
  readonly method: string;
  /** Path, with parameter names only. Includes the origin when it isn't the service's. */
  readonly path: string;
  /** Absent when no response arrived. */
  readonly status?: number;
  /** Time until the response headers arrived, in ms. */
  readonly milliseconds: number;
  readonly error?: BuildServiceError;
}

/**
 * Request, its credentials, and its redirect policy. The URL doesn't contain credentials unless `credentials` is
 * `inUrl`.
 */
export interface PipelineCall extends Omit<TransportRequest, 'headers'> {
  /** Headers in addition to the defaults. Names are lowercase. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Credentials to attach. `inUrl`: the URL's query contains the secrets, as the contract requires for this call, so
   * nothing is attached.
   */
  readonly credentials: Credentials | undefined | 'inUrl';
  readonly redirects: RedirectPolicy;
  /**
   * Whether to return responses with any status except 401 instead of throwing. `with401` includes 401, for the service
   * probe.
   */
  readonly anyStatus?: boolean | 'with401';
  /** Maximum number of response bytes read into memory, after decoding. Defaults to {@link MAX_RESOURCE_BYTES}. */
  readonly maxBytes?: number | undefined;
}

/** Options of {@link RequestPipeline}. */
export interface PipelineOptions {
  readonly service: ServiceUrl;
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly onExchange?: ((exchange: LoggedExchange) => void) | undefined;
  /** Called when the service refuses the credentials with a 401, before the call fails. */
  readonly onUnauthorized?: (() => void) | undefined;
  /** Called before every request to the service's origin. If it rejects, the request isn't sent. */
  readonly beforeRequest?: (() => Promise<void>) | undefined;
}

const ACCEPT =
  'application/json, application/hal+json, application/vnd.api+json, application/vnd.siren+json, application/vnd.collection+json, application/ld+json, */*;q=0.1';

/**
 * Sends every call: attaches credentials to each request, follows redirects manually, converts failures to typed
 * errors, and reports one {@link LoggedExchange} per request.
 */
export class RequestPipeline {
  readonly #options: PipelineOptions;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  /**
   * Sends a request, follows the redirects that the call allows, and reads the response into memory.
   *
   * @param deadline time limit of the call. Always disposed at the end.
   * @returns a 2xx response. With `anyStatus`, any response except a 401.
   * @throws typed errors only.
   */
  async fetch(call: PipelineCall, deadline: CallDeadline): Promise<ServiceResponse> {
    const start = performance.now();
    const { service, redactor } = this.#options;
    try {
      const response = await this.#follow(call, deadline.signal);
      const { status, headers, url, masked } = response;
      const bytes = await readBody(response, call.maxBytes ?? MAX_RESOURCE_BYTES, deadline.signal);
      const body = parseBody({ bytes, headers, url, masked, service, redactor });
      return { status, url, headers, mediaType: getMediaType(headers), body, milliseconds: performance.now() - start };
    } finally {
      deadline.dispose();
    }
  }

  /**
   * Sends a request, follows the redirects that the call allows, and returns the response as a stream.
   *
   * @param deadline time limit of the call. Disposed when the stream is read or abandoned.
   * @throws typed errors only.
   */
  async download(
    call: PipelineCall,
    deadline: CallDeadline,
    onProgress: DownloadOptions['onProgress'],
  ): Promise<Download> {
    try {
      return toDownload(await this.#follow(call, deadline.signal), deadline, onProgress);
    } catch (error) {
      deadline.dispose();
      throw error;
    }
  }

  /**
   * Sends requests until a response isn't a redirect.
   *
   * @throws for a response that isn't 2xx, unless the call accepts any status.
   */
  async #follow(call: PipelineCall, signal: AbortSignal): Promise<FinalResponse> {
    const hops: RedirectHop[] = [];
    let hop: RedirectHop = { method: call.method, url: call.url, leftOrigin: false };
    for (;;) {
      const response = await this.#exchange(call, hop, signal);
      if (!isRedirect(response.status)) {
        const final = this.#withoutSecrets(call, hop, response);
        const failed = response.status < 200 || response.status > 299;
        if (failed && call.anyStatus !== 'with401' && (call.anyStatus !== true || response.status === 401)) {
          const isElsewhere = hop.leftOrigin || !belongsTo(hop.url, this.#options.service);
          if (response.status === 401 && !isElsewhere) {
            this.#options.onUnauthorized?.();
          }
          throw await this.#toError(final, signal, isElsewhere ? new URL(final.url).host : undefined);
        }
        return final;
      }
      discardBody(response);
      hops.push(hop);
      const redirect = { status: response.status, location: response.headers.location };
      hop = nextHop(redirect, hops, call.redirects, this.#options.redactor);
    }
  }

  async #exchange(call: PipelineCall, hop: RedirectHop, signal: AbortSignal): Promise<IncomingResponse> {
    const first = hop.url === call.url && hop.method === call.method;
    const headers = {
      accept: ACCEPT,
      'accept-encoding': ACCEPT_ENCODING,
      ...(first ? call.headers : withoutContentHeaders(call.headers)),
      // Callers can't override these headers.
      'cache-control': 'no-store',
      'user-agent': 'app-build-service',
    };
    const { method, url } = hop;
    const request: TransportRequest = {
      method,
      url,
      headers,
      ...(first && call.body !== undefined && { body: call.body }),
    };
    const authorized =
      call.credentials === 'inUrl'
        ? request
        : authorize(request, hop.leftOrigin ? undefined : call.credentials, this.#options.service);
    const start = performance.now();
    const report = (result: Pick<LoggedExchange, 'status' | 'error'>): void =>
      this.#options.onExchange?.({
        method,
        path: this.#getPath(url),
        milliseconds: performance.now() - start,
        ...result,
      });
    try {
      if (!hop.leftOrigin) {
        await this.#options.beforeRequest?.();
      }
      const response = await this.#options.transport.request(authorized, signal);
      report({ status: response.status });
      return response;
    } catch (error) {
      if (error instanceof BuildServiceError) {
        report({ error });
      }
      throw error;
    }
  }

  /**
   * Creates the error for a failure response.
   *
   * @param otherHost host that responded without having received credentials.
   */
  async #toError(
    response: FinalResponse,
    signal: AbortSignal,
    otherHost: string | undefined,
  ): Promise<BuildServiceError> {
    const body = await readBody(response, MAX_ERROR_BYTES, signal).catch(() => undefined);
    // The status is more informative than an error about the body, unless the call ended early.
    return signal.aborted && signal.reason instanceof BuildServiceError
      ? signal.reason
      : toServiceError(
          { ...response, otherHost },
          body && parseJson(new TextDecoder().decode(body)),
          this.#options.redactor,
        );
  }

  /**
   * Removes secrets from a response before it's shown and its URL becomes the base of links. A redirect may repeat a
   * token under another name.
   */
  #withoutSecrets(call: PipelineCall, hop: RedirectHop, response: IncomingResponse): FinalResponse {
    const { redactor } = this.#options;
    const masked: string[] = [];
    const url = removeCredentials(new URL(hop.url));
    if (call.credentials === 'inUrl') {
      url.search = '';
    }
    if (redactor.containsSecret(url.href)) {
      // Set each part separately: a path that begins with two slashes isn't a host.
      const hidden = redactor.hideSecrets(url.pathname + url.search + url.hash);
      const [, path = '', search = '', hash = ''] = /^([^?#]*)([^#]*)(.*)$/s.exec(hidden) ?? [];
      url.pathname = path;
      url.search = search;
      url.hash = hash;
      masked.push(url.href);
    }
    let { headers } = response;
    // Search all headers together first, because most responses don't repeat a secret.
    if (redactor.containsSecret(Object.values(headers).join(' '))) {
      const sent = new Set(addressesInLinkHeader(headers.link));
      headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactor.hideSecrets(value)]));
      masked.push(...addressesInLinkHeader(headers.link).filter((address) => !sent.has(address)));
    }
    return { ...response, url: url.href, headers, masked };
  }

  #getPath(url: string): string {
    const redacted = redactUrl(withoutCredentials(url), this.#options.redactor);
    const { origin } = this.#options.service;
    return redacted.startsWith(`${origin}/`) ? redacted.slice(origin.length) : redacted;
  }
}

/** Returns the headers for the target of a redirect, without those that describe a body. */
function withoutContentHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')));
}
