/** Apps and signing keys. */
import type { App, Role, SigningKey } from './model.ts';
import type { Store } from './store.ts';

/** The apps that a user owns or works on. */
export function findApps(store: Store, userId: number): readonly App[] {
  return store.state.apps.filter(
    (app) => app.ownerId === userId || app.collaborators.some((collaborator) => collaborator.userId === userId),
  );
}

/** An app of any user. `id` as in a path. */
export function findApp(store: Store, id: string): App | undefined {
  return store.state.apps.find((app) => String(app.id) === id);
}

export function roleIn(app: App, userId: number): Role {
  return app.collaborators.find((collaborator) => collaborator.userId === userId)?.role ?? 'tester';
}

/** The signing keys of a user, all or for one platform. */
export function findKeys(store: Store, userId: number, platform?: string): readonly SigningKey[] {
  return store.state.keys.filter(
    (key) => key.ownerId === userId && (platform === undefined || key.platform === platform),
  );
}

/** A signing key of any user. */
export function findKey(store: Store, id: number | null): SigningKey | undefined {
  return store.state.keys.find((key) => key.id === id);
}
