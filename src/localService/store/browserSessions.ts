import type { User } from './model.ts';
import { hashSecret, secretsEqual } from './secrets.ts';
import type { Store } from './store.ts';
import { findUser } from './users.ts';

/** The user who is signed in with this cookie. `now` in milliseconds since the epoch. */
export function findUserOfSession(store: Store, cookie: string, now: number): User | undefined {
  const hash = hashSecret(cookie);
  const session = store.state.sessions.find(
    (candidate) => secretsEqual(candidate.hash, hash) && candidate.expiresAt > now,
  );
  return findUser(store, session?.userId);
}

/** Remembers a signed-in browser by its cookie, and forgets those that have expired. Times in milliseconds since the epoch. */
export function addBrowserSession(
  store: Store,
  { cookie, userId, expiresAt }: { readonly cookie: string; readonly userId: number; readonly expiresAt: number },
  now: number,
): Promise<void> {
  const session = { hash: hashSecret(cookie), userId, expiresAt };
  return store.replace((state) => ({
    ...state,
    sessions: [...state.sessions.filter((each) => each.expiresAt > now), session],
  }));
}

export function deleteBrowserSession(store: Store, cookie: string): Promise<void> {
  const hash = hashSecret(cookie);
  return store.replace((state) => ({ ...state, sessions: state.sessions.filter((session) => session.hash !== hash) }));
}
