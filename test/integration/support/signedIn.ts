import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { newSession } from '../../../src/auth/session.ts';
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
