import type { BuildServiceClient } from '../../api/client.ts';
import { Failure } from '../../api/errors/buildServiceError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
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

export function notRegistered(host: string): Failure {
  return new Failure('notRegistered', {
    what: sentence('This extension is not registered with {0} yet.', host),
    next: sentence('Enter the client ID and the client secret that the service gave you.'),
    remedy: 'connect',
  });
}

/** The credential that was exchanged for an access token, and the possible reasons if the service refuses it. */
const SUSPECTS = {
  token: sentence('Check the token, the client ID and the client secret.'),
  password: sentence('Check the client ID and the client secret.'),
  code: sentence('Check the code, the client ID and the client secret.'),
};

/**
 * The access token of an exchange. A service has one message for all causes of a refusal (contract, Errors, 4), so the failure names
 * each. Errors of the local service stay as they are: it registers this extension itself, so the user can't change the registration.
 */
export async function exchanged(
  credential: keyof typeof SUSPECTS,
  { local }: Service,
  exchange: Promise<string>,
): Promise<string> {
  try {
    return await exchange;
  } catch (error) {
    if (local || !(error instanceof ServiceError) || error.kind === 'rateLimited' || error.status >= 500) {
      throw error;
    }
    const { serviceMessage } = error;
    throw new Failure('exchangeRefused', {
      what:
        serviceMessage === undefined
          ? sentence('The service refused access.')
          : sentence('The service refused access: {0}', serviceMessage),
      next: SUSPECTS[credential],
      remedy: 'changeRegistration',
    });
  }
}
