/** Signing keys. */
import type { SigningKey } from './model.ts';
import type { Row, Store } from './store.ts';

/** The signing keys of a user, all or for one platform. */
export function findKeys(store: Store, userId: number, platform?: string): readonly SigningKey[] {
  const rows =
    platform === undefined
      ? store.all('SELECT * FROM keys WHERE ownerId = ? ORDER BY id', userId)
      : store.all('SELECT * FROM keys WHERE ownerId = ? AND platform = ? ORDER BY id', userId, platform);
  return rows.map(toKey);
}

/** A signing key of any user. */
export function findKey(store: Store, id: number | null): SigningKey | undefined {
  const row = store.get('SELECT * FROM keys WHERE id = ?', id);
  return row && toKey(row);
}

function toKey(row: Row): SigningKey {
  const { id, ownerId, platform, title, isDefault, locked, createdAt, lastUsedAt, alias, publisherId } = row;
  const files = { keystore: row.keystoreFile, cert: row.certFile, profile: row.profileFile };
  return {
    ...{ id, ownerId, platform, title, createdAt, lastUsedAt, alias, publisherId },
    default: isDefault === 1,
    locked: locked === 1,
    files: Object.fromEntries(Object.entries(files).filter(([, file]) => file !== null)),
  } as SigningKey;
}
