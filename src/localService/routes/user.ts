/** The user resource, which is the API's home too (contract, endpoints 1 and 2). */
import type { Hono } from 'hono';

import type { Authenticated } from '../http/authentication.ts';
import { findApps, roleIn } from '../store/apps.ts';
import type { User } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import { appLink } from './appActions.ts';
import { keysByPlatform } from './keyResource.ts';

/** Adds `/` and `/me` of the API. */
export function addUserRoutes(api: Hono<Authenticated>, store: Store): void {
  for (const path of ['/', '/me']) {
    api.get(path, (c) => c.json(userResource(store, c.var.user)));
  }
}

function userResource(store: Store, user: User): object {
  // The first page: `link` leads to all of them.
  const { apps } = findApps(store, user.id);
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    link: '/api/v1/me',
    apps: {
      link: '/api/v1/apps',
      all: apps.map((app) => ({ title: app.title, role: roleIn(app, user.id), link: appLink(app) })),
    },
    keys: keysByPlatform(store, user.id),
    links: { current_support: '/api/v1/current_support' },
  };
}
