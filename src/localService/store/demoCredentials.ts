import { createAuthToken, findAuthTokens } from './authTokens.ts';
import { editClient, findClient, registerClient } from './clients.ts';
import { DEMO_USERNAME } from './demoData.ts';
import type { Store } from './store.ts';
import { findUser } from './users.ts';

const DEMO_CLIENT_NAME = 'VS Code: Application Build Service';
const DEMO_CLIENT_MAIN_URL = 'https://code.visualstudio.com/';
const DEFAULT_CALLBACK_URL = 'vscode://app-build.app-build-service/auth/callback';

/** The credentials that the program prints. All of them work after {@link ensureDemoCredentials}. */
export interface DemoCredentials {
  readonly username: string;
  readonly password: string;
  /** Empty when it was deleted. */
  readonly authToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Empty when the client was deleted. */
  readonly callbackUrl: string;
}

export function getDemoCredentials(store: Store): DemoCredentials {
  const { userId, password, clientId, clientSecret } = findDemo(store);
  return {
    username: findUser(store, userId)?.username ?? DEMO_USERNAME,
    password,
    authToken: findAuthTokens(store, userId)[0]?.token ?? '',
    clientId,
    clientSecret,
    callbackUrl: findClient(store, clientId)?.callbackUrl ?? '',
  };
}

/**
 * Makes the demo credentials work: creates the demo user's token and client where they are missing, and gives the client
 * `callbackUrl`, which must be acceptable, when one is named.
 */
export function ensureDemoCredentials(store: Store, callbackUrl: string | undefined): void {
  store.transaction(() => {
    const { userId, clientId } = findDemo(store);
    if (findAuthTokens(store, userId).length === 0) {
      createAuthToken(store, userId, 'Demo');
    }
    const client = findClient(store, clientId);
    if (client === undefined) {
      const { client: registered, secret } = registerClient(store, userId, {
        name: DEMO_CLIENT_NAME,
        mainUrl: DEMO_CLIENT_MAIN_URL,
        callbackUrl: callbackUrl ?? DEFAULT_CALLBACK_URL,
      });
      store.run('UPDATE service SET demoClientId = ?, demoClientSecret = ?', registered.id, secret);
    } else if (callbackUrl !== undefined && callbackUrl !== client.callbackUrl) {
      editClient(store, clientId, { ...client, callbackUrl });
    }
  });
}

/** The demo user and client, with the secrets that the program prints so that somebody can try the service at once. */
interface Demo {
  readonly userId: number;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

function findDemo(store: Store): Demo {
  return store.get(
    `SELECT demoUserId AS userId, demoPassword AS password, demoClientId AS clientId, demoClientSecret AS clientSecret
      FROM service`,
  ) as unknown as Demo;
}
