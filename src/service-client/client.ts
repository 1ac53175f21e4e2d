import { Readable } from 'node:stream';

import {
  RequestPipeline,
  type PipelineCall,
  type LoggedExchange,
  type PipelineOptions,
} from './http/requestPipeline.ts';
import { absoluteUrl, getSecrets, withParameters, type Credentials } from './credentials.ts';
import type { Download, DownloadOptions } from './http/download.ts';
import { InvalidInputError, sentence } from '../errors/index.ts';
import { InvalidResponseError, RedirectError } from './errors/responseErrors.ts';
import { Redactor } from './redaction.ts';
import { refuseUnsafeTarget } from './http/redirects.ts';
import { isHtml, type ServiceResponse } from './http/response.ts';
import type { CallDeadline } from './http/transport.ts';
import { isObject, member } from './hypermedia/json.ts';
import type { Link } from './hypermedia/resource.ts';
import { endpoint, type ServiceUrl } from './serviceUrl.ts';
import { toServiceError } from './http/failures.ts';

export type { Download, DownloadOptions, LoggedExchange };

/** A request composed by the user. */
export interface ServiceRequest {
  readonly method: string;
  /**
   * Absolute URL on the service, path relative to the service’s address (`/api/v1/apps`), or internal link of a
   * resource.
   */
  readonly url: string | Link;
  /** Request headers. The client removes credentials and cookies. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
  /**
   * Whether to return responses with any status except 401 instead of throwing. The body of an error response often
   * explains what to correct.
   */
  readonly anyStatus?: boolean;
  /**
   * Maximum response size in bytes. Set it for content that isn't shown in the tree, such as a log. Default:
   * `MAX_RESOURCE_BYTES`.
   */
  readonly maxBytes?: number;
}

/** Options of {@link BuildServiceClient}. */
export interface ClientOptions extends Omit<PipelineOptions, 'redactor'> {
  /** Credentials for requests to the service. Not required for token exchanges and `createAuthenticationToken`. */
  readonly credentials?: Credentials;
  /** Registers every secret that this client handles. Pass the log's redactor to hide these secrets in the log, too. */
  readonly redactor?: Redactor;
}

/** Fields of the user resource (contract, Resources) that this extension needs. */
export interface CurrentUser {
  readonly username: string;
  readonly email?: string;
}

/** Registered client application (contract, Client application registration). */
interface ClientApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Client of the service: one method per endpoint of the contract, plus `get`, `send`, and `download` for links. */
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
      this.#redactor.add(...getSecrets(options.credentials));
    }
  }

  /** Returns a client for the same service and connections with different credentials. */
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

  /** URL of the API home, the entry point for links. */
  get homeUrl(): string {
    return endpoint(this.service, '/api/v1');
  }

  /**
   * Returns the absolute URL, without credentials, of a path or link that the user entered.
   *
   * @throws {@link InvalidInputError} when it can't be requested.
   */
  resolve(link: string): string {
    return absoluteUrl(link.trim(), this.service).href;
  }

  /** Fetches the API home (endpoint 1). */
  home(signal?: AbortSignal): Promise<ServiceResponse> {
    return this.get(this.homeUrl, signal);
  }

  /** Fetches the user resource (endpoint 2). */
  me(signal?: AbortSignal): Promise<ServiceResponse> {
    return this.get(endpoint(this.service, '/api/v1/me'), signal);
  }

  /**
   * Fetches and validates the user resource (endpoint 2). The names aren't cleaned up for display.
   *
   * @throws {@link InvalidResponseError} when `username` is missing.
   */
  async currentUser(signal?: AbortSignal): Promise<CurrentUser> {
    const response = await this.me(signal);
    const username = this.#textField(response, 'username');
    const email = getBodyMember(response, 'email');
    return { username, ...(typeof email === 'string' && email !== '' && { email: this.#redactor.hideSecrets(email) }) };
  }

  /**
   * Requests the authentication token of a user with a password (endpoint 3). The redactor forgets the password
   * afterward.
   */
  async createAuthenticationToken(
    { username, password }: { readonly username: string; readonly password: string },
    signal?: AbortSignal,
  ): Promise<string> {
    const credentials: Credentials = { type: 'basic', username, password };
    const forget = this.#redactor.add(...getSecrets(credentials));
    return this.#requestSecret(endpoint(this.service, '/token'), credentials, 'token', signal).finally(forget);
  }

  /**
   * Returns the URL of the page to open in a browser (endpoint 4). The service ignores parameters other than the
   * contract's `client_id`.
   */
  authorizeUrl({ clientId, state }: { readonly clientId: string; readonly state?: string }): string {
    return withParameters(endpoint(this.service, '/authorize'), {
      client_id: clientId,
      ...(state !== undefined && { state }),
    });
  }

  /** Exchanges an authorization code for an access token (endpoint 5). The redactor forgets the code afterward. */
  exchangeCode(
    { code, ...application }: ClientApplication & { readonly code: string },
    signal?: AbortSignal,
  ): Promise<string> {
    const forget = this.#redactor.add(code);
    return this.#exchange('/authorize/token', application, { code }, signal).finally(forget);
  }

  /** Exchanges a simple authentication token for an access token (endpoint 6). */
  exchangeAuthenticationToken(
    { authToken, ...application }: ClientApplication & { readonly authToken: string },
    signal?: AbortSignal,
  ): Promise<string> {
    this.#redactor.add(authToken);
    return this.#exchange('/authorize', application, { auth_token: authToken }, signal);
  }

  #exchange(
    path: `/${string}`,
    { clientId, clientSecret }: ClientApplication,
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
   * @param link internal link of a resource, absolute URL, or path relative to the service's address.
   * @throws {@link RedirectError} `elsewhere` when the link or a redirect leads to another server.
   */
  get(link: string | Link, signal?: AbortSignal): Promise<ServiceResponse> {
    return this.send({ method: 'GET', url: link }, signal);
  }

  /**
   * Sends a request to the service. A streamed body has no overall time limit.
   *
   * @returns any 2xx response. With `anyStatus`, any response except a 401.
   * @throws {@link ServiceError} and the other errors in `errors/`.
   */
  async send(
    { method, url, headers, body, anyStatus = false, maxBytes }: ServiceRequest,
    signal?: AbortSignal,
  ): Promise<ServiceResponse> {
    const target = absoluteUrl(typeof url === 'string' ? url : getLinkUrl(url), this.service);
    if (target.origin !== this.service.origin) {
      throw new RedirectError('elsewhere', target.href);
    }
    const call: PipelineCall = {
      method: toMethod(method),
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
   * Downloads the target of a link as a stream. Redirects to other hosts are followed without credentials.
   *
   * @param url absolute URL or path relative to the service's address. Credentials aren't sent to other origins.
   * @throws {@link RedirectError} when a redirect isn't followed, and the other errors in `errors/`.
   */
  async download(url: string, { signal, onProgress }: DownloadOptions = {}): Promise<Download> {
    const target = absoluteUrl(url, this.service);
    refuseUnsafeTarget(new URL(this.service.href), target, url, this.#redactor);
    const call: PipelineCall = {
      method: 'GET',
      url: target.href,
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      credentials: this.#options.credentials,
      redirects: 'anywhere',
    };
    return this.#pipeline.download(call, this.#startDeadline(signal, Infinity), onProgress);
  }

  /** POSTs an empty body to a token endpoint and returns the named field of its response. */
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
    // The contract specifies an `error` for a failed exchange, but not its status (Errors, 6).
    const error = getBodyMember(response, 'error');
    if (typeof error === 'string') {
      throw toServiceError(response, { error }, this.#redactor);
    }
    const secret = this.#textField(response, field);
    this.#redactor.add(secret);
    return secret;
  }

  #startDeadline(signal: AbortSignal | undefined, timeoutMs?: number): CallDeadline {
    return this.#options.transport.startDeadline(this.service.host, signal, timeoutMs);
  }

  #textField(response: ServiceResponse, name: string): string {
    if (response.body.kind !== 'json') {
      throw new InvalidResponseError(isHtml(response) ? 'html' : 'notJson', this.service.host);
    }
    const value = getBodyMember(response, name);
    if (typeof value !== 'string' || value === '') {
      throw new InvalidResponseError('missingField', name);
    }
    return value;
  }
}

function getBodyMember({ body }: ServiceResponse, name: string): unknown {
  return body.kind === 'json' && isObject(body.value) ? member(body.value, name) : undefined;
}

/** Returns the URL of a link. @throws {@link InvalidInputError} for a template, which needs values first. */
function getLinkUrl({ target }: Link): string {
  if (target.kind === 'template') {
    throw new InvalidInputError(sentence('The link is a template that needs values first.'));
  }
  return target.url;
}

/** Returns the method in upper case. @throws {@link InvalidInputError} when it isn't a valid method, or is CONNECT. */
function toMethod(method: string): string {
  // A method is a token (RFC 9110 §5.6.2).
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(method) || method.toUpperCase() === 'CONNECT') {
    throw new InvalidInputError(sentence('The request method isn’t valid.'));
  }
  return method.toUpperCase();
}
