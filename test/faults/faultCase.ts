import type { BuildServiceClient, ClientOptions, Exchange } from '../../src/api/client.ts';
import type { Timeouts, TransportOptions } from '../../src/api/http/transport.ts';
import { clientOf, type TestServer } from '../support/servers.ts';
import type { Outcome } from './outcomes.ts';

/** A fault, and how the client has to end the call. */
export interface FaultCase {
  readonly name: string;
  /** One of these, where it depends on the machine. */
  readonly expected: Outcome | readonly Outcome[];
  /** Sets the fault up. The call that it returns resolves with a text that is compared with the outcome's. */
  readonly arrange: (context: CaseContext) => Promise<() => Promise<unknown>>;
}

/**
 * The one timeout that a case waits for. The others are the real ones of 10, 30, 30 and 120 seconds, which no case needs: a
 * busy machine must not turn one fault into another.
 */
const AWAITED_TIMEOUT_MS = 300;

/** What belongs to one case: its clients' log, and servers that must never receive a secret. */
export class CaseContext {
  readonly exchanges: Exchange[] = [];
  readonly bystanders: TestServer[] = [];
  readonly #timeouts: Partial<Timeouts>;

  /** @param awaited the timeout that the case waits for, which is short then. */
  constructor(awaited?: keyof Timeouts) {
    this.#timeouts = awaited === undefined ? {} : { [awaited]: AWAITED_TIMEOUT_MS };
  }

  /** A signed-in client whose requests are recorded. */
  client(
    server: { readonly url: string },
    { carrier, ...options }: Partial<ClientOptions> & { readonly carrier?: TransportOptions } = {},
  ): BuildServiceClient {
    return clientOf(server, {
      onExchange: (exchange) => this.exchanges.push(exchange),
      ...options,
      carrier: { retries: { delay: 5 }, ...carrier, timeouts: { ...this.#timeouts, ...carrier?.timeouts } },
    });
  }
}
