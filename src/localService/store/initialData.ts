/** What a database is filled with at the first start. */
import { insertApp, insertKey } from './apps.ts';
import { insertAuthToken } from './authTokens.ts';
import type { AccessToken, App, AuthToken, BrowserSession, Client, Demo, SigningKey, User } from './model.ts';
import type { Store } from './store.ts';

export interface InitialData {
  /** The port at which the service was last; `null` before the first run. */
  readonly port: number | null;
  /** Hex; signs CSRF tokens, download paths and the proofs of a running service. */
  readonly signingKey: string;
  readonly demo: Demo;
  readonly users: readonly User[];
  readonly authTokens: readonly AuthToken[];
  readonly clients: readonly Client[];
  readonly accessTokens: readonly AccessToken[];
  readonly sessions: readonly BrowserSession[];
  readonly apps: readonly App[];
  readonly keys: readonly SigningKey[];
}

/** Whether nothing was put into the database yet. */
export function isEmpty(store: Store): boolean {
  return store.get('SELECT 1 FROM service') === undefined;
}

/**
 * Puts all of it into an empty database, or nothing.
 *
 * @returns false for a database that another process has filled meanwhile; it stays as it is
 * @throws Error when a value is not of the type that its column has
 */
export function insertInitialData(store: Store, data: InitialData): boolean {
  return store.transaction(() => {
    if (!isEmpty(store)) {
      return false;
    }
    for (const { id, username, email, createdAt, updatedAt, password } of data.users) {
      store.insert('users', { id, username, email, createdAt, updatedAt, password });
    }
    store.insert('service', {
      id: 1,
      signingKey: data.signingKey,
      port: data.port,
      demoUserId: data.demo.userId,
      demoPassword: data.demo.password,
      demoClientId: data.demo.clientId,
      demoClientSecret: data.demo.clientSecret,
    });
    data.authTokens.forEach((token) => insertAuthToken(store, token));
    for (const { id, ownerId, name, mainUrl, callbackUrl, secretHash, createdAt } of data.clients) {
      store.insert('clients', { id, ownerId, name, mainUrl, callbackUrl, secretHash, createdAt });
    }
    for (const { hash, userId, clientId, createdAt } of data.accessTokens) {
      store.insert('accessTokens', { hash, userId, clientId, createdAt });
    }
    for (const { hash, userId, expiresAt } of data.sessions) {
      store.insert('sessions', { hash, userId, expiresAt });
    }
    data.keys.forEach((key) => insertKey(store, key));
    data.apps.forEach((app) => insertApp(store, app));
    return true;
  });
}
