/** What a database is filled with at the first start. */
import { insertAuthToken } from './authTokens.ts';
import { nextId } from './ids.ts';
import {
  PLATFORMS,
  type AccessToken,
  type App,
  type AuthToken,
  type BrowserSession,
  type Client,
  type Demo,
  type PendingCollaborator,
  type Platform,
  type SigningKey,
  type User,
} from './model.ts';
import type { Store } from './store.ts';

/** An app that was never uploaded. */
export type InitialApp = Omit<App, 'iconFile' | 'upload' | 'tag' | 'share' | 'plugins' | 'keys' | 'pending'> & {
  readonly keys: Readonly<Partial<Record<Platform, number | null>>>;
  readonly pending: readonly Omit<PendingCollaborator, 'id'>[];
};

/** A signing key without files. */
export type InitialKey = Omit<SigningKey, 'lastUsedAt' | 'alias' | 'publisherId' | 'expiresAt' | 'appId' | 'files'>;

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
  readonly apps: readonly InitialApp[];
  readonly keys: readonly InitialKey[];
}

/** Whether nothing was put into the database yet. */
export function isEmpty(store: Store): boolean {
  return store.get('SELECT 1 FROM service') === undefined;
}

/**
 * Puts all of it into an empty database, or nothing.
 *
 * @throws Error when a value is not of the type that its column has
 */
export function insertInitialData(store: Store, data: InitialData): void {
  store.transaction(() => {
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
    // After all active collaborators, whose IDs are given.
    for (const { id: appId, pending } of data.apps) {
      for (const { person, role } of pending) {
        store.insert('pendingCollaborators', { appId, id: nextId(store, 'collaborators'), person, role });
      }
    }
  });
}

function insertKey(store: Store, { id, ownerId, platform, title, createdAt, ...key }: InitialKey): void {
  const flags = { isDefault: Number(key.default), locked: Number(key.locked) };
  store.insert('keys', { id, ownerId, platform, title, createdAt, ...flags });
}

function insertApp(store: Store, app: InitialApp): void {
  store.insert('apps', {
    id: app.id,
    ownerId: app.ownerId,
    title: app.title,
    package: app.package,
    version: app.version,
    description: app.description,
    repo: app.repo,
    debug: Number(app.debug),
    private: Number(app.private),
    hydrates: Number(app.hydrates),
    phonegapVersion: app.phonegapVersion,
    buildCount: app.buildCount,
    lastBuild: app.lastBuild,
    icon: app.icon,
  });
  for (const platform of PLATFORMS) {
    const status = app.status[platform];
    const keyId = app.keys[platform] ?? null;
    if (status !== undefined) {
      store.insert('builds', { appId: app.id, platform, status, error: app.error[platform] ?? null });
    }
    if (keyId !== null) {
      store.insert('appKeys', { appId: app.id, platform, keyId });
    }
  }
  for (const { id, userId, role } of app.collaborators) {
    store.insert('collaborators', { appId: app.id, id, userId, role });
  }
}
