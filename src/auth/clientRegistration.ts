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
