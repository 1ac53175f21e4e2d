import * as vscode from 'vscode';

import type { Redactor } from '../api/redaction.ts';
import { type ServiceUrl, parseServiceUrl } from '../api/serviceUrl.ts';
import type { Configuration } from '../workbench/configuration.ts';
import { Disposable } from '../workbench/disposable.ts';
import { notConnected } from './authErrors.ts';

/** How a service knows this extension (contract, Client application registration). */
export interface ClientRegistration {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The registered Callback Url; undefined when it is this extension's own. */
  readonly callbackUrl?: string;
}

/**
 * The user's client registrations: the client ID is a setting, the client secret is in SecretStorage, stored by origin so
 * that it cannot be sent to a service whose URL was changed. Neither ships with the extension.
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

  /** The registration at `service`; undefined when the ID or the secret is missing. */
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

  /** Stores the secret for `service`; undefined deletes it. */
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

/** A service that the extension talks to, and how this extension is registered there. */
export interface Service {
  readonly url: ServiceUrl;
  /** True for the service that ships inside the extension. */
  readonly local: boolean;
  /** True for the local service with the demo data: its apps and keys are others. */
  readonly demo?: boolean;
  /**
   * Resolves when the service can be called: the local service starts when it is first needed. Once it was stopped, it resolves and
   * starts nothing: then another service is in use, or none.
   */
  ready(): Promise<void>;
  registration(): Promise<ClientRegistration | undefined>;
  /** Makes the service send browsers back to `callbackUrl`. Absent where only the service's own page can change that. */
  registerCallback?(callbackUrl: string): Promise<void>;
  /** An access token of the person whose service it is. Only the local service, whose process is this window's child, hands one over. */
  ownerAccessToken?(): Promise<string>;
  /**
   * The address of a page that signs a browser in as that person, once and within two minutes, and leads on to `page`, a page of
   * the service. Absent like {@link ownerAccessToken}.
   */
  signInPage?(page: string): Promise<string>;
}

/** Which service is in use: the local one while the user has chosen it, otherwise the one of the settings. */
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

  /**
   * The service in use; undefined when none is chosen.
   *
   * @throws InvalidInputError when the setting is not the URL of a service.
   */
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

  /** The service in use, for what cannot go on without one. @throws {@link notConnected} when none is chosen. */
  require(): Service {
    const service = this.current;
    if (service === undefined) {
      throw notConnected();
    }
    return service;
  }

  /**
   * The service in use, once it can be called; undefined when none is chosen. The local service may start at another address
   * than it had: every call to the service begins here.
   *
   * @throws BuildServiceError when the setting is not the URL of a service, or the local service does not start.
   */
  async started(): Promise<Service | undefined> {
    await this.current?.ready();
    return this.current;
  }

  /** As {@link started}, for what cannot go on without a service. @throws {@link notConnected} when none is chosen. */
  async requireStarted(): Promise<Service> {
    await this.require().ready();
    return this.require();
  }

  /** Uses the local service, or with undefined the one of the settings again. */
  useLocal(service: Service | undefined): void {
    this.#local = service;
    this.#changed.fire();
  }
}
