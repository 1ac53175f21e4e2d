import type { BuildServiceClient } from '../../api/client.ts';
import type { ClientRegistration } from '../clientRegistration.ts';
import type { Service } from '../service.ts';
import type { Token } from '../session.ts';

/** What decides which ways to sign in can work. */
export interface Environment {
  /** Where the workbench runs: `desktop` or in a browser. */
  readonly host: 'desktop' | 'web';
  /** True when extensions run on another machine than the workbench. */
  readonly remote: boolean;
  /** True when there is a client ID and secret for the service. */
  readonly registered: boolean;
  /** Where the registered Callback Url leads: to this extension, to an address on this machine, or elsewhere. */
  readonly callback: 'extension' | 'loopback' | 'other';
  /** True when the service lets this extension change that for each sign-in. */
  readonly ownCallback: boolean;
}

/** What a flow is given to work with. */
export interface FlowContext {
  readonly service: Service;
  /** A client of the service without credentials. */
  readonly client: BuildServiceClient;
  readonly registration: ClientRegistration | undefined;
  /** Aborts on cancel and time-out. */
  readonly signal: AbortSignal;
  /** Shows one line of progress. */
  readonly report: (message: string) => void;
}

/** What a flow brings back. */
export interface Grant {
  readonly token: Token;
  /** False when nothing proves that the answer belongs to this sign-in: the person has to confirm the account. */
  readonly proven: boolean;
}

export type FlowId = 'uriHandler' | 'loopback' | 'pastedCallback' | 'authToken' | 'password';

/** A way to sign in, as a value: what a person reads of it, where it works, and how it runs. */
export interface Flow {
  readonly id: FlowId;
  readonly label: string;
  readonly detail: string;
  worksIn(environment: Environment): boolean;
  /** @throws BuildServiceError for every way it can end without a grant. */
  run(context: FlowContext): Promise<Grant>;
}

/** The flows that work in `environment`, best first. */
export function flowsFor(flows: readonly Flow[], environment: Environment): readonly Flow[] {
  return flows.filter((flow) => flow.worksIn(environment));
}
