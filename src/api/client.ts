import { Readable } from 'node:stream';

import { RequestPipeline, type Call, type Exchange, type PipelineOptions } from './http/requestPipeline.ts';
import { absoluteUrl, secretsOf, withParameters, type Credentials } from './credentials.ts';
import type { Download, DownloadOptions } from './http/download.ts';
import { InvalidInputError } from './errors/buildServiceError.ts';
import { InvalidResponseError, RedirectError } from './errors/responseErrors.ts';
import { sentence } from './errors/sentence.ts';
import { Redactor } from './redaction.ts';
import { refuseUnsafeTarget } from './http/redirects.ts';
import { isHtml, type ServiceResponse } from './http/response.ts';
import type { Deadline } from './http/transport.ts';
import { isObject, member } from './hypermedia/json.ts';
import type { Link } from './hypermedia/resource.ts';
import { endpoint, type ServiceUrl } from './serviceUrl.ts';
import { toServiceError } from './http/failures.ts';

export type { Download, DownloadOptions, Exchange };

/** A request that the user composes. */
export interface ServiceRequest {
  readonly method: string;
  /** Absolute URL on the service, a path below its address (`/api/v1/apps`), or an internal link of a resource. */
  readonly url: string | Link;
  /** Credentials and cookies among them are removed. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
  /** Returns responses of any status but 401 instead of throwing: their bodies explain what to correct. */
  readonly anyStatus?: boolean;
  /** Bytes of an answer that isn't shown in rows, such as a log. Default: `MAX_RESOURCE_BYTES`. */
  readonly maxBytes?: number;
}

export interface ClientOptions extends Omit<PipelineOptions, 'redactor'> {
  /** Absent for the calls that need none: the exchanges and `createAuthenticationToken`. */
  readonly credentials?: Credentials;
  /** Learns every secret that this client handles. Pass the log's own, so that the log hides them too. */
  readonly redactor?: Redactor;
}

/** The user resource (contract, Resources), as far as this extension needs it. */
export interface CurrentUser {
  readonly username: string;
  readonly email?: string;
}

/** A registered client application (contract, Client application registration). */
interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The service's client: a method for each endpoint of the contract, and `get`, `send` and `download` for links. */
export class BuildServiceClient {
  readonly service: ServiceUrl;
  readonly #options: ClientOptions;
  readonly #redactor: Redactor;
  readonly #pipeline: RequestPipeline;

  constructor(options: ClientOptions) {
    this.service = options.service;
    this.#options = options;
    this.#redactor = options.redactor ?? new Redactor();
    this.#pipeline = new RequestPipeline({ ...options, redactor: this.#redactor });
    if (options.credentials !== undefined) {
      this.#redactor.add(...secretsOf(options.credentials));
    }
  }

  /** A client of the same service over the same connections, with other credentials. */
  withCredentials(credentials: Credentials): BuildServiceClient {
    return new BuildServiceClient({
      ...this.#options,
      redactor: this.#redactor,
      credentials,
      onUnauthorized: undefined,
    });
  }

  /** Name of the query parameter that carries this client's token (contract, Authentication). */
  get tokenParameter(): 'access_token' | 'auth_token' {
    return this.#options.credentials?.type === 'authToken' ? 'auth_token' : 'access_token';
  }

  /** Address of the API home, where the links start. */
  get homeUrl(): string {
    return endpoint(this.service, '/api/v1');
  }

  /**
   * The absolute URL of a path or link as a person writes it, without credentials.
   *
   * @throws {@link InvalidInputError} when it cannot be requested.
   */
  resolve(link: string): string {
    return absoluteUrl(link.trim(), this.service).href;
  }

  /** Endpoint 1: the API home. */
  home(signal?: AbortSignal): Promise<ServiceResponse> {
    return this.get(this.homeUrl, signal);
  }

  /** Endpoint 2: the user resource. */
  me(signal?: AbortSignal): Promise<ServiceResponse> {
    return this.get(endpoint(this.service, '/api/v1/me'), signal);
  }

  /**
   * Endpoint 2, validated. The names are as the service sends them, not yet made readable.
   *
   * @throws {@link InvalidResponseError} when there is no `username`.
   */
  async currentUser(signal?: AbortSignal): Promise<CurrentUser> {
    const response = await this.me(signal);
    const username = this.#textField(response, 'username');
    const email = memberOf(response, 'email');
    return { username, ...(typeof email === 'string' && email !== '' && { email: this.#redactor.hideSecrets(email) }) };
  }

  /** Endpoint 3: the simple authentication token of a user who has a password, which is forgotten after the call. */
  async createAuthenticationToken(
    { username, password }: { readonly username: string; readonly password: string },
    signal?: AbortSignal,
  ): Promise<string> {
    const credentials: Credentials = { type: 'basic', username, password };
    const forget = this.#redactor.add(...secretsOf(credentials));
    return this.#requestSecret(endpoint(this.service, '/token'), credentials, 'token', signal).finally(forget);
  }

  /** Endpoint 4: the page to open in a browser. Parameters beyond the contract's `client_id` are ignored by the service. */
  authorizeUrl({ clientId, state }: { readonly clientId: string; readonly state?: string }): string {
    return withParameters(endpoint(this.service, '/authorize'), {
      client_id: clientId,
      ...(state !== undefined && { state }),
    });
  }

  /** Endpoint 5: the access token for the code that the Callback Url received, which is forgotten after the call. */
  exchangeCode(
    { code, ...application }: Application & { readonly code: string },
    signal?: AbortSignal,
  ): Promise<string> {
    const forget = this.#redactor.add(code);
    return this.#exchange('/authorize/token', application, { code }, signal).finally(forget);
  }

  /** Endpoint 6: the access token for a simple authentication token. */
  exchangeAuthenticationToken(
    { authToken, ...application }: Application & { readonly authToken: string },
    signal?: AbortSignal,
  ): Promise<string> {
    this.#redactor.add(authToken);
    return this.#exchange('/authorize', application, { auth_token: authToken }, signal);
  }

  #exchange(
    path: `/${string}`,
    { clientId, clientSecret }: Application,
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    this.#redactor.add(clientSecret);
    const all = { client_id: clientId, client_secret: clientSecret, ...parameters };
    const url = withParameters(endpoint(this.service, path), all);
    return this.#requestSecret(url, 'inUrl', 'access_token', signal);
  }

  /**
   * Follows a link on the service's origin.
   *
   * @param link an internal link of a resource, an absolute URL, or a path below the service's address.
   * @throws {@link RedirectError} `elsewhere` when it leads to another server, now or by a redirect.
   */
  get(link: string | Link, signal?: AbortSignal): Promise<ServiceResponse> {
    return this.send({ method: 'GET', url: link }, signal);
  }

  /**
   * Sends a request to the service. A body in a stream has no time limit as a whole.
   *
   * @returns any 2xx response; with `anyStatus`, any but a 401.
   * @throws {@link ServiceError} and the other errors of `errors/`.
   */
  async send(
    { method, url, headers, body, anyStatus = false, maxBytes }: ServiceRequest,
    signal?: AbortSignal,
  ): Promise<ServiceResponse> {
    const target = absoluteUrl(typeof url === 'string' ? url : urlOfLink(url), this.service);
    if (target.origin !== this.service.origin) {
      throw new RedirectError('elsewhere', target.href);
    }
    const call: Call = {
      method: methodOf(method),
      url: target.href,
      headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
      ...(body !== undefined && { body }),
      credentials: this.#options.credentials,
      redirects: 'sameOrigin',
      anyStatus,
      maxBytes,
    };
    return this.#pipeline.fetch(call, this.#startDeadline(signal, body instanceof Readable ? Infinity : undefined));
  }

  /**
   * Fetches what a link leads to as a stream. Redirects to other hosts are followed without credentials.
   *
   * @param url absolute URL or a path below the service's address. On another origin it gets no credentials.
   * @throws {@link RedirectError} where a redirect is not followed to, either; the other errors of `errors/`.
   */
  async download(url: string, { signal, onProgress }: DownloadOptions = {}): Promise<Download> {
    const target = absoluteUrl(url, this.service);
    refuseUnsafeTarget(new URL(this.service.href), target, url, this.#redactor);
    const call: Call = {
      method: 'GET',
      url: target.href,
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      credentials: this.#options.credentials,
      redirects: 'anywhere',
    };
    return this.#pipeline.download(call, this.#startDeadline(signal, Infinity), onProgress);
  }

  /** POSTs with an empty body to a token endpoint and returns the named field of its response. */
  async #requestSecret(
    url: string,
    credentials: Credentials | 'inUrl',
    field: string,
    signal?: AbortSignal,
  ): Promise<string> {
    const response = await this.#pipeline.fetch(
      { method: 'POST', url, credentials, redirects: 'never' },
      this.#startDeadline(signal),
    );
    // Of a failed exchange the contract shows the `error` and no status (Errors, 6).
    const error = memberOf(response, 'error');
    if (typeof error === 'string') {
      throw toServiceError(response, { error }, this.#redactor);
    }
    const secret = this.#textField(response, field);
    this.#redactor.add(secret);
    return secret;
  }

  #startDeadline(signal: AbortSignal | undefined, timeoutMs?: number): Deadline {
    return this.#options.transport.startDeadline(this.service.host, signal, timeoutMs);
  }

  #textField(response: ServiceResponse, name: string): string {
    if (response.body.kind !== 'json') {
      throw new InvalidResponseError(isHtml(response) ? 'html' : 'notJson', this.service.host);
    }
    const value = memberOf(response, name);
    if (typeof value !== 'string' || value === '') {
      throw new InvalidResponseError('missingField', name);
    }
    return value;
  }
}

function memberOf({ body }: ServiceResponse, name: string): unknown {
  return body.kind === 'json' && isObject(body.value) ? member(body.value, name) : undefined;
}

/** @throws {@link InvalidInputError} for a template, which needs values first. */
function urlOfLink({ target }: Link): string {
  if (target.kind === 'template') {
    throw new InvalidInputError(sentence('The link is a template: it needs values before it can be followed.'));
  }
  return target.url;
}

/** The method in upper case. @throws {@link InvalidInputError} when it is none, or CONNECT. */
function methodOf(method: string): string {
  // A method is a token (RFC 9110 §5.6.2).
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(method) || method.toUpperCase() === 'CONNECT') {
    throw new InvalidInputError(sentence('The method of the request is not valid.'));
  }
  return method.toUpperCase();
}
