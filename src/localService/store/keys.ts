/** Signing keys, and their passwords while they are unlocked. */
import { UNLOCKED_KEY_LIFETIME_MS } from '../limits.ts';
import { nextId, type Row, type Store } from './store.ts';
import { timestamp, type Fingerprints, type KeyPasswords, type SigningKey } from './model.ts';

/** A key that is added. `isDefault`: `undefined` makes the first key of a platform its default. */
interface NewKey extends Pick<SigningKey, 'ownerId' | 'platform' | 'title' | 'alias' | 'publisherId' | 'files'> {
  readonly isDefault: boolean | undefined;
}

/** All but the passwords. */
const SELECT_KEY = `
  SELECT id, ownerId, platform, title, createdAt, lastUsedAt, alias, publisherId, expiresAt, appId, sha1, sha256, isDefault,
    locked, keystoreFile, certFile, profileFile
  FROM keys`;

/** The signing keys of a user, all or for one platform. */
export function findKeys(store: Store, userId: number, platform?: string): readonly SigningKey[] {
  const rows =
    platform === undefined
      ? store.all(`${SELECT_KEY} WHERE ownerId = ? ORDER BY id`, userId)
      : store.all(`${SELECT_KEY} WHERE ownerId = ? AND platform = ? ORDER BY id`, userId, platform);
  return rows.map(toKey);
}

/** A signing key of any user. */
export function findKey(store: Store, id: number | null): SigningKey | undefined {
  const row = store.get(`${SELECT_KEY} WHERE id = ?`, id);
  return row && toKey(row);
}

/** The default key of a user for a platform. */
export function findDefaultKey(store: Store, userId: number, platform: string): SigningKey | undefined {
  return findKeys(store, userId, platform).find((key) => key.default);
}

/** Adds a key, locked. To be called within a transaction. @returns its ID */
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

export function renameKey(store: Store, id: number, title: string): void {
  store.run('UPDATE keys SET title = ? WHERE id = ?', title, id);
}

/** Makes a key the default one of its owner for its platform, or not. To be called within a transaction. */
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
 * Keeps the passwords of a key until it is locked: by {@link lockKey}, or by itself after an hour. They are encrypted with a
 * key derived from the service's own, which lies in the same database: a part of the data, or a search for words in it, does
 * not show them, but the whole data folder does.
 */
export function unlockKey(store: Store, id: number, passwords: KeyPasswords): void {
  const encrypted = store.encrypt(purposeOf(id), JSON.stringify(passwords));
  store.update(
    'keys',
    { locked: 0, passwords: encrypted, unlockedUntil: store.now() + UNLOCKED_KEY_LIFETIME_MS },
    'id = ?',
    id,
  );
}

/** The passwords of a key; `undefined` while it is locked, and for one that has none. */
export function findKeyPasswords(store: Store, id: number): KeyPasswords | undefined {
  // The time is a second wall: a key is locked then, and its passwords are deleted.
  const row = store.get('SELECT passwords FROM keys WHERE id = ? AND unlockedUntil > ?', id, store.now());
  return row === undefined
    ? undefined
    : (JSON.parse(store.decrypt(purposeOf(id), String(row.passwords))) as KeyPasswords);
}

/** Forgets the passwords of a key. */
export function lockKey(store: Store, id: number): void {
  store.run('UPDATE keys SET locked = 1, passwords = NULL, unlockedUntil = NULL WHERE id = ?', id);
}

/** Forgets the passwords of all keys whose time is over. */
export function lockExpiredKeys(store: Store): void {
  // Reads first: most often there is nothing to write.
  for (const { id } of store.all('SELECT id FROM keys WHERE unlockedUntil <= ?', store.now())) {
    lockKey(store, Number(id));
  }
}

/** Remembers that a build used a key. */
export function setKeyUsed(store: Store, id: number): void {
  store.run('UPDATE keys SET lastUsedAt = ? WHERE id = ?', timestamp(new Date(store.now())), id);
}

/** Facts from the files of a key. */
interface KeyFacts {
  readonly expiresAt: string | undefined;
  readonly appId: string | undefined;
  readonly fingerprints: Fingerprints | undefined;
}

/** Remembers facts from the files of a key; an `undefined` one stays as it was. */
export function setKeyFacts(store: Store, id: number, { expiresAt, appId, fingerprints }: KeyFacts): void {
  const { sha1, sha256 } = fingerprints ?? {};
  store.run(
    `UPDATE keys SET expiresAt = coalesce(?, expiresAt), appId = coalesce(?, appId), sha1 = coalesce(?, sha1),
      sha256 = coalesce(?, sha256) WHERE id = ?`,
    ...[expiresAt, appId, sha1, sha256].map((fact) => fact ?? null),
    id,
  );
}

/** Deletes a key, its passwords, and its place in apps. Its files are to be removed afterwards. */
export function deleteKey(store: Store, id: number): void {
  store.run('DELETE FROM keys WHERE id = ?', id);
}

/** Separates the passwords of one key from those of another. */
function purposeOf(id: number): string {
  return `passwords of key ${id}`;
}

function toKey(row: Row): SigningKey {
  const { isDefault, locked, keystoreFile, certFile, profileFile, sha1, sha256, ...key } = row;
  const files = { keystore: keystoreFile, cert: certFile, profile: profileFile };
  return {
    ...key,
    default: isDefault === 1,
    // A publisher's ID has no password.
    locked: locked === 1 && key.platform !== 'winphone',
    fingerprints: sha1 === null ? null : { sha1, sha256 },
    files: Object.fromEntries(Object.entries(files).filter(([, file]) => file !== null)),
  } as unknown as SigningKey;
}
