import { acceptedEncodings, readBody } from './contentEncoding.ts';
import { authorize, withoutCredentials, type Credentials } from '../credentials.ts';
import type { Deadline } from './deadline.ts';
import { downloadOf, type Download, type DownloadOptions } from './download.ts';
import { BuildServiceError } from '../errors/buildServiceError.ts';
import type { IncomingResponse } from './incomingResponse.ts';
import { isRedirect, nextHop, type Hop, type RedirectPolicy } from './redirects.ts';
import { redactUrl, type Redactor } from '../redaction.ts';
import type { ServiceResponse } from './response.ts';
import { failureOf, mediaTypeOf, parseBody } from './responseBody.ts';
import type { ServiceUrl } from '../serviceUrl.ts';
import type { Transport, TransportRequest } from './transport.ts';

/** One request and its answer, for a log. Holds no query values, headers or bodies. */
export interface Exchange {
  readonly method: string;
  /** Path, and origin when it is not the service's; parameters by name only. */
  readonly path: string;
  /** Absent when no answer arrived. */
  readonly status?: number;
  /** Until the headers of the answer had arrived. */
  readonly milliseconds: number;
  readonly error?: BuildServiceError;
}

/** One call: a request, what is attached to it and how far it may be redirected. Its URL is free of credentials, but for `inUrl`. */
export interface Call extends Omit<TransportRequest, 'headers'> {
  /** Besides the standard ones. Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `inUrl`: the contract puts this call's secrets into the query itself; nothing is attached. */
  readonly credentials: Credentials | undefined | 'inUrl';
  readonly redirects: RedirectPolicy;
  /**
   * The answer is to bring a secret. In any other one, secrets in use are taken out of the text: the service may repeat
   * them, in a link perhaps, and what is shown is copied and sent around.
   */
  readonly holdsSecret?: boolean;
  /** Failing answers are answers too, 401 excepted. */
  readonly anyStatus?: boolean;
}

/** An answer whose body has not been read yet: 2xx, unless the call takes any status. */
export interface Answer {
  readonly response: IncomingResponse;
  /** Without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without credentials. */
  readonly url: string;
}

export interface CallerSettings {
  readonly service: ServiceUrl;
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
}

const accept =
  'application/json, application/hal+json, application/vnd.api+json, application/vnd.siren+json, application/vnd.collection+json, application/ld+json, */*;q=0.1';

/** Error bodies are sentences; more than this is not read. */
const MAX_ERROR_BODY_BYTES = 1024 * 1024;

/** Makes calls: credentials on each hop, redirects by hand, failures as typed errors, one log entry for each request. */
export class Caller {
  readonly #settings: CallerSettings;
  /** Of every request; these two cannot be replaced. */
  readonly #fixed: Readonly<Record<string, string>>;
  readonly #standard: Readonly<Record<string, string>>;

  constructor(settings: CallerSettings) {
    this.#settings = settings;
    this.#fixed = { 'cache-control': 'no-store', 'user-agent': settings.transport.userAgent };
    this.#standard = { accept, 'accept-encoding': acceptedEncodings, ...this.#fixed };
  }

  /** Sends, follows redirects as far as the call allows, and reads the answer into memory. The deadline has ended then. */
  async answer(call: Call, until: Deadline, start: number): Promise<ServiceResponse> {
    const { service, redactor, transport } = this.#settings;
    try {
      const { response, headers, url } = await this.#follow(call, until);
      const bytes = await readBody(response, transport.maxBodyBytes, url, until);
      const body = await parseBody({
        bytes,
        headers,
        url,
        service,
        redactor: call.holdsSecret === true ? undefined : redactor,
      });
      return {
        status: response.status,
        url,
        headers,
        mediaType: mediaTypeOf(headers),
        body,
        milliseconds: performance.now() - start,
      };
    } finally {
      until.end();
    }
  }

  /** Sends, follows redirects as far as the call allows, and hands the answer on as a stream, whose end ends the deadline. */
  async download(call: Call, until: Deadline, onProgress: DownloadOptions['onProgress']): Promise<Download> {
    try {
      return downloadOf(await this.#follow(call, until), until, onProgress);
    } catch (error) {
      until.end();
      throw error;
    }
  }

  /** @throws an error for an answer that is not 2xx, unless the call takes it. */
  async #follow(call: Call, until: Deadline): Promise<Answer> {
    const trail: Hop[] = [];
    let hop: Hop = { method: call.method, url: call.url, left: false };
    for (;;) {
      const response = await this.#exchange(call, hop, until);
      if (!isRedirect(response.status)) {
        // Known secrets as well: a redirect may repeat a token under another name.
        const url = this.#settings.redactor.withoutValues(
          call.credentials === 'inUrl' ? withoutCredentials(hop.url) : hop.url,
        );
        const answer = { response, headers: this.#concealed(response.headers), url };
        const failed = response.status < 200 || response.status > 299;
        if (failed && (call.anyStatus !== true || response.status === 401)) {
          throw await this.#failure(answer, until);
        }
        return answer;
      }
      response.discard();
      trail.push(hop);
      const redirect = { status: response.status, location: response.headers.location };
      hop = nextHop(redirect, trail, call.redirects, this.#settings.redactor);
    }
  }

  async #exchange(call: Call, hop: Hop, until: Deadline): Promise<IncomingResponse> {
    const first = hop.url === call.url && hop.method === call.method;
    const headers =
      call.headers === undefined
        ? this.#standard
        : { ...this.#standard, ...(first ? call.headers : bodiless(call.headers)), ...this.#fixed };
    const { method, url } = hop;
    const request: TransportRequest =
      first && call.body !== undefined ? { method, url, headers, body: call.body } : { method, url, headers };
    const credentials = hop.left || call.credentials === 'inUrl' ? undefined : call.credentials;
    const authorized = call.credentials === 'inUrl' ? request : authorize(request, credentials, this.#settings.service);
    const start = performance.now();
    try {
      const response = await this.#settings.transport.request(authorized, until);
      this.#report(hop, start, { status: response.status });
      return response;
    } catch (error) {
      if (error instanceof BuildServiceError) {
        this.#report(hop, start, { error });
      }
      throw error;
    }
  }

  #report({ method, url }: Hop, start: number, result: Pick<Exchange, 'status' | 'error'>): void {
    this.#settings.onExchange?.({
      method,
      path: this.#pathOf(url),
      milliseconds: performance.now() - start,
      ...result,
    });
  }

  async #failure({ response, headers, url }: Answer, until: Deadline): Promise<BuildServiceError> {
    const answer = { status: response.status, headers };
    try {
      return failureOf(answer, await readBody(response, MAX_ERROR_BODY_BYTES, url, until), this.#settings.redactor);
    } catch {
      // The status says more than the fault of the body, unless the call has been ended.
      return until.failure(new URL(url).host) ?? failureOf(answer, undefined, this.#settings.redactor);
    }
  }

  #concealed(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { redactor } = this.#settings;
    return Object.values(headers).some((value) => redactor.contains(value))
      ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactor.conceal(value)]))
      : headers;
  }

  #pathOf(url: string): string {
    const shown = redactUrl(withoutCredentials(url), this.#settings.redactor);
    return shown.startsWith(`${this.#settings.service.origin}/`)
      ? shown.slice(this.#settings.service.origin.length)
      : shown;
  }
}

/** Headers for a redirect's target, which gets no body. */
function bodiless(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')));
}
