/** Simple authentication tokens (contract, Token resource, and Authentication, rules 2 and 3). */
import { timestamp, type AuthToken, type User } from './model.ts';
import { createHexSecret, createToken, hashSecret } from './secrets.ts';
import type { Store } from './store.ts';

/** Name of the token that `POST /token` hands out; asking again gives the same one until it is reset or deleted. */
const OBTAINED_TOKEN_NAME = 'Obtained with user name and password';

/** The tokens of a user, the oldest first. */
export function findAuthTokens(store: Store, userId: number): readonly AuthToken[] {
  return store.all(
    'SELECT id, userId, name, token, createdAt FROM authTokens WHERE userId = ? ORDER BY rowid',
    userId,
  ) as unknown as AuthToken[];
}

/** The user whose simple authentication token this is. */
export function findUserByAuthToken(store: Store, token: string): User | undefined {
  // By its hash: how long the search takes tells nothing of the tokens.
  return store.get(
    'SELECT users.* FROM authTokens JOIN users ON users.id = userId WHERE hash = ?',
    hashSecret(token),
  ) as User | undefined;
}

/** The user's token for `POST /token`, made on first use. */
export function obtainAuthToken(store: Store, userId: number): AuthToken {
  return store.transaction(
    () =>
      findAuthTokens(store, userId).find(({ name }) => name === OBTAINED_TOKEN_NAME) ??
      createAuthToken(store, userId, OBTAINED_TOKEN_NAME),
  );
}

export function createAuthToken(store: Store, userId: number, name: string): AuthToken {
  const token = { id: createHexSecret(8), userId, name, token: createToken(), createdAt: timestamp() };
  store.insert('authTokens', { ...token, hash: hashSecret(token.token) });
  return token;
}

/** Gives the user's token with this ID a fresh value; the previous one is invalid from then on. */
export function resetAuthToken(store: Store, userId: number, id: string): void {
  const token = createToken();
  store.run(
    'UPDATE authTokens SET token = ?, hash = ?, createdAt = ? WHERE id = ? AND userId = ?',
    token,
    hashSecret(token),
    timestamp(),
    id,
    userId,
  );
}

/** Deletes the user's token with this ID; it is invalid from then on. */
export function deleteAuthToken(store: Store, userId: number, id: string): void {
  store.run('DELETE FROM authTokens WHERE id = ? AND userId = ?', id, userId);
}
