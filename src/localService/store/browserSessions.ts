import type { User } from './model.ts';
import { hashSecret } from './secrets.ts';
import type { Store } from './store.ts';

/** The user who is signed in with this cookie. `now` in milliseconds since the epoch. */
export function findUserOfSession(store: Store, cookie: string, now: number): User | undefined {
  return store.get(
    'SELECT users.* FROM sessions JOIN users ON users.id = userId WHERE hash = ? AND expiresAt > ?',
    hashSecret(cookie),
    now,
  ) as User | undefined;
}

/** Remembers a signed-in browser by its cookie, and forgets those that have expired. Times in milliseconds since the epoch. */
export function addBrowserSession(
  store: Store,
  { cookie, userId, expiresAt }: { readonly cookie: string; readonly userId: number; readonly expiresAt: number },
  now: number,
): void {
  store.transaction(() => {
    store.run('DELETE FROM sessions WHERE expiresAt <= ?', now);
    store.insert('sessions', { hash: hashSecret(cookie), userId, expiresAt });
  });
}

export function deleteBrowserSession(store: Store, cookie: string): void {
  store.run('DELETE FROM sessions WHERE hash = ?', hashSecret(cookie));
}
