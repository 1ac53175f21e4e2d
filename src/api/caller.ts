import { acceptedEncodings, readBody } from './body.ts';
import { authorize, withoutCredentials, type Credentials } from './credentials.ts';
import type { Deadline } from './deadline.ts';
import { downloadOf, type Download, type DownloadOptions } from './download.ts';
import { BuildServiceError } from './errors.ts';
import { isRedirect, nextHop, type Hop, type RedirectPolicy } from './redirects.ts';
import { redactUrl, type Redactor } from './redaction.ts';
import type { ServiceResponse } from './response.ts';
import { failureOf, mediaTypeOf, parseBody } from './responseBody.ts';
import type { ServiceUrl } from './serviceUrl.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

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

/** One call: a request, what is attached to it and how far it may be redirected. */
export interface Call extends TransportRequest {
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
  readonly response: TransportResponse;
  /** Without credentials. */
  readonly url: string;
}

export interface CallerSettings {
  readonly service: ServiceUrl;
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
}

/** Error bodies are sentences; more than this is not read. */
const largestErrorBody = 1024 * 1024;

/** Makes calls: credentials on each hop, redirects by hand, failures as typed errors, one log entry for each request. */
export class Caller {
  readonly #settings: CallerSettings;

  constructor(settings: CallerSettings) {
    this.#settings = settings;
  }

  /** Sends, follows redirects as far as the call allows, and reads the answer into memory. The deadline has ended then. */
  async answer(call: Call, until: Deadline, start: number): Promise<ServiceResponse> {
    const answer = await this.#followed({ ...call, headers: { 'accept-encoding': acceptedEncodings, ...call.headers } }, until);
    try {
      return await this.#read(answer, until, start, call.holdsSecret === true);
    } finally {
      until.end();
    }
  }

  /** Sends, follows redirects as far as the call allows, and hands the answer on as a stream. */
  async download(call: Call, until: Deadline, onProgress: DownloadOptions['onProgress']): Promise<Download> {
    return downloadOf(await this.#followed(call, until), until, onProgress);
  }

  /** Turns an answer that is not 2xx into an error, which ends the deadline. */
  async #followed(call: Call, until: Deadline): Promise<Answer> {
    try {
      return await this.#follow(call, until);
    } catch (error) {
      until.end();
      throw error;
    }
  }

  async #follow(call: Call, until: Deadline): Promise<Answer> {
    const trail: Hop[] = [];
    let hop: Hop = { method: call.method, url: call.url, left: false };
    for (;;) {
      const response = await this.#exchange(call, hop, until);
      // Known secrets as well: a redirect may repeat a token under another name.
      const url = this.#settings.redactor.withoutValues(withoutCredentials(hop.url));
      if (!isRedirect(response.status)) {
        const shown = { ...response, headers: this.#concealed(response.headers) };
        const failed = response.status < 200 || response.status > 299;
        if (failed && (call.anyStatus !== true || response.status === 401)) {
          throw await this.#failure(shown, new URL(url).host, until);
        }
        return { response: shown, url };
      }
      response.discard();
      trail.push(hop);
      const redirect = { status: response.status, location: response.headers.location };
      hop = nextHop(redirect, trail, call.redirects, this.#settings.redactor);
    }
  }

  async #exchange(call: Call, hop: Hop, until: Deadline): Promise<TransportResponse> {
    const first = hop.url === call.url && hop.method === call.method;
    const own = { 'cache-control': 'no-store', 'user-agent': this.#settings.transport.userAgent };
    const request: TransportRequest = {
      method: hop.method,
      url: hop.url,
      headers: { ...(first ? call.headers : bodiless(call.headers)), ...own },
      ...(first && call.body !== undefined && { body: call.body }),
    };
    const credentials = hop.left || call.credentials === 'inUrl' ? undefined : call.credentials;
    const authorized = call.credentials === 'inUrl' ? request : authorize(request, credentials, this.#settings.service);
    const start = performance.now();
    const report = (result: { readonly status: number } | { readonly error: BuildServiceError }): void =>
      this.#settings.onExchange?.({
        method: hop.method,
        path: this.#pathOf(hop.url),
        milliseconds: performance.now() - start,
        ...result,
      });
    try {
      const response = await this.#settings.transport.request(authorized, until);
      report({ status: response.status });
      return response;
    } catch (error) {
      if (error instanceof BuildServiceError) {
        report({ error });
      }
      throw error;
    }
  }

  async #read({ response, url }: Answer, until: Deadline, start: number, holdsSecret: boolean): Promise<ServiceResponse> {
    const { host } = new URL(url);
    const bytes = await readBody(response, this.#settings.transport.largestBody, host, until);
    return {
      status: response.status,
      url,
      headers: response.headers,
      mediaType: mediaTypeOf(response.headers),
      body: await parseBody({
        bytes,
        headers: response.headers,
        url,
        service: this.#settings.service,
        ...(!holdsSecret && { redactor: this.#settings.redactor }),
      }),
      milliseconds: performance.now() - start,
    };
  }

  async #failure(response: TransportResponse, host: string, until: Deadline): Promise<BuildServiceError> {
    try {
      return failureOf(response, await readBody(response, largestErrorBody, host, until), this.#settings.redactor);
    } catch {
      // The status says more than the fault of the body, unless the call has been ended.
      return until.failure(host) ?? failureOf(response, undefined, this.#settings.redactor);
    }
  }

  #concealed(headers: Readonly<Record<string, string>>): Record<string, string> {
    const { redactor } = this.#settings;
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactor.conceal(value)]));
  }

  #pathOf(url: string): string {
    const shown = redactUrl(withoutCredentials(url), this.#settings.redactor);
    return shown.startsWith(`${this.#settings.service.origin}/`) ? shown.slice(this.#settings.service.origin.length) : shown;
  }
}

/** Headers for a redirect's target, which gets no body. */
function bodiless(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')));
}
