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
  if (await isMissing(connections)) {
    await signIn();
    if (await isMissing(connections)) {
      throw new CancelledError();
    }
  }
  return connections.requireSignedIn();
}

async function isMissing(connections: Connections): Promise<boolean> {
  const { kind } = await connections.current();
  return kind === 'signedOut' || kind === 'unconfigured';
}
