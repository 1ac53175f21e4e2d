import { BuildServiceClient, type ClientOptions } from '../api/client.ts';
import type { Redactor } from '../api/redaction.ts';
import { Transport } from '../api/http/transport.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { Log } from '../workbench/log.ts';
import { Network } from '../workbench/network.ts';
import type { Service } from './service.ts';

/** Makes clients, which share their connections. Loaded when the first client is needed, not with the extension. */
export class Clients extends Disposable {
  readonly #transport: Transport;
  readonly #redactor: Redactor;

  constructor(log: Log, redactor: Redactor) {
    super();
    this.#transport = new Transport(new Network(log));
    this.#redactor = redactor;
    this.register({ dispose: () => void this.#transport.dispose() });
  }

  /** A client of `service`; without credentials when there are none among the options. */
  of(service: Service, options: Pick<ClientOptions, 'credentials' | 'onExchange'>): BuildServiceClient {
    return new BuildServiceClient({
      service: service.url,
      transport: this.#transport,
      redactor: this.#redactor,
      ...options,
    });
  }
}
