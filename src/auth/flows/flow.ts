import type { BuildServiceClient } from '../../api/client.ts';
import type { Input } from '../../workbench/input.ts';
import type { Report } from '../../workbench/progress.ts';
import type { ClientRegistration, Service } from '../serviceSelection.ts';
import type { Token } from '../session.ts';

export interface Environment {
  /** Where the workbench runs: `desktop` or in a browser. */
  readonly host: 'desktop' | 'web';
  /** True when extensions run on another machine than the workbench. */
  readonly remote: boolean;
  /** True when there is a client ID and secret for the service. */
  readonly registered: boolean;
  /** Where the registered Callback Url leads: to this extension, to a loopback address, or elsewhere. */
  readonly callback: 'extension' | 'loopback' | 'other';
  /** True when the service lets this extension set the Callback Url for each sign-in. */
  readonly ownCallback: boolean;
}

export interface FlowContext {
  readonly service: Service;
  readonly client: BuildServiceClient;
  readonly registration: ClientRegistration | undefined;
  readonly input: Input;
  /** Aborts on cancel and time-out. */
  readonly signal: AbortSignal;
  readonly report: Report;
}

export interface Grant {
  readonly token: Token;
  /** False when a redirect came without `state`, so that it may belong to another sign-in: the person confirms the account. */
  readonly stateVerified: boolean;
}

export type FlowId = 'uriHandler' | 'loopback' | 'pastedCallback' | 'authToken' | 'password';

/** How to sign in, as a value: what a person reads of it, where it works, and how it runs. */
export interface Flow {
  readonly id: FlowId;
  readonly label: string;
  readonly detail: string;
  worksIn(environment: Environment): boolean;
  /** @throws BuildServiceError whenever it ends without a grant. */
  run(context: FlowContext): Promise<Grant>;
}
