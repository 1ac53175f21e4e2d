/** Users' permissions on apps. */
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

/** Returns the app with an ID from a path. @throws HttpError 404 if the app doesn't exist or the user can't see it */
export function requireApp(store: Store, user: User, id: string): App {
  const app = findUserApp(store, user.id, id);
  if (app === undefined) {
    throw notFound(`app #${id} not available`);
  }
  return app;
}

/**
 * Returns middleware that sets the app for the routes under `/apps/:id`. It runs for every method, so a missing app is 404 and never 405.
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

/** Reports whether a user may change an app. Testers may only see and download it. */
export function mayChange(app: App, user: User): boolean {
  return roleIn(app, user.id) !== 'tester';
}

/** Requires a role that can change the app. @throws HttpError 403 for a tester */
export const requireDeveloper: AppPermission = (app, user) => {
  if (!mayChange(app, user)) {
    throw new HttpError(403, `A tester can’t change app ${app.id}. Ask its owner for the developer role.`);
  }
};

/** @param operation completes the error message, for example `delete it` */
export function requireOwner(operation: string): AppPermission {
  return (app, user) => {
    if (!isOwner(app, user)) {
      throw new HttpError(403, `Only the owner of app ${app.id} can ${operation}.`);
    }
  };
}

/**
 * Changes the app of the path in one transaction. Reads the app and the user's permissions again, because they may have changed while the
 * request arrived.
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
