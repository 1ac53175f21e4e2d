/** Why a sign-in has ended without a session. Only what signs in loads them. */
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../api/errors/sentence.ts';
import { ServiceError } from '../api/errors/serviceError.ts';
import { label } from '../api/hypermedia/label.ts';
import type { Service } from './serviceSelection.ts';

/** The person answered Deny on the service's page (contract, OAuth web application flow, step 3). */
export class SignInRefusedError extends BuildServiceError {
  readonly kind = 'signInRefused';

  constructor() {
    super({
      what: sentence('You denied access on the service’s page, so you are not signed in.'),
      next: sentence('Sign in again whenever you like.'),
      remedy: 'signIn',
      calm: true,
    });
  }
}

/** Nothing came back from the browser in time. */
export class SignInTimedOutError extends BuildServiceError {
  readonly kind = 'signInTimedOut';

  constructor(minutes: number) {
    super({
      what: sentence('The sign-in was not finished in the browser within {0} minutes.', String(minutes)),
      next: sentence('Sign in again, and choose Allow on the service’s page.'),
      remedy: 'signIn',
    });
  }
}

/** The browser brought an answer that is neither a code nor a refusal. */
export class SignInFailedError extends BuildServiceError {
  readonly kind = 'signInFailed';

  constructor(error: string) {
    super({
      what: sentence('The service ended the sign-in with “{0}”.', error),
      next: sentence('Sign in again; if it happens again, check the client registration with the service.'),
      remedy: 'signIn',
    });
  }
}

/**
 * The service's name for the account, or its e-mail address, has characters that are not seen or that change how text reads:
 * another name can look the same.
 */
export class UnreadableNameError extends BuildServiceError {
  readonly kind = 'unreadableName';

  constructor(field: 'username' | 'email', name: string) {
    // Shown without them, so that the sentence reads as it is written.
    const shown = label(name);
    super({
      what:
        field === 'username'
          ? sentence('You are not signed in: the user name “{0}” contains characters that cannot be seen.', shown)
          : sentence('You are not signed in: the e-mail address “{0}” contains characters that cannot be seen.', shown),
      next: sentence('Such a name can look like somebody else’s. Have the service change it, then sign in again.'),
      remedy: 'signIn',
    });
  }
}

/** There is no client ID or secret to introduce this extension with. */
export class NotRegisteredError extends BuildServiceError {
  readonly kind = 'notRegistered';

  constructor(host: string) {
    super({
      what: sentence('This extension is not registered with {0} yet.', host),
      next: sentence('Enter the client ID and the client secret that the service gave you.'),
      remedy: 'connect',
    });
  }
}

/** What was exchanged for an access token. */
type Credential = 'token' | 'password' | 'code';

/** The service refused to give an access token. It has one message for all causes (contract, Errors, 4), so this error names each. */
export class ExchangeRefusedError extends BuildServiceError {
  readonly kind = 'exchangeRefused';

  constructor(credential: Credential, { serviceMessage }: ServiceError) {
    super({
      what:
        serviceMessage === undefined
          ? sentence('The service refused access.')
          : sentence('The service refused access: {0}', serviceMessage),
      next: suspects(credential),
      remedy: 'changeRegistration',
    });
  }
}

function suspects(credential: Credential): Sentence {
  switch (credential) {
    case 'token':
      return sentence('Check the token, the client ID and the client secret.');
    case 'password':
      return sentence('Check the client ID and the client secret.');
    case 'code':
      return sentence('Check the code, the client ID and the client secret.');
  }
}

/**
 * The access token of an exchange.
 *
 * @throws ExchangeRefusedError when the service refuses. Errors of the local service stay as they are: it registers this extension
 * itself, so the user can't change the registration.
 */
export async function exchanged(
  credential: Credential,
  { local }: Service,
  exchange: Promise<string>,
): Promise<string> {
  try {
    return await exchange;
  } catch (error) {
    const isRefusal = error instanceof ServiceError && error.kind !== 'rateLimited' && error.status < 500;
    throw isRefusal && !local ? new ExchangeRefusedError(credential, error) : error;
  }
}
