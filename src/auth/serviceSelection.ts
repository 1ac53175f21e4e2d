import * as vscode from 'vscode';
import { parseServiceUrl, type ServiceUrl } from '../api/serviceUrl.ts';
import type { Configuration } from '../workbench/configuration.ts';
import { Disposable } from '../workbench/disposable.ts';
import { NotConnectedError } from './authErrors.ts';
import type { ClientRegistration, ClientRegistrations } from './clientRegistration.ts';

/** A service that the extension talks to, and how this extension is registered there. */
export interface Service {
  readonly url: ServiceUrl;
  /** True for the service that ships inside the extension. */
  readonly local: boolean;
  /** True for the local service with the demo data: its apps and keys are others. */
  readonly demo?: boolean;
  /** Resolves when the service can be called: the local service starts when it is first needed. */
  ready(): Promise<void>;
  /** The client registration; undefined when there is none yet. */
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

  /**
   * The service in use, for what cannot go on without one.
   *
   * @throws NotConnectedError when none is chosen.
   */
  require(): Service {
    const service = this.current;
    if (service === undefined) {
      throw new NotConnectedError();
    }
    return service;
  }

  /**
   * The service in use, once it can be called; undefined when none is chosen. The local service may start at another address
   * than it had: whoever is about to talk to the service asks for it here.
   *
   * @throws BuildServiceError when the setting is not the URL of a service, or the local service does not start.
   */
  async started(): Promise<Service | undefined> {
    await this.current?.ready();
    return this.current;
  }

  /** As {@link started}, for what cannot go on without a service. @throws NotConnectedError when none is chosen. */
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
