import { sentence } from '../api/errors/sentence.ts';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import type { Connection, Connections } from '../auth/connection.ts';

export type SignedIn = Extract<Connection, { readonly kind: 'signedIn' }>;

/**
 * The connection that a command needs.
 *
 * @throws BuildServiceError that says what is missing and offers it.
 */
export async function signedIn(connections: Connections): Promise<SignedIn> {
  const connection = await connections.current();
  switch (connection.kind) {
    case 'signedIn':
      return connection;
    case 'broken':
      throw connection.error;
    case 'signedOut':
      throw new InvalidInputError(
        sentence('You are not signed in to {0}.', new URL(connection.service.url.href).host),
        sentence('Sign in, then run the command again.'),
        'signIn',
      );
    case 'unconfigured':
      throw notConnected();
  }
}

/** What a command says that needs a service when none is chosen. */
export function notConnected(): InvalidInputError {
  return new InvalidInputError(
    sentence('No application build service is connected yet.'),
    sentence('Connect to a service, or start the local one to try things out.'),
    'connect',
  );
}
