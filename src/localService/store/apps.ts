/** Apps and signing keys. */
import { PLATFORMS, type App, type Role, type SigningKey } from './model.ts';
import type { Row, Store } from './store.ts';

/** An app with what hangs on it, as JSON. */
const SELECT_APP = `
  SELECT *,
    (SELECT json_group_object(platform, status) FROM builds WHERE appId = apps.id) AS status,
    (SELECT json_group_object(platform, error) FROM builds WHERE appId = apps.id AND error IS NOT NULL) AS error,
    (SELECT json_group_object(platform, keyId) FROM appKeys WHERE appId = apps.id) AS keys,
    (SELECT json_group_array(json_object('id', id, 'userId', userId, 'role', role))
      FROM collaborators WHERE appId = apps.id) AS collaborators,
    (SELECT json_group_array(json_object('person', person, 'role', role))
      FROM pendingCollaborators WHERE appId = apps.id) AS pending
  FROM apps`;
const MAY_SEE_APP = '(ownerId = ? OR id IN (SELECT appId FROM collaborators WHERE userId = ?))';

/** The apps that a user owns or works on. */
export function findApps(store: Store, userId: number): readonly App[] {
  return store.all(`${SELECT_APP} WHERE ${MAY_SEE_APP} ORDER BY id`, userId, userId).map(toApp);
}

/** An app that a user owns or works on. `id` as in a path. */
export function findAppOf(store: Store, userId: number, id: string): App | undefined {
  return toAppOrNone(store.get(`${SELECT_APP} WHERE ${MAY_SEE_APP} AND id = ?`, userId, userId, idOf(id)));
}

/** An app of any user. `id` as in a path. */
export function findApp(store: Store, id: string): App | undefined {
  return toAppOrNone(store.get(`${SELECT_APP} WHERE id = ?`, idOf(id)));
}

export function insertApp(store: Store, app: App): void {
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
    const keyId = app.keys[platform];
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
  for (const { person, role } of app.pending) {
    store.insert('pendingCollaborators', { appId: app.id, person, role });
  }
}

export function roleIn(app: App, userId: number): Role {
  return app.collaborators.find((collaborator) => collaborator.userId === userId)?.role ?? 'tester';
}

/** The signing keys of a user, all or for one platform. */
export function findKeys(store: Store, userId: number, platform?: string): readonly SigningKey[] {
  const rows =
    platform === undefined
      ? store.all('SELECT * FROM keys WHERE ownerId = ? ORDER BY id', userId)
      : store.all('SELECT * FROM keys WHERE ownerId = ? AND platform = ? ORDER BY id', userId, platform);
  return rows.map(toKey);
}

/** A signing key of any user. */
export function findKey(store: Store, id: number | null): SigningKey | undefined {
  const row = store.get('SELECT * FROM keys WHERE id = ?', id);
  return row && toKey(row);
}

export function insertKey(store: Store, key: SigningKey): void {
  const { id, ownerId, platform, title, createdAt } = key;
  const flags = { isDefault: Number(key.default), locked: Number(key.locked) };
  store.insert('keys', { id, ownerId, platform, title, createdAt, ...flags });
}

/** The number that a path names; `null`, which no row has, when it is none. */
function idOf(text: string): number | null {
  return String(Number(text)) === text ? Number(text) : null;
}

function toAppOrNone(row: Row | undefined): App | undefined {
  return row && toApp(row);
}

function toApp({ debug, private: isPrivate, hydrates, status, error, keys, collaborators, pending, ...row }: Row): App {
  const parse = (json: unknown): unknown => JSON.parse(String(json));
  return {
    ...row,
    debug: debug === 1,
    private: isPrivate === 1,
    hydrates: hydrates === 1,
    status: parse(status),
    error: parse(error),
    keys: { android: null, ios: null, winphone: null, ...(parse(keys) as Partial<App['keys']>) },
    collaborators: parse(collaborators),
    pending: parse(pending),
  } as App;
}

function toKey({ isDefault, locked, ...row }: Row): SigningKey {
  return { ...row, default: isDefault === 1, locked: locked === 1 } as SigningKey;
}
