import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { label } from '../api/hypermedia/label.ts';

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
 * the name of somebody else can look the same.
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

/** No service is chosen yet. */
export class NotConnectedError extends BuildServiceError {
  readonly kind = 'notConnected';

  constructor() {
    super({
      what: sentence('No application build service is connected yet.'),
      next: sentence('Connect to a service, or start the local one to try things out.'),
      remedy: 'connect',
    });
  }
}

/** The local service has stopped or started elsewhere since: another program may be at that address. */
export class ServiceLeftError extends BuildServiceError {
  readonly kind = 'serviceLeft';

  constructor(host: string) {
    super({
      what: sentence('The local service does not run at {0} any more, so nothing was sent there.', host),
      next: sentence('Try again.'),
      remedy: 'retry',
    });
  }
}

/** A command needs an account, and none is signed in. */
export class NotSignedInError extends BuildServiceError {
  readonly kind = 'notSignedIn';

  constructor(host: string) {
    super({
      what: sentence('You are not signed in to {0}.', host),
      next: sentence('Sign in, then run the command again.'),
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

/** The system's keychain did not answer. Nobody is signed out by that. */
export class KeychainError extends BuildServiceError {
  readonly kind = 'keychain';

  constructor(cause: unknown) {
    super({
      what: sentence('The keychain of this system, where sessions are stored, does not answer.'),
      next: sentence('Unlock the keychain, then try again.'),
      remedy: 'retry',
      // Only the name: the message of a keychain's error may hold a secret.
      cause: cause instanceof Error ? cause.name : undefined,
    });
  }
}
