import { addAuthToken, findAuthTokens } from './authTokens.ts';
import { addClient, findClient, updateClient } from './clients.ts';
import { DEMO_USERNAME } from './demoData.ts';
import type { State } from './model.ts';
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
  const { userId, password, clientId, clientSecret } = store.state.demo;
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
export function ensureDemoCredentials(store: Store, callbackUrl: string | undefined): Promise<void> {
  return store.replace((state) => withDemoCredentials(state, callbackUrl));
}

function withDemoCredentials(state: State, callbackUrl: string | undefined): State {
  const { userId, clientId } = state.demo;
  const withToken = state.authTokens.some((token) => token.userId === userId)
    ? state
    : addAuthToken(state, userId, 'Demo').state;
  const client = state.clients.find(({ id }) => id === clientId);
  if (client === undefined) {
    const { state: withClient, result } = addClient(withToken, userId, {
      name: DEMO_CLIENT_NAME,
      mainUrl: DEMO_CLIENT_MAIN_URL,
      callbackUrl: callbackUrl ?? DEFAULT_CALLBACK_URL,
    });
    return { ...withClient, demo: { ...state.demo, clientId: result.client.id, clientSecret: result.secret } };
  }
  return callbackUrl === undefined || client.callbackUrl === callbackUrl
    ? withToken
    : updateClient(withToken, client.id, { callbackUrl });
}
