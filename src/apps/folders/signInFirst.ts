import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Connections, SignedInConnection } from '../../auth/connection.ts';

/**
 * The signed-in account; has the person choose a service and sign in first, where that is missing.
 *
 * @param signIn has a person do that. What fails is shown there.
 * @throws CancelledError when the person does not sign in; BuildServiceError when the connection is broken.
 */
export async function signInFirst(
  connections: Connections,
  signIn: () => Promise<unknown>,
): Promise<SignedInConnection> {
  const before = await connections.current();
  if (before.kind === 'signedOut' || before.kind === 'unconfigured') {
    await signIn();
  }
  const connection = await connections.current();
  switch (connection.kind) {
    case 'signedIn':
      return connection;
    case 'broken':
      throw connection.error;
    case 'signedOut':
    case 'unconfigured':
      throw new CancelledError();
  }
}
