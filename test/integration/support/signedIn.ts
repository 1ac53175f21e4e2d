import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { newSession } from '../../../src/auth/session.ts';
import type { SignedInConnection } from '../../../src/auth/connection.ts';
import type { TestAccess } from '../../../src/extension.ts';
import { accessToken } from '../../support/servers.ts';
import { configure, next } from './extension.ts';

/** Uses the service at `url` from now on, signed in with the tests' access token. End with `signOutEverywhere`. */
export async function signInAt({ sessions, connections }: TestAccess, url: string): Promise<void> {
  await configure({ serviceUrl: url });
  await sessions.store(newSession(parseServiceUrl(url), 'ann', { type: 'accessToken', accessToken }, []));
  while ((await connections.current()).kind !== 'signedIn') {
    await next(connections.onDidChange);
  }
}

/** Uses the service at `url` from now on, with an authentication token that it has given. End with `signOutEverywhere`. */
export async function signInWithToken(
  { sessions, connections }: TestAccess,
  { url, username, authToken }: { readonly url: string; readonly username: string; readonly authToken: string },
): Promise<SignedInConnection> {
  await configure({ serviceUrl: url });
  await sessions.store(newSession(parseServiceUrl(url), username, { type: 'authToken', authToken }, []));
  for (;;) {
    const connection = await connections.current();
    if (connection.kind === 'signedIn') {
      return connection;
    }
    await next(connections.onDidChange);
  }
}
