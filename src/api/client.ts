import type { Readable } from 'node:stream';

import { Caller, type Call, type Exchange } from './http/requestPipeline.ts';
import { belongsTo, isPlain, secretsOf, withoutCredentials, withParameters, type Credentials } from './credentials.ts';
import type { Download, DownloadOptions } from './http/download.ts';
import { sentence } from './errors/buildServiceError.ts';
import { label } from './hypermedia/label.ts';
import type { Link } from './hypermedia/resource.ts';
import { InvalidInputError } from './errors/invalidInputError.ts';
import { InvalidResponseError } from './errors/invalidResponseError.ts';
import { RedirectError } from './errors/redirectError.ts';
import { Redactor } from './redaction.ts';
import { isHtml, type ServiceResponse } from './http/response.ts';
import { endpoint, hasPrefix, type ServiceUrl } from './serviceUrl.ts';
import { rejection } from './errors/serviceError.ts';
import type { Transport } from './http/transport.ts';

export type { Download, DownloadOptions, Exchange };

export interface ClientOptions {
  readonly service: ServiceUrl;
  /** Absent for the calls that need none: exchanges, and `createAuthenticationToken`. */
  readonly credentials?: Credentials;
  readonly transport: Transport;
  readonly onExchange?: (exchange: Exchange) => void;
  /** Learns every secret this client handles. Share the log's own, so that the log can take them out as well. */
  readonly redactor?: Redactor;
}

/** The user resource (contract, Resources), as far as this extension needs it. */
export interface CurrentUser {
  readonly username: string;
  readonly email?: string;
}

/** A request of a person's own making. */
export interface ServiceRequest {
  readonly method: string;
  /** Absolute URL on the service, a path below its address (`/api/v1/apps`), or an internal link of a resource. */
  readonly url: string | Link;
  /** Credentials and cookies among them are dropped. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
  /** Returns failing answers instead of throwing, 401 excepted: their bodies say what to correct. */
  readonly anyStatus?: boolean;
}

/** The service's client: a method for each endpoint of the contract, and `get`, `send` and `download` for links. */
export class BuildServiceClient {
  readonly service: ServiceUrl;
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #redactor: Redactor;
  readonly #caller: Caller;

  constructor(options: ClientOptions) {
    this.service = options.service;
    this.#options = options;
    this.#transport = options.transport;
    this.#redactor = options.redactor ?? new Redactor();
    this.#caller = new Caller({
      service: options.service,
      transport: options.transport,
      redactor: this.#redactor,
      onExchange: options.onExchange,
    });
    if (options.credentials !== undefined) {
      this.#redactor.add(...secretsOf(options.credentials));
    }
  }

  /** The same service and connections for somebody else. */
  withCredentials(credentials: Credentials): BuildServiceClient {
    return new BuildServiceClient({ ...this.#options, redactor: this.#redactor, credentials });
  }

  /** Query parameter that carries this client's token (contract, Authentication). */
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
    return this.#absolute(link.trim());
  }

  /** Endpoint 1: the API home. */
  home(signal?: AbortSignal): Promise<ServiceResponse> {
    return this.get(this.homeUrl, signal);
  }

  /** Endpoint 2: the user resource. */
  me(signal?: AbortSignal): Promise<ServiceResponse> {
    return this.get(endpoint(this.service, '/api/v1/me'), signal);
  }

  /** Endpoint 2, validated. @throws {@link InvalidResponseError} when there is no `username`. */
  async currentUser(signal?: AbortSignal): Promise<CurrentUser> {
    const response = await this.me(signal);
    // They are shown and compared by eye: without characters that are not seen or that turn the text around.
    const username = label(this.#textField(response, 'username'));
    const email = memberOf(response, 'email');
    if (username === '') {
      throw new InvalidResponseError('missingField', 'username');
    }
    return { username, ...(typeof email === 'string' && email !== '' && { email: label(email) }) };
  }

  /** Endpoint 3: the simple authentication token of a user who has a password. */
  async createAuthenticationToken(
    { username, password }: { readonly username: string; readonly password: string },
    signal?: AbortSignal,
  ): Promise<string> {
    const credentials: Credentials = { type: 'basic', username, password };
    this.#redactor.add(...secretsOf(credentials));
    return this.#secret(endpoint(this.service, '/token'), credentials, 'token', signal);
  }

  /** Endpoint 4: the page to open in a browser. Parameters beyond the contract's `client_id` are ignored by the service. */
  authorizeUrl({ clientId, state }: { readonly clientId: string; readonly state?: string }): string {
    return withParameters(endpoint(this.service, '/authorize'), {
      client_id: clientId,
      ...(state !== undefined && { state }),
    });
  }

  /** Endpoint 5: the access token for the code that the Callback Url received. */
  exchangeCode(
    {
      clientId,
      clientSecret,
      code,
    }: { readonly clientId: string; readonly clientSecret: string; readonly code: string },
    signal?: AbortSignal,
  ): Promise<string> {
    this.#redactor.add(clientSecret, code);
    const parameters = { client_id: clientId, client_secret: clientSecret, code };
    return this.#secret(
      withParameters(endpoint(this.service, '/authorize/token'), parameters),
      'inUrl',
      'access_token',
      signal,
    );
  }

  /** Endpoint 6: the access token for a simple authentication token. */
  exchangeAuthenticationToken(
    {
      clientId,
      clientSecret,
      authToken,
    }: { readonly clientId: string; readonly clientSecret: string; readonly authToken: string },
    signal?: AbortSignal,
  ): Promise<string> {
    this.#redactor.add(clientSecret, authToken);
    const parameters = { client_id: clientId, client_secret: clientSecret, auth_token: authToken };
    return this.#secret(
      withParameters(endpoint(this.service, '/authorize'), parameters),
      'inUrl',
      'access_token',
      signal,
    );
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
   * @returns any 2xx answer; with `anyStatus`, any answer but a 401.
   * @throws {@link ServiceError} and the other typed errors of this folder.
   */
  async send(
    { method, url, headers, body, anyStatus = false }: ServiceRequest,
    signal?: AbortSignal,
  ): Promise<ServiceResponse> {
    const start = performance.now();
    const absolute = this.#absolute(typeof url === 'string' ? url : targetOf(url));
    if (!isPlain(absolute, this.service) && !belongsTo(absolute, this.service)) {
      throw new RedirectError('elsewhere', absolute);
    }
    const call: Call = {
      method: methodOf(method),
      url: absolute,
      ...(headers !== undefined && { headers: lowerCase(headers) }),
      ...(body !== undefined && { body }),
      credentials: this.#options.credentials,
      redirects: 'sameOrigin',
      anyStatus,
    };
    const until = this.#transport.deadline(signal, isStream(body) ? Infinity : undefined);
    return this.#caller.answer(call, until, start);
  }

  /**
   * Fetches what a link leads to as a stream. Redirects to other hosts are followed without credentials.
   *
   * @param url absolute URL or a path below the service's address. On another origin it gets no credentials.
   */
  async download(url: string, { signal, onProgress }: DownloadOptions = {}): Promise<Download> {
    const call: Call = {
      method: 'GET',
      url: this.#absolute(url),
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      credentials: this.#options.credentials,
      redirects: 'anywhere',
    };
    const until = this.#transport.deadline(signal, Infinity);
    return this.#caller.download(call, until, onProgress);
  }

  /** POSTs with an empty body to a token endpoint and returns the named field of its answer. */
  async #secret(url: string, credentials: Credentials | 'inUrl', field: string, signal?: AbortSignal): Promise<string> {
    const start = performance.now();
    const until = this.#transport.deadline(signal);
    const response = await this.#caller.answer(
      { method: 'POST', url, credentials, redirects: 'never', holdsSecret: true },
      until,
      start,
    );
    // The contract gives failed exchanges an `error` and no status (Errors, 6).
    const error = memberOf(response, 'error');
    if (typeof error === 'string') {
      throw rejection(response.status, error, response.headers, this.#redactor);
    }
    const secret = this.#textField(response, field);
    this.#redactor.add(secret);
    return secret;
  }

  #textField(response: ServiceResponse, name: string): string {
    const { host } = new URL(this.service.href);
    if (response.body.kind !== 'json') {
      throw new InvalidResponseError(isHtml(response) ? 'html' : 'notJson', host);
    }
    const value = memberOf(response, name);
    if (typeof value !== 'string' || value === '') {
      throw new InvalidResponseError('missingField', name);
    }
    return value;
  }

  /** Without credentials. */
  #absolute(url: string): string {
    const absolute = /^\/(?!\/)/.test(url) ? this.service.href + withoutPrefix(url, this.service) : url;
    if (isPlain(absolute, this.service)) {
      return absolute;
    }
    if (!/^https?:$/.test(URL.parse(absolute)?.protocol ?? '')) {
      throw new InvalidInputError(
        sentence('The link cannot be requested.'),
        sentence('Enter a path such as {0}, or a complete link that starts with https://.', '/api/v1/apps'),
      );
    }
    return withoutCredentials(absolute);
  }
}

function withoutPrefix(path: string, service: ServiceUrl): string {
  return hasPrefix(path, service) ? path.slice(service.prefix.length) : path;
}

function targetOf({ target }: Link): string {
  if (target.kind === 'template') {
    throw new InvalidInputError(sentence('The link is a template: it needs values before it can be followed.'));
  }
  return target.url;
}

function methodOf(method: string): string {
  if (method === 'GET') {
    return method;
  }
  // RFC 9110 §5.6.2: a token
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(method) || method.toUpperCase() === 'CONNECT') {
    throw new InvalidInputError(sentence('The method of the request is not valid.'));
  }
  return method.toUpperCase();
}

function memberOf({ body }: ServiceResponse, name: string): unknown {
  return body.kind === 'json' &&
    typeof body.value === 'object' &&
    body.value !== null &&
    Object.hasOwn(body.value, name)
    ? (body.value as Record<string, unknown>)[name]
    : undefined;
}

function isStream(body: ServiceRequest['body']): body is Readable {
  return body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
