import { Failure } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { ServiceError } from '../api/errors/serviceError.ts';
import type { Service } from './serviceSelection.ts';

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
