import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { parseServiceUrl } from '../../service-client/index.ts';
import type { Configuration } from '../workbench/configuration.ts';
import { read } from '../workbench/readStored.ts';

const SERVICE = z.object({ url: z.string(), clientId: z.optional(z.string()), callbackUrl: z.optional(z.string()) });
const SERVICES_KEY = 'services';
const MAX_SERVICES = 20;

/** Service that the user has connected to, with its registration. The client secret stays in SecretStorage. */
type KnownService = z.infer<typeof SERVICE>;

/** Services that the user has connected to on this computer. */
export class KnownServices {
  readonly #configuration: Configuration;
  readonly #globalState: vscode.Memento;

  constructor(configuration: Configuration, globalState: vscode.Memento) {
    this.#configuration = configuration;
    this.#globalState = globalState;
  }

  /** All known services, starting with the one in the settings. */
  get all(): readonly KnownService[] {
    const stored = read(z.array(SERVICE), this.#globalState.get(SERVICES_KEY)) ?? [];
    const configured = this.#configured();
    return configured === undefined ? stored : [configured, ...stored.filter(({ url }) => url !== configured.url)];
  }

  /** Writes a service to the settings. The previous service stays in the list. */
  async use({ url, clientId, callbackUrl }: KnownService): Promise<void> {
    await this.#globalState.update(SERVICES_KEY, this.all.slice(0, MAX_SERVICES));
    await this.#configuration.connect(url, clientId, callbackUrl);
  }

  /** Returns the service in the settings, or undefined if its address is missing or invalid. */
  #configured(): KnownService | undefined {
    const { serviceUrl = '', clientId, callbackUrl } = this.#configuration;
    try {
      return { url: parseServiceUrl(serviceUrl).href, clientId, callbackUrl };
    } catch {
      return undefined;
    }
  }
}
