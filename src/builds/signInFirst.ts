import { CancelledError } from '../api/errors/cancelledError.ts';
import type { Connections, SignedInConnection } from '../auth/connection.ts';
import { RESOURCES_VIEW_ID } from '../resources/tree/resourceTree.ts';
import { withProgress } from '../workbench/progress.ts';

/** How somebody gets an account. */
export interface SignInSteps {
  /** Starts the local service, and uses it. */
  readonly startLocalService: () => Promise<unknown>;
  /** Signs in at the service in use: at the local one as its owner, which asks nothing. What fails is shown there. */
  readonly signIn: () => Promise<unknown>;
  /** Does what ends with a sign-in. */
  readonly duringSignIn: <Result>(action: () => Promise<Result>) => Promise<Result>;
}

/**
 * The signed-in account. Where no service is chosen, the local one is started: somebody who builds a folder wants an app, and it
 * needs no account elsewhere. Then the person is signed in, where that is missing.
 *
 * @throws CancelledError when the person does not sign in; BuildServiceError when the connection is broken, or the local service does
 * not start.
 */
export async function signInFirst(
  connections: Connections,
  { startLocalService, signIn, duringSignIn }: SignInSteps,
): Promise<SignedInConnection> {
  await duringSignIn(async () => {
    const { kind } = await connections.current();
    if (kind === 'unconfigured') {
      await withProgress({ view: RESOURCES_VIEW_ID }, () => startLocalService());
    }
    if (await isSignedOut(connections)) {
      await signIn();
      if (await isSignedOut(connections)) {
        throw new CancelledError();
      }
    }
  });
  return connections.requireSignedIn();
}

async function isSignedOut(connections: Connections): Promise<boolean> {
  return (await connections.current()).kind === 'signedOut';
}
