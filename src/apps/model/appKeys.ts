import type { App } from './app.ts';
import { textOf } from './members.ts';
import type { SigningKey } from './signingKey.ts';

/** The signing keys that an app is built with: the ID of each, by platform; none for a platform with the default key. */
export function keyIdsOf({ resource }: Pick<App, 'resource'>): ReadonlyMap<string, string> {
  const keys = resource.embedded.find(({ rel, index }) => rel === 'keys' && index === undefined)?.resource;
  const ids = [
    ...(keys?.embedded ?? []).map(({ rel, resource: key }) => [rel, textOf(key, 'id')] as const),
    // As a client sets them: the ID alone.
    ...(keys?.fields ?? []).map(({ name }) => [name, keys && textOf(keys, name)] as const),
  ];
  return new Map(ids.flatMap(([platform, id]): [string, string][] => (id === undefined ? [] : [[platform, id]])));
}

/** True for an app that is the user's own: nobody else chooses its keys. */
export function isOwn({ role }: Pick<App, 'role'>): boolean {
  return role === undefined || role === 'admin' || role === 'owner';
}

/**
 * The key that each platform of an app is built with: the chosen one, else the default one of the platform. A platform without
 * either has none here.
 *
 * @param keys of the user, whose own the app is.
 */
export function usedKeys(
  app: Pick<App, 'resource' | 'builds'>,
  keys: readonly SigningKey[],
): ReadonlyMap<string, SigningKey> {
  const ids = keyIdsOf(app);
  const platforms = new Set([...app.builds.map(({ platform }) => platform), ...ids.keys()]);
  const used = [...platforms].map((platform) => {
    const ofPlatform = keys.filter((key) => key.platform === platform);
    const chosen = ofPlatform.find(({ id }) => id === ids.get(platform));
    return [platform, chosen ?? ofPlatform.find(({ isDefault }) => isDefault)] as const;
  });
  return new Map(used.flatMap(([platform, key]) => (key === undefined ? [] : [[platform, key]])));
}
