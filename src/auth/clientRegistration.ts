import type * as vscode from 'vscode';
import type { Redactor } from '../api/redaction.ts';
import type { ServiceUrl } from '../api/serviceUrl.ts';
import type { Configuration } from '../workbench/configuration.ts';

/** How a service knows this extension (contract, Client application registration). */
export interface ClientRegistration {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The registered Callback Url; undefined when it is this extension's own. */
  readonly callbackUrl?: string;
}

/**
 * The registration belongs to the person or their company: the client ID is a setting, the client secret is in
 * SecretStorage, kept per origin so that it cannot follow a changed URL. Neither ships with the extension.
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
    const clientSecret = await this.#secrets.get(key(service));
    if (clientId === undefined || clientSecret === undefined) {
      return undefined;
    }
    this.#redactor.add(clientSecret);
    const callbackUrl = this.#configuration.callbackUrl;
    return { clientId, clientSecret, ...(callbackUrl !== undefined && { callbackUrl }) };
  }

  /** Keeps the secret for `service`; undefined forgets it. */
  async keepSecret(service: ServiceUrl, clientSecret: string | undefined): Promise<void> {
    if (clientSecret === undefined) {
      await this.#secrets.delete(key(service));
    } else {
      this.#redactor.add(clientSecret);
      await this.#secrets.store(key(service), clientSecret);
    }
  }
}

function key({ origin }: ServiceUrl): string {
  return `clientSecret/${origin}`;
}
