import type { SQLInputValue } from 'node:sqlite';

import { nextId, type DatabaseRow, type Store } from './store.ts';
import type { App, Participant, Role } from './model.ts';
import { findUserByEmail } from './users.ts';
import { type Platform, PLATFORMS } from '../../android-package/index.ts';

/** Initial values of a new app. */
const EMPTY_APP = {
  title: '',
  version: '1.0.0',
  description: '',
  repo: null,
  tag: null,
  debug: false,
  private: true,
  hydrates: false,
  share: false,
  phonegapVersion: '',
  icon: null,
  iconFile: null,
  upload: null,
  plugins: [],
} satisfies Partial<App>;

const TEXTS = [
  'title',
  'package',
  'version',
  'description',
  'repo',
  'tag',
  'phonegapVersion',
  'icon',
  'iconFile',
] as const;
const FLAGS = ['debug', 'private', 'hydrates', 'share'] as const;

/** New values for an app. `null` removes a key. */
export type AppChanges = Partial<
  Pick<App, keyof typeof EMPTY_APP | 'package'> & { readonly keys: Readonly<Partial<Record<Platform, number | null>>> }
>;

/** Selects an app with its related rows as JSON. */
const SELECT_APP = `
  SELECT *,
    (SELECT json_group_object(platform, status) FROM builds WHERE appId = apps.id) AS status,
    (SELECT json_group_object(platform, error) FROM builds WHERE appId = apps.id AND error IS NOT NULL) AS error,
    (SELECT json_group_object(platform, queuedAt) FROM builds WHERE appId = apps.id AND queuedAt IS NOT NULL) AS queuedAt,
    (SELECT json_group_object(platform, keyId) FROM appKeys WHERE appId = apps.id) AS keys,
    (SELECT json_group_array(json_object('id', id, 'person', person, 'role', role, 'userId', userId)) FROM
      (SELECT participants.id, coalesce(email, person) AS person, role, userId
        FROM participants LEFT JOIN users ON users.id = userId WHERE appId = apps.id ORDER BY participants.id)) AS participants
  FROM apps`;

/**
 * Maximum number of apps per page. It's larger than any user's list, so clients that ignore paging still get all apps.
 */
const APPS_PER_PAGE = 1_000;

interface AppPage {
  readonly apps: readonly App[];
  /** Whether more apps follow this page. */
  readonly hasMore: boolean;
}

/** Returns a page of the apps that a user owns or works on, ordered by ID. @param after ID of the last app on the previous page */
export function findApps(store: Store, userId: number, after = 0): AppPage {
  // Use two indexes in order. With OR, SQLite would sort all apps for every page.
  const ids = `
    SELECT id FROM apps WHERE ownerId = ? AND id > ?
    UNION SELECT appId FROM participants WHERE userId = ? AND appId > ?
    ORDER BY 1 LIMIT ?`;
  const found = store.all(
    `${SELECT_APP} WHERE id IN (${ids}) ORDER BY id`,
    ...[userId, after, userId, after, APPS_PER_PAGE + 1],
  );
  return { apps: found.slice(0, APPS_PER_PAGE).map(toApp), hasMore: found.length > APPS_PER_PAGE };
}

/** Returns an app, if the user owns it or works on it. @param id ID from a path */
export function findUserApp(store: Store, userId: number, id: string): App | undefined {
  // Don't use the query above here: with it, SQLite would first list all apps that the user works on.
  const maySee = '(ownerId = ? OR EXISTS (SELECT 1 FROM participants WHERE appId = apps.id AND userId = ?))';
  return toAppOrNone(store.get(`${SELECT_APP} WHERE id = ? AND ${maySee}`, parseId(id), userId, userId));
}

/**
 * Returns an app of any user.
 *
 * @param id ID from a path
 */
export function findApp(store: Store, id: string): App | undefined {
  return toAppOrNone(store.get(`${SELECT_APP} WHERE id = ?`, parseId(id)));
}

/** Returns a user's role in an app that the user can see. */
export function roleIn(app: App, userId: number): Role {
  if (app.ownerId === userId) {
    return 'admin';
  }
  return app.participants.find((participant) => participant.userId === userId)?.role ?? 'tester';
}

/**
 * Adds an app, with its owner as a participant. Must be called within a transaction.
 *
 * @param changes values that differ from an empty app's
 * @returns the app's ID
 */
export function addApp(store: Store, ownerId: number, changes: AppChanges): number {
  const id = nextId(store, 'apps');
  const values = toColumns({ ...EMPTY_APP, package: `com.example.app${id}`, ...changes });
  store.insert('apps', { id, ownerId, buildCount: 0, lastBuild: null, ...values });
  setKeys(store, id, changes.keys);
  store.insert('participants', { id: nextId(store, 'participants'), appId: id, userId: ownerId, role: 'admin' });
  return id;
}

/** Changes an app. Must be called within the transaction that read it. */
export function changeApp(store: Store, app: App, changes: AppChanges): void {
  store.update('apps', toColumns({ ...app, ...changes }), 'id = ?', app.id);
  setKeys(store, app.id, changes.keys);
}

/**
 * Deletes an app with all its rows. Must be called within a transaction, after the app's builds are canceled.
 *
 * @returns names in `DataFiles` of the files that don't belong to builds. The caller must delete these files after the
 * transaction.
 */
export function deleteApp(store: Store, app: App): readonly string[] {
  store.run('DELETE FROM apps WHERE id = ?', app.id);
  return [app.iconFile, app.upload?.file].filter((name) => typeof name === 'string');
}

/**
 * Adds a collaborator to an app, or an invitation if no user has this email address. Must be called within a
 * transaction.
 *
 * @returns `undefined` if the collaborator already exists
 */
export function addParticipant(
  store: Store,
  appId: number,
  email: string,
  role: Role,
): 'active' | 'pending' | undefined {
  const userId = findUserByEmail(store, email)?.id ?? null;
  const find = 'SELECT 1 FROM participants WHERE appId = ? AND ';
  const isThere =
    userId === null
      ? store.get(`${find} userId IS NULL AND person = ?`, appId, email)
      : store.get(`${find} userId = ?`, appId, userId);
  if (isThere !== undefined) {
    return undefined;
  }
  // The user may have been invited before having an account.
  store.run('DELETE FROM participants WHERE appId = ? AND userId IS NULL AND person = ?', appId, email);
  const person = userId === null ? email : null;
  store.insert('participants', { id: nextId(store, 'participants'), appId, userId, person, role });
  return userId === null ? 'pending' : 'active';
}

/** Changes a collaborator's role. */
export function changeRole(store: Store, { id }: Participant, role: Role): void {
  store.run('UPDATE participants SET role = ? WHERE id = ?', role, id);
}

/** Removes a collaborator or an invitation from its app. */
export function removeParticipant(store: Store, { id }: Participant): void {
  store.run('DELETE FROM participants WHERE id = ?', id);
}

/** Returns the values that can change, keyed by column name. Always contains all columns, in the same order. */
function toColumns(app: Required<Omit<AppChanges, 'keys'>>): Readonly<Record<string, SQLInputValue>> {
  return {
    ...Object.fromEntries(TEXTS.map((name) => [name, app[name]])),
    ...Object.fromEntries(FLAGS.map((name) => [name, Number(app[name])])),
    uploadFile: app.upload?.file ?? null,
    uploadType: app.upload?.type ?? null,
    uploadSize: app.upload?.size ?? null,
    plugins: JSON.stringify(app.plugins),
  };
}

function setKeys(store: Store, appId: number, keys: AppChanges['keys'] = {}): void {
  for (const platform of PLATFORMS) {
    const keyId = keys[platform];
    if (keyId !== undefined) {
      store.run('DELETE FROM appKeys WHERE appId = ? AND platform = ?', appId, platform);
    }
    if (typeof keyId === 'number') {
      store.insert('appKeys', { appId, platform, keyId });
    }
  }
}

/** Parses an ID from a path. Returns `null`, which doesn't match any row, if it isn't a number. */
function parseId(text: string): number | null {
  return String(Number(text)) === text ? Number(text) : null;
}

function toAppOrNone(row: DatabaseRow | undefined): App | undefined {
  return row && toApp(row);
}

function toApp(row: DatabaseRow): App {
  const { uploadFile: file, uploadType: type, uploadSize: size, ...rest } = row;
  const flags = FLAGS.map((name) => [name, row[name] === 1] as const);
  const parsed = ['plugins', 'status', 'error', 'queuedAt', 'keys', 'participants'].map(
    (name) => [name, JSON.parse(String(row[name])) as unknown] as const,
  );
  const upload = file === null ? null : { file, type, size };
  return { ...rest, ...Object.fromEntries([...flags, ...parsed]), upload } as unknown as App;
}
