/** Install keys: each opens the download of one build, for a while, to everyone who has it. Their values are stored as hashes. */
import { timestamp, type Build, type Platform } from './model.ts';
import { createHexSecret, createToken, hashSecret } from './secrets.ts';
import type { Row, Store } from './store.ts';

/** For how long an install key works at most. */
export const MAX_INSTALL_KEY_LIFETIME_MS = 7 * 24 * 60 * 60_000;

export interface InstallKey {
  readonly id: string;
  readonly appId: number;
  readonly platform: Platform;
  /** The one build that it opens. */
  readonly buildNumber: number;
  /** The user who made it. */
  readonly userId: number;
  readonly createdAt: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Makes a key for a build. Keys whose time is over are deleted.
 *
 * @param lifetimeMs cut to {@link MAX_INSTALL_KEY_LIFETIME_MS}
 * @param now milliseconds since the epoch
 * @returns the key, and its value, which is not stored
 */
export function createInstallKey(
  store: Store,
  { appId, platform, number }: Pick<Build, 'appId' | 'platform' | 'number'>,
  { userId, lifetimeMs, now }: { readonly userId: number; readonly lifetimeMs: number; readonly now: number },
): { readonly key: InstallKey; readonly value: string } {
  const value = createToken();
  const key: InstallKey = {
    id: createHexSecret(8),
    appId,
    platform,
    buildNumber: number,
    userId,
    createdAt: timestamp(new Date(now)),
    expiresAt: now + Math.min(lifetimeMs, MAX_INSTALL_KEY_LIFETIME_MS),
  };
  store.transaction(() => {
    store.run('DELETE FROM installKeys WHERE expiresAt <= ?', now);
    store.insert('installKeys', { ...key, hash: hashSecret(value) });
  });
  return { key, value };
}

/** The key with this value; `undefined` when there is none, or its time is over. `now` in milliseconds since the epoch. */
export function findInstallKey(store: Store, value: string, now: number): InstallKey | undefined {
  // By its hash: the time of the search reveals nothing of the keys.
  const row = store.get('SELECT * FROM installKeys WHERE hash = ? AND expiresAt > ?', hashSecret(value), now);
  return row && toInstallKey(row);
}

/** The keys for the latest builds of an app, those of earlier ones open nothing; the oldest first. */
export function findInstallKeysOf(store: Store, appId: number, now: number): readonly InstallKey[] {
  const rows = store.all(
    `SELECT installKeys.* FROM installKeys JOIN builds USING (appId, platform)
      WHERE appId = ? AND expiresAt > ? AND buildNumber = number ORDER BY createdAt, id`,
    appId,
    now,
  );
  return rows.map(toInstallKey);
}

/** Revokes a key. */
export function deleteInstallKey(store: Store, { id }: InstallKey): void {
  store.run('DELETE FROM installKeys WHERE id = ?', id);
}

function toInstallKey({ id, appId, platform, buildNumber, userId, createdAt, expiresAt }: Row): InstallKey {
  return { id, appId, platform, buildNumber, userId, createdAt, expiresAt } as InstallKey;
}
