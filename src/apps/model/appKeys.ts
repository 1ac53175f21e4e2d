import type { App } from './app.ts';
import { textOf } from './members.ts';

/** The signing keys that an app is built with: the ID of each, by platform; none for a platform with the default key. */
export function keyIdsOf({ resource }: Pick<App, 'resource'>): ReadonlyMap<string, string> {
  const keys = resource.embedded.find(({ rel, index }) => rel === 'keys' && index === undefined);
  return new Map(
    (keys?.resource.embedded ?? []).flatMap(({ rel, resource: key }): [string, string][] => {
      const id = textOf(key, 'id');
      return id === undefined ? [] : [[rel, id]];
    }),
  );
}

/** True for an app that is the user's own: nobody else chooses its keys. */
export function isOwn({ role }: Pick<App, 'role'>): boolean {
  return role === undefined || role === 'admin' || role === 'owner';
}
