/** The rights of users on apps. */
import type { Context, MiddlewareHandler } from 'hono';

import type { Authenticated } from '../http/authentication.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { findAppOf, roleIn } from '../store/apps.ts';
import type { App, User } from '../store/model.ts';
import type { Store } from '../store/store.ts';

/** The context of the routes below `/apps/:id`. */
export interface WithApp {
  Variables: Authenticated['Variables'] & { readonly app: App };
}

/** Checks that a user may do something with an app. @throws HttpError 403 */
export type AppPermission = (app: App, user: User) => void;

/** The app of a path. @throws HttpError 404 for an app of another user as for one that does not exist */
export function requireApp(store: Store, user: User, id: string): App {
  const app = findAppOf(store, user.id, id);
  if (app === undefined) {
    throw notFound(`app #${id} not available`);
  }
  return app;
}

/** Gives the routes below `/apps/:id` their app, whatever the method: 404 comes before 405. */
export function provideApp(store: Store): MiddlewareHandler<WithApp> {
  return async (c, next) => {
    c.set('app', requireApp(store, c.var.user, c.req.param('id') ?? ''));
    await next();
  };
}

export function isOwner(app: App, user: User): boolean {
  return app.ownerId === user.id;
}

/** Testers see an app and download it. */
export function mayChange(app: App, user: User): boolean {
  return roleIn(app, user.id) !== 'tester';
}

export const requireDeveloper: AppPermission = (app, user) => {
  if (!mayChange(app, user)) {
    throw new HttpError(403, `A tester cannot change app ${app.id}. Ask its owner for the role of a developer.`);
  }
};

/** @param operation goes into the message: `delete it` */
export function requireOwner(operation: string): AppPermission {
  return (app, user) => {
    if (!isOwner(app, user)) {
      throw new HttpError(403, `Only the owner of app ${app.id} can ${operation}.`);
    }
  };
}

/**
 * Changes the app of the path in one transaction. Both the app and what the user may do are read again: they may have changed while the
 * request was received.
 *
 * @throws HttpError 404, 403
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
