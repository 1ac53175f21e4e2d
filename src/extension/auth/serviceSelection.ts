import * as vscode from 'vscode';

import { parseServiceUrl, type Redactor, type ServiceUrl } from '../../service-client/index.ts';
import type { Configuration } from '../workbench/configuration.ts';
import { Disposable } from '../workbench/disposable.ts';
import { notConnected } from './authErrors.ts';

/** Registration of this extension with a service (contract, Client application registration). */
export interface ClientRegistration {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Registered callback URL. Undefined for this extension's own URL. */
  readonly callbackUrl?: string;
}

/**
 * The user's client registrations. The client ID is a setting. The client secret is in SecretStorage under the service's origin, so it
 * can't be sent to another service when the URL setting changes. The extension ships with neither.
 */
export class ClientRegistrations {
  readonly #secrets: vscode.SecretStorage;
  readonly #configuration: Configuration;
  readonly #redactor: Redactor;

  constructor(secrets: vscode.SecretStorage, configuration: Configuration, redactor: Redactor) {
    this.#secrets = secrets;
    this.#configuration = configuration;
    this.#redactor = redactor;
  }

  /** Returns the registration with `service`, or undefined when the ID or the secret is missing. */
  async at(service: ServiceUrl): Promise<ClientRegistration | undefined> {
    const clientId = this.#configuration.clientId;
    const clientSecret = await this.#secrets.get(secretKey(service));
    if (clientId === undefined || clientSecret === undefined) {
      return undefined;
    }
    this.#redactor.add(clientSecret);
    const callbackUrl = this.#configuration.callbackUrl;
    return { clientId, clientSecret, ...(callbackUrl !== undefined && { callbackUrl }) };
  }

  /** Stores the secret for `service`, or deletes it if undefined. */
  async storeSecret(service: ServiceUrl, clientSecret: string | undefined): Promise<void> {
    if (clientSecret === undefined) {
      await this.#secrets.delete(secretKey(service));
    } else {
      this.#redactor.add(clientSecret);
      await this.#secrets.store(secretKey(service), clientSecret);
    }
  }
}

function secretKey({ origin }: ServiceUrl): string {
  return `clientSecret/${origin}`;
}

/** Service that the extension uses, with its registration there. */
export interface Service {
  readonly url: ServiceUrl;
  /** Whether this is the service that ships with the extension. */
  readonly local: boolean;
  /** Whether this is the local service with demo data, which includes separate apps and keys. */
  readonly demo?: boolean;
  /**
   * Resolves when the service can be called. Starts the local service on first use. After the local service was
   * stopped, resolves without starting it, because the user has switched to another service or to none.
   */
  ready(): Promise<void>;
  registration(): Promise<ClientRegistration | undefined>;
  /** Makes the service redirect browsers to `callbackUrl`. Undefined if the URL can be changed only on the service's own page. */
  registerCallback?(callbackUrl: string): Promise<void>;
  /**
   * Returns an access token for the owner of the service. Only the local service has this method, because it's a child process of this
   * window.
   */
  ownerAccessToken?(): Promise<string>;
  /**
   * Returns the address of a page that signs the browser in as the owner and then opens `page` on the service. The address can be used
   * once, within two minutes. Only the local service has this method.
   */
  signInPage?(page: string): Promise<string>;
}

/** The current service: the local service if the user has chosen it, otherwise the service in the settings. */
export class ServiceSelection extends Disposable {
  readonly #configuration: Configuration;
  readonly #registrations: ClientRegistrations;
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #local: Service | undefined;

  constructor(configuration: Configuration, registrations: ClientRegistrations) {
    super();
    this.#configuration = configuration;
    this.#registrations = registrations;
    this.register(configuration.onDidChange(() => this.#changed.fire()));
  }

  /** The current service. Undefined when none is chosen. @throws {@link InvalidInputError} when the setting isn't a valid service URL. */
  get current(): Service | undefined {
    if (this.#local !== undefined) {
      return this.#local;
    }
    const text = this.#configuration.serviceUrl;
    if (text === undefined) {
      return undefined;
    }
    const url = parseServiceUrl(text);
    return {
      url,
      local: false,
      ready: () => Promise.resolve(),
      registration: () => this.#registrations.at(url),
    };
  }

  /** Returns the current service, for actions that need one. @throws {@link notConnected} when none is chosen. */
  require(): Service {
    const service = this.current;
    if (service === undefined) {
      throw notConnected();
    }
    return service;
  }

  /**
   * Returns the current service when it can be called, or undefined when none is chosen. The local service's address may change when it
   * starts, so call this before every request to the service.
   *
   * @throws {@link BuildServiceError} when the setting isn't a valid service URL, or the local service doesn't start.
   */
  async started(): Promise<Service | undefined> {
    await this.current?.ready();
    return this.current;
  }

  /** Like {@link started}, for actions that need a service. @throws {@link notConnected} when none is chosen. */
  async requireStarted(): Promise<Service> {
    await this.require().ready();
    return this.require();
  }

  /** Switches to the local service, or back to the service in the settings if undefined. */
  useLocal(service: Service | undefined): void {
    this.#local = service;
    this.#changed.fire();
  }
}
