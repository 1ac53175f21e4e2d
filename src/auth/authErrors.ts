import { BuildServiceError, Failure } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';

export function notConnected(): Failure {
  return new Failure('notConnected', {
    what: sentence('No service is in use yet.'),
    next: sentence('Build an app, or connect to a service.'),
    remedy: 'firstBuild',
  });
}

/** The local service has stopped or started elsewhere since: another program may be at that address. */
export function serviceLeft(host: string): Failure {
  return new Failure('serviceLeft', {
    what: sentence('The local service no longer runs at {0}, so nothing was sent there.', host),
    next: sentence('Try again.'),
    remedy: 'retry',
  });
}

export function notSignedIn(host: string): Failure {
  return new Failure('notSignedIn', {
    what: sentence('You are not signed in to {0}.', host),
    next: sentence('Sign in, then run the command again.'),
    remedy: 'signIn',
  });
}

/** The system's keychain did not answer. The session stays. */
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
