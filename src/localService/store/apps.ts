import type { SQLInputValue } from 'node:sqlite';

import { nextId, type Row, type Store } from './store.ts';
import { PLATFORMS, type App, type Participant, type Platform, type Role } from './model.ts';
import { findUserByEmail } from './users.ts';

/** A new app. */
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

/** New values for an app. A key of `null` is taken from it. */
export type AppChanges = Partial<
  Pick<App, keyof typeof EMPTY_APP | 'package'> & { readonly keys: Readonly<Partial<Record<Platform, number | null>>> }
>;

/** An app with what hangs on it, as JSON. */
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

/** More than anybody has who builds apps: a client that knows no pages misses none. */
const APPS_PER_PAGE = 1_000;

interface AppPage {
  readonly apps: readonly App[];
  /** There are more apps behind the last of these. */
  readonly hasMore: boolean;
}

/** A page of the apps that a user owns or works on, in the order of their IDs. @param after the ID of the app before them */
export function findApps(store: Store, userId: number, after = 0): AppPage {
  // Two indexes in order: with OR, SQLite would sort all apps for each page.
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

/** An app that a user owns or works on. `id` as in a path. */
export function findAppOf(store: Store, userId: number, id: string): App | undefined {
  // Not as above: SQLite would list all apps on which the user works.
  const maySee = '(ownerId = ? OR EXISTS (SELECT 1 FROM participants WHERE appId = apps.id AND userId = ?))';
  return toAppOrNone(store.get(`${SELECT_APP} WHERE id = ? AND ${maySee}`, idOf(id), userId, userId));
}

/** An app of any user. `id` as in a path. */
export function findApp(store: Store, id: string): App | undefined {
  return toAppOrNone(store.get(`${SELECT_APP} WHERE id = ?`, idOf(id)));
}

/** The role of a user who may see an app. */
export function roleIn(app: App, userId: number): Role {
  if (app.ownerId === userId) {
    return 'admin';
  }
  return app.participants.find((participant) => participant.userId === userId)?.role ?? 'tester';
}

/**
 * Adds an app, and its owner to those who work on it. To be called within a transaction.
 *
 * @param changes what differs from an app without anything
 * @returns its ID
 */
export function addApp(store: Store, ownerId: number, changes: AppChanges): number {
  const id = nextId(store, 'apps');
  const values = columnsOf({ ...EMPTY_APP, package: `com.example.app${id}`, ...changes });
  store.insert('apps', { id, ownerId, buildCount: 0, lastBuild: null, ...values });
  setKeys(store, id, changes.keys);
  store.insert('participants', { id: nextId(store, 'participants'), appId: id, userId: ownerId, role: 'admin' });
  return id;
}

/** Changes an app. To be called within the transaction in which it was read. */
export function changeApp(store: Store, app: App, changes: AppChanges): void {
  store.update('apps', columnsOf({ ...app, ...changes }), 'id = ?', app.id);
  setKeys(store, app.id, changes.keys);
}

/**
 * Deletes an app with all that belongs to it. To be called within a transaction, after its builds were cancelled.
 *
 * @returns the names of its files in `DataFiles` that are of no build, to be removed after the transaction
 */
export function deleteApp(store: Store, app: App): readonly string[] {
  store.run('DELETE FROM apps WHERE id = ?', app.id);
  return [app.iconFile, app.upload?.file].filter((name) => typeof name === 'string');
}

/**
 * Adds a collaborator to an app, within a transaction; as an invitation if no account has this e-mail address.
 *
 * @returns `undefined` when they are there already
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
  // They may have been invited before they had an account.
  store.run('DELETE FROM participants WHERE appId = ? AND userId IS NULL AND person = ?', appId, email);
  const person = userId === null ? email : null;
  store.insert('participants', { id: nextId(store, 'participants'), appId, userId, person, role });
  return userId === null ? 'pending' : 'active';
}

export function changeRole(store: Store, { id }: Participant, role: Role): void {
  store.run('UPDATE participants SET role = ? WHERE id = ?', role, id);
}

export function removeParticipant(store: Store, { id }: Participant): void {
  store.run('DELETE FROM participants WHERE id = ?', id);
}

/** The changeable values by the names of their columns, always all of them in the same order. */
function columnsOf(app: Required<Omit<AppChanges, 'keys'>>): Readonly<Record<string, SQLInputValue>> {
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

/** The number that a path names; `null`, which no row has, when it is none. */
function idOf(text: string): number | null {
  return String(Number(text)) === text ? Number(text) : null;
}

function toAppOrNone(row: Row | undefined): App | undefined {
  return row && toApp(row);
}

function toApp(row: Row): App {
  const { uploadFile: file, uploadType: type, uploadSize: size, ...rest } = row;
  const flags = FLAGS.map((name) => [name, row[name] === 1] as const);
  const parsed = ['plugins', 'status', 'error', 'queuedAt', 'keys', 'participants'].map(
    (name) => [name, JSON.parse(String(row[name])) as unknown] as const,
  );
  const upload = file === null ? null : { file, type, size };
  return { ...rest, ...Object.fromEntries([...flags, ...parsed]), upload } as unknown as App;
}
