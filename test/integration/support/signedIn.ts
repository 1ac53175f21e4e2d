import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { newSession } from '../../../src/auth/session.ts';
import type { SignedInConnection } from '../../../src/auth/connection.ts';
import type { TestAccess } from '../../../src/extension.ts';
import { accessToken } from '../../support/servers.ts';
import { configure, until } from './extension.ts';

/** Uses the service at `url` from now on, signed in with the tests' access token. */
export async function signInAt(access: TestAccess, url: string): Promise<SignedInConnection> {
  await configure({ serviceUrl: url });
  await access.sessions.store(newSession(parseServiceUrl(url), 'ann', { type: 'accessToken', accessToken }, []));
  return signedIn(access);
}

/** Uses the service at `url` from now on, with an authentication token that it has given. */
export async function signInWithToken(
  access: TestAccess,
  { url, username, authToken }: { readonly url: string; readonly username: string; readonly authToken: string },
): Promise<SignedInConnection> {
  await configure({ serviceUrl: url });
  await access.sessions.store(newSession(parseServiceUrl(url), username, { type: 'authToken', authToken }, []));
  return signedIn(access);
}

function signedIn({ connections }: TestAccess): Promise<SignedInConnection> {
  return until(connections.onDidChange, async () => {
    const connection = await connections.current();
    return connection.kind === 'signedIn' && connection;
  });
}
