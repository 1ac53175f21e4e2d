/** Stores signing keys, and their passwords while they're unlocked. */
import { UNLOCKED_KEY_LIFETIME_MS } from '../limits.ts';
import { nextId, type DatabaseRow, type Store } from './store.ts';
import { timestamp, type KeyPasswords, type SigningKey } from './model.ts';
import type { Fingerprints } from '../../android-package/index.ts';

/** A new key. If `isDefault` is `undefined`, the first key of a platform becomes the default. */
interface NewKey extends Pick<SigningKey, 'ownerId' | 'platform' | 'title' | 'alias' | 'publisherId' | 'files'> {
  readonly isDefault: boolean | undefined;
}

/** Selects everything except the passwords. */
const SELECT_KEY = `
  SELECT id, ownerId, platform, title, createdAt, lastUsedAt, alias, publisherId, expiresAt, appId, sha1, sha256, isDefault,
    locked, keystoreFile, certFile, profileFile
  FROM keys`;

/** Returns a user's signing keys, for all platforms or only for one. */
export function findKeys(store: Store, userId: number, platform?: string): readonly SigningKey[] {
  const rows =
    platform === undefined
      ? store.all(`${SELECT_KEY} WHERE ownerId = ? ORDER BY id`, userId)
      : store.all(`${SELECT_KEY} WHERE ownerId = ? AND platform = ? ORDER BY id`, userId, platform);
  return rows.map(toKey);
}

/** Returns a signing key of any user. */
export function findKey(store: Store, id: number | null): SigningKey | undefined {
  const row = store.get(`${SELECT_KEY} WHERE id = ?`, id);
  return row && toKey(row);
}

/** Returns a user's default key for a platform. */
export function findDefaultKey(store: Store, userId: number, platform: string): SigningKey | undefined {
  return findKeys(store, userId, platform).find((key) => key.default);
}

/** Adds a locked key. Must be called within a transaction. @returns its ID */
export function insertKey(store: Store, { isDefault, files, ...key }: NewKey): number {
  const id = nextId(store, 'keys');
  const becomesDefault = isDefault ?? findKeys(store, key.ownerId, key.platform).length === 0;
  store.insert('keys', {
    ...{ id, ...key, isDefault: 0, locked: 1, createdAt: timestamp() },
    keystoreFile: files.keystore ?? null,
    certFile: files.cert ?? null,
    profileFile: files.profile ?? null,
  });
  setDefaultKey(store, { id, ...key }, becomesDefault);
  return id;
}

/** Changes the title of a key. */
export function renameKey(store: Store, id: number, title: string): void {
  store.run('UPDATE keys SET title = ? WHERE id = ?', title, id);
}

/** Sets or removes a key as its owner's default for its platform. Must be called within a transaction. */
export function setDefaultKey(
  store: Store,
  { id, ownerId, platform }: Pick<SigningKey, 'id' | 'ownerId' | 'platform'>,
  isDefault: boolean,
): void {
  if (isDefault) {
    store.run('UPDATE keys SET isDefault = 0 WHERE ownerId = ? AND platform = ?', ownerId, platform);
  }
  store.run('UPDATE keys SET isDefault = ? WHERE id = ?', Number(isDefault), id);
}

/**
 * Stores a key's passwords until {@link lockKey} locks it, or for one hour. They're encrypted with a key that's derived
 * from the service's key, which is in the same database. Decrypting them requires the whole data folder.
 */
export function unlockKey(store: Store, id: number, passwords: KeyPasswords): void {
  const encrypted = store.encrypt(getPurpose(id), JSON.stringify(passwords));
  store.update(
    'keys',
    { locked: 0, passwords: encrypted, unlockedUntil: store.now() + UNLOCKED_KEY_LIFETIME_MS },
    'id = ?',
    id,
  );
}

/** Returns a key's passwords, or `undefined` if the key is locked or doesn't have any. */
export function findKeyPasswords(store: Store, id: number): KeyPasswords | undefined {
  // Checking the time is defense in depth, because expired keys are locked and their passwords deleted.
  const row = store.get('SELECT passwords FROM keys WHERE id = ? AND unlockedUntil > ?', id, store.now());
  return row === undefined
    ? undefined
    : (JSON.parse(store.decrypt(getPurpose(id), String(row.passwords))) as KeyPasswords);
}

/** Locks a key: deletes its passwords. */
export function lockKey(store: Store, id: number): void {
  store.run('UPDATE keys SET locked = 1, passwords = NULL, unlockedUntil = NULL WHERE id = ?', id);
}

/** Deletes the passwords of all expired keys. */
export function lockExpiredKeys(store: Store): void {
  // Read first, because there's usually nothing to write.
  for (const { id } of store.all('SELECT id FROM keys WHERE unlockedUntil <= ?', store.now())) {
    lockKey(store, Number(id));
  }
}

/** Records that a build used a key. */
export function setKeyUsed(store: Store, id: number): void {
  store.run('UPDATE keys SET lastUsedAt = ? WHERE id = ?', timestamp(new Date(store.now())), id);
}

/** Facts from a key's files. */
interface StoredKeyFacts {
  readonly expiresAt: string | undefined;
  readonly appId: string | undefined;
  readonly fingerprints: Fingerprints | undefined;
}

/** Stores facts from a key's files. An `undefined` fact doesn't change the stored one. */
export function setKeyFacts(store: Store, id: number, { expiresAt, appId, fingerprints }: StoredKeyFacts): void {
  const { sha1, sha256 } = fingerprints ?? {};
  store.run(
    `UPDATE keys SET expiresAt = coalesce(?, expiresAt), appId = coalesce(?, appId), sha1 = coalesce(?, sha1),
      sha256 = coalesce(?, sha256) WHERE id = ?`,
    ...[expiresAt, appId, sha1, sha256].map((fact) => fact ?? null),
    id,
  );
}

/** Deletes a key and its passwords, and removes the key from apps. The caller must delete the key's files afterward. */
export function deleteKey(store: Store, id: number): void {
  store.run('DELETE FROM keys WHERE id = ?', id);
}

/**
 * Returns the encryption purpose for a key's passwords, which keeps one key's passwords from being decrypted as
 * another's.
 */
function getPurpose(id: number): string {
  return `passwords of key ${id}`;
}

function toKey(row: DatabaseRow): SigningKey {
  const { isDefault, locked, keystoreFile, certFile, profileFile, sha1, sha256, ...key } = row;
  const files = { keystore: keystoreFile, cert: certFile, profile: profileFile };
  return {
    ...key,
    default: isDefault === 1,
    // Keys for Windows Phone are publisher IDs, which don't have passwords.
    locked: locked === 1 && key.platform !== 'winphone',
    fingerprints: sha1 === null ? null : { sha1, sha256 },
    files: Object.fromEntries(Object.entries(files).filter(([, file]) => file !== null)),
  } as unknown as SigningKey;
}
