import { type BuildServiceClient, ServiceError } from '../../../service-client/index.ts';
import { Failure, sentence } from '../../../errors/index.ts';
import type { Input } from '../../workbench/input.ts';
import type { ReportProgress } from '../../workbench/progress.ts';
import type { ClientRegistration, Service } from '../serviceSelection.ts';
import type { SessionToken } from '../session.ts';

/** Properties of the environment that determine which flows work. */
export interface FlowEnvironment {
  /** Location of the workbench: `desktop`, or `web` for a browser. */
  readonly host: 'desktop' | 'web';
  /** Whether extensions run on a different computer than the workbench. */
  readonly remote: boolean;
  /** Whether the client ID and secret for the service are known. */
  readonly registered: boolean;
  /** Where the registered callback URL leads: to this extension, a loopback address, or another address. */
  readonly callback: 'extension' | 'loopback' | 'other';
  /** Whether the service lets this extension set the callback URL for each sign-in. */
  readonly ownCallback: boolean;
}

/** Inputs of a running flow. */
export interface FlowContext {
  readonly service: Service;
  readonly client: BuildServiceClient;
  readonly registration: ClientRegistration | undefined;
  readonly input: Input;
  /** Aborts on cancellation and timeout. */
  readonly signal: AbortSignal;
  readonly report: ReportProgress;
}

/** Result of a successful flow. */
export interface SignInGrant {
  readonly token: SessionToken;
  /**
   * Whether the redirect returned the right `state`. If false, the response may belong to another sign-in, so the user
   * must confirm the account.
   */
  readonly stateVerified: boolean;
}

/** ID of a sign-in flow. */
export type FlowId = 'uriHandler' | 'loopback' | 'pastedCallback' | 'authToken' | 'password';

/** Sign-in method: its UI text, requirements, and implementation. */
export interface SignInFlow {
  readonly id: FlowId;
  readonly label: string;
  readonly detail: string;
  worksIn(environment: FlowEnvironment): boolean;
  /** Runs the flow. @throws {@link BuildServiceError} when it ends without a grant. */
  run(context: FlowContext): Promise<SignInGrant>;
}

/** Returns the failure of a flow that needs a client registration. @param host host and port of the service. */
export function notRegistered(host: string): Failure {
  return new Failure('notRegistered', {
    what: sentence('This extension isn’t registered with {0} yet.', host),
    next: sentence('Enter the client ID and client secret that the service gave you.'),
    remedy: 'connect',
  });
}

/** Possible reasons why the service rejected an exchange, by the type of credential. */
const SUSPECTS = {
  token: sentence('Check the token, client ID, and client secret.'),
  password: sentence('Check the client ID and client secret.'),
  code: sentence('Check the code, client ID, and client secret.'),
};

/**
 * Waits for an exchange and returns its access token. A service sends the same message whatever the reason for a rejection (contract,
 * Errors, 4), so the failure lists the possible reasons. Errors of the local service are thrown unchanged, because it registers this
 * extension itself and the user can't change the registration.
 *
 * @param credential credential that is exchanged for an access token.
 * @throws {@link Failure} `exchangeRefused` when the service rejects the exchange; other errors unchanged.
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
          ? sentence('The service denied access.')
          : sentence('The service denied access: {0}', serviceMessage),
      next: SUSPECTS[credential],
      remedy: 'changeRegistration',
    });
  }
}
