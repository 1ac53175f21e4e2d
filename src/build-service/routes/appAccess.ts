/** Checks users' permissions for apps. */
import type { Context, MiddlewareHandler } from 'hono';

import type { Authenticated } from '../http/authentication.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { findUserApp, roleIn } from '../store/apps.ts';
import type { App, User } from '../store/model.ts';
import type { Store } from '../store/store.ts';

/** Context of the routes under `/apps/:id`. */
export interface WithApp {
  Variables: Authenticated['Variables'] & { readonly app: App };
}

/** Checks that a user may perform an operation on an app. @throws HttpError 403 */
export type AppPermission = (app: App, user: User) => void;

/** Returns the app whose ID is in a path. @throws HttpError 404 if the app doesn't exist or the user can't see it */
export function requireApp(store: Store, user: User, id: string): App {
  const app = findUserApp(store, user.id, id);
  if (app === undefined) {
    throw notFound(`app #${id} not available`);
  }
  return app;
}

/**
 * Returns middleware that sets the app for the routes under `/apps/:id`. It runs for every method, so the response for
 * a missing app is always 404, never 405.
 */
export function provideApp(store: Store): MiddlewareHandler<WithApp> {
  return async (c, next) => {
    c.set('app', requireApp(store, c.var.user, c.req.param('id') ?? ''));
    await next();
  };
}

/** Reports whether a user owns an app. */
export function isOwner(app: App, user: User): boolean {
  return app.ownerId === user.id;
}

/** Reports whether a user may change an app. Testers may only view and download it. */
export function mayChange(app: App, user: User): boolean {
  return roleIn(app, user.id) !== 'tester';
}

/**
 * Requires a role that may change the app.
 *
 * @throws HttpError 403 for testers
 */
export const requireDeveloper: AppPermission = (app, user) => {
  if (!mayChange(app, user)) {
    throw new HttpError(403, `A tester can’t change app ${app.id}. Ask its owner for the developer role.`);
  }
};

/**
 * Requires the owner of the app.
 *
 * @param operation the end of the error message, such as `delete it`
 */
export function requireOwner(operation: string): AppPermission {
  return (app, user) => {
    if (!isOwner(app, user)) {
      throw new HttpError(403, `Only the owner of app ${app.id} can ${operation}.`);
    }
  };
}

/**
 * Changes the app that the path identifies, in one transaction. Reads the app and checks the permission again, because
 * they may have changed since the request began.
 *
 * @throws HttpError 403, 404
 */
export function withCurrentApp<T>(
  c: Context<WithApp>,
  store: Store,
  permission: AppPermission,
  work: (app: App) => T,
): T {
  const { app, user } = c.var;
  return store.transaction(() => {
    const current = requireApp(store, user, String(app.id));
    permission(current, user);
    return work(current);
  });
}
