import { parseServiceUrl } from '../../../src/service-client/index.ts';
import { newSession } from '../../../src/extension/auth/session.ts';
import type { SignedInConnection } from '../../../src/extension/auth/connection.ts';
import type { TestAccess } from '../../../src/extension.ts';
import { accessToken } from '../../support/servers.ts';
import { configure, until } from './extension.ts';

/** Switches to the service at `url`, signed in with the tests' access token. */
export async function signInAt(access: TestAccess, url: string): Promise<SignedInConnection> {
  await configure({ serviceUrl: url });
  await access.sessions.store(newSession(parseServiceUrl(url), 'ann', { type: 'accessToken', accessToken }, []));
  return signedIn(access);
}

/** The simulated original service or the local service. */
type KnownService = { readonly username: string } & (
  | { readonly url: string; readonly token: string }
  | { readonly baseUrl: string; readonly authToken: string }
);

/**
 * Switches to a service with an authentication token that it has issued. @param url address of a proxy, if the service is reached through
 * one
 */
export async function signInAtService(
  access: TestAccess,
  service: KnownService,
  url = 'url' in service ? service.url : service.baseUrl,
): Promise<SignedInConnection> {
  const { username } = service;
  const authToken = 'url' in service ? service.token : service.authToken;
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
