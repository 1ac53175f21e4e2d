import * as vscode from 'vscode';
import { parseServiceUrl } from '../api/serviceUrl.ts';
import type { Configuration } from '../workbench/configuration.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { ClientRegistrations } from './clientRegistration.ts';
import type { Service } from './service.ts';

/** Which service is in use: the local one while a person has chosen it, otherwise the one of the settings. */
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

  /** Uses the local service, or with undefined the one of the settings again. */
  useLocal(service: Service | undefined): void {
    this.#local = service;
    this.#changed.fire();
  }
}
