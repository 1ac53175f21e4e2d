import { BuildServiceError, Failure, sentence } from '../../errors/index.ts';

/** Returns the failure of an action that needs a service when none is chosen. */
export function notConnected(): Failure {
  return new Failure('notConnected', {
    what: sentence('You aren’t connected to a service yet.'),
    next: sentence('Build an app, or connect to a service.'),
    remedy: 'firstBuild',
  });
}

/**
 * Returns the failure for a local service that has stopped or moved. Another program may be at its address.
 *
 * @param host host and port of the service.
 */
export function serviceLeft(host: string): Failure {
  return new Failure('serviceLeft', {
    what: sentence('The local service is no longer running at {0}, so nothing was sent there.', host),
    next: sentence('Try again.'),
    remedy: 'retry',
  });
}

/** Returns the failure of an action that needs a signed-in account. @param host host and port of the service. */
export function notSignedIn(host: string): Failure {
  return new Failure('notSignedIn', {
    what: sentence('You’re not signed in to {0}.', host),
    next: sentence('Sign in, then run the command again.'),
    remedy: 'signIn',
  });
}

/** Thrown when the system's keychain doesn't respond. The session is kept. */
export class KeychainError extends BuildServiceError {
  readonly kind = 'keychain';

  constructor(cause: unknown) {
    super({
      what: sentence('The system keychain, where sessions are stored, isn’t responding.'),
      next: sentence('Unlock the keychain, then try again.'),
      remedy: 'retry',
      // Keep only the name, because the message of a keychain error may contain a secret.
      cause: cause instanceof Error ? cause.name : undefined,
    });
  }
}
