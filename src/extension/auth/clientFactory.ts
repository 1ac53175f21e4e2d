import {
  BuildServiceClient,
  type ClientOptions,
  probeService,
  type Redactor,
  type ServiceProbe,
  type ServiceUrl,
  Transport,
} from '../../service-client/index.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { Log } from '../workbench/log.ts';
import { Network } from '../workbench/network.ts';
import type { Service } from './serviceSelection.ts';

/** Creates clients that share their connections. Loaded when the first client is needed, not at activation. */
export class ClientFactory extends Disposable {
  readonly #log: Log;
  readonly #redactor: Redactor;
  readonly #transport: Transport;

  constructor(log: Log, redactor: Redactor) {
    super();
    this.#log = log;
    this.#redactor = redactor;
    this.#transport = new Transport(new Network(log));
    this.register({ dispose: () => void this.#transport.dispose() });
  }

  /** Creates a client for `service`. The client is anonymous if the options don't contain credentials. */
  create(
    service: Service,
    options: Pick<ClientOptions, 'credentials' | 'onUnauthorized' | 'beforeRequest'> = {},
  ): BuildServiceClient {
    return new BuildServiceClient({
      ...options,
      service: service.url,
      transport: this.#transport,
      redactor: this.#redactor,
      onExchange: (exchange) => this.#log.exchange(exchange),
    });
  }

  /**
   * Checks whether a build service is at an address, without sending credentials.
   *
   * @throws {@link CancelledError} when the signal aborts.
   */
  probe(url: ServiceUrl, signal?: AbortSignal): Promise<ServiceProbe> {
    return probeService(url, {
      transport: this.#transport,
      redactor: this.#redactor,
      onExchange: (exchange) => this.#log.exchange(exchange),
      signal,
    });
  }
}
