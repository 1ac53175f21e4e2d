/** Apps. */
import type { App, Role } from './model.ts';
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

export function roleIn(app: App, userId: number): Role {
  return app.collaborators.find((collaborator) => collaborator.userId === userId)?.role ?? 'tester';
}

/** The number that a path names; `null`, which no row has, when it is none. */
function idOf(text: string): number | null {
  return String(Number(text)) === text ? Number(text) : null;
}

function toAppOrNone(row: Row | undefined): App | undefined {
  return row && toApp(row);
}

function toApp({ debug, private: isPrivate, hydrates, share, status, error, keys, collaborators, ...row }: Row): App {
  const { pending, plugins, uploadFile: file, uploadType: type, uploadSize: size, ...rest } = row;
  const parse = (json: unknown): unknown => JSON.parse(String(json));
  return {
    ...rest,
    debug: debug === 1,
    private: isPrivate === 1,
    hydrates: hydrates === 1,
    share: share === 1,
    upload: file === null ? null : { file, type, size },
    plugins: parse(plugins),
    status: parse(status),
    error: parse(error),
    keys: parse(keys),
    collaborators: parse(collaborators),
    pending: parse(pending),
  } as App;
}
