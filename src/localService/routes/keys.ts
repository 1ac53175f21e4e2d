/** Signing keys: their resources and routes. The contract names keys and leaves their fields open. */
import type { Hono } from 'hono';

import type { Authenticated } from '../http/authentication.ts';
import { notFound } from '../http/errors.ts';
import type { Service } from '../service.ts';
import { findKeys } from '../store/keys.ts';
import { KEY_PLATFORMS, type KeyPlatform, type SigningKey } from '../store/model.ts';
import type { Store } from '../store/store.ts';

/** Adds `/keys` and what is below it. */
export function addKeyRoutes(api: Hono<Authenticated>, { store }: Service): void {
  api.get('/keys', (c) => c.json({ keys: keysByPlatform(store, c.var.user.id), link: '/api/v1/keys' }));
  api.get('/keys/:platform', (c) => {
    const platform = KEY_PLATFORMS.find((each) => each === c.req.param('platform'));
    if (platform === undefined) {
      throw notFound(`no keys for the platform ${c.req.param('platform')}`);
    }
    return c.json({ keys: findKeys(store, c.var.user.id, platform).map(keyResource), link: keysLink(platform) });
  });
  api.get('/keys/:platform/:id', (c) => {
    const { platform, id } = c.req.param();
    const key = findKeys(store, c.var.user.id, platform).find((each) => String(each.id) === id);
    if (key === undefined) {
      throw notFound(`could not find ${platform} key #${id}`);
    }
    return c.json(keyResource(key));
  });
}

/** `{link, <platform>: {link, all}}`, as in the user resource and in `/keys`. */
export function keysByPlatform(store: Store, userId: number): object {
  const entries = KEY_PLATFORMS.map((platform): [string, object] => [
    platform,
    { link: keysLink(platform), all: findKeys(store, userId, platform).map(keySummary) },
  ]);
  return { link: '/api/v1/keys', ...Object.fromEntries<object>(entries) };
}

function keyResource(key: SigningKey): object {
  return { ...keySummary(key), platform: key.platform, locked: key.locked, created_at: key.createdAt };
}

/** A key as other resources show it. */
export function keySummary(key: SigningKey): object {
  return { id: key.id, default: key.default, title: key.title, link: `${keysLink(key.platform)}/${key.id}` };
}

function keysLink(platform: KeyPlatform): string {
  return `/api/v1/keys/${platform}`;
}
