/** Simple authentication tokens (contract, Token resource, and Authentication, rules 2 and 3). */
import { timestamp, type AuthToken, type State, type User } from './model.ts';
import { createHexSecret, createToken, secretsEqual } from './secrets.ts';
import type { Change, Store } from './store.ts';
import { findUser } from './users.ts';

/** Name of the token that `POST /token` hands out; asking again gives the same one until it is reset or deleted. */
const OBTAINED_TOKEN_NAME = 'Obtained with user name and password';

export function findAuthTokens(store: Store, userId: number): readonly AuthToken[] {
  return store.state.authTokens.filter((token) => token.userId === userId);
}

/** The user whose simple authentication token this is. */
export function findUserByAuthToken(store: Store, token: string): User | undefined {
  const found = store.state.authTokens.find((candidate) => secretsEqual(candidate.token, token));
  return found && findUser(store, found.userId);
}

/** The user's token for `POST /token`, made on first use. */
export function obtainAuthToken(store: Store, userId: number): Promise<AuthToken> {
  return store.update((state) => {
    const existing = state.authTokens.find((token) => token.userId === userId && token.name === OBTAINED_TOKEN_NAME);
    return existing === undefined ? addAuthToken(state, userId, OBTAINED_TOKEN_NAME) : { state, result: existing };
  });
}

export function createAuthToken(store: Store, userId: number, name: string): Promise<AuthToken> {
  return store.update((state) => addAuthToken(state, userId, name));
}

/** The change behind {@link createAuthToken}. */
export function addAuthToken(state: State, userId: number, name: string): Change<AuthToken> {
  const token = { id: createHexSecret(8), userId, name, token: createToken(), createdAt: timestamp() };
  return { state: { ...state, authTokens: [...state.authTokens, token] }, result: token };
}

/** Gives the user's token with this ID a fresh value; the previous one is invalid from then on. */
export function resetAuthToken(store: Store, userId: number, id: string): Promise<void> {
  const fresh = { token: createToken(), createdAt: timestamp() };
  return store.replace((state) => ({
    ...state,
    authTokens: state.authTokens.map((token) => (isToken(token, userId, id) ? { ...token, ...fresh } : token)),
  }));
}

/** Deletes the user's token with this ID; it is invalid from then on. */
export function deleteAuthToken(store: Store, userId: number, id: string): Promise<void> {
  return store.replace((state) => ({
    ...state,
    authTokens: state.authTokens.filter((token) => !isToken(token, userId, id)),
  }));
}

function isToken(token: AuthToken, userId: number, id: string): boolean {
  return token.userId === userId && token.id === id;
}
