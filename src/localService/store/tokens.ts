/**
 * Tokens: simple authentication tokens (contract, Token resource, and Authentication, rules 2 and 3), and for client applications
 * authorization codes and the access tokens that they are exchanged for.
 */
import { findClientBySecret } from './clients.ts';
import { timestamp, type AuthorizationCode, type AuthToken, type Client, type User } from './model.ts';
import { createHexSecret, createToken, hashSecret, pkceChallenge, secretsEqual } from './secrets.ts';
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
  // By its hash: the time of the search reveals nothing of the tokens.
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

/** Gives the user's token with this ID a fresh value; the previous one, and what was given for it, is invalid from then on. */
export function resetAuthToken(store: Store, userId: number, id: string): void {
  const token = createToken();
  const row = { token, hash: hashSecret(token), createdAt: timestamp() };
  store.transaction(() => {
    endAccessTokensOf(store, authTokenOf(store, userId, id));
    store.update('authTokens', row, 'id = ? AND userId = ?', id, userId);
  });
}

/** Deletes the user's token with this ID; it, and what was given for it, is invalid from then on. */
export function deleteAuthToken(store: Store, userId: number, id: string): void {
  store.transaction(() => {
    endAccessTokensOf(store, authTokenOf(store, userId, id));
    store.run('DELETE FROM authTokens WHERE id = ? AND userId = ?', id, userId);
  });
}

/** The value of the user's token with this ID; empty without one. */
function authTokenOf(store: Store, userId: number, id: string): string {
  return findAuthTokens(store, userId).find((token) => token.id === id)?.token ?? '';
}

/** Ends the access tokens that were given for something: see {@link issueAccessToken}. */
function endAccessTokensOf(store: Store, origin: string): void {
  store.run('DELETE FROM accessTokens WHERE origin = ?', hashSecret(origin));
}

/** During which a code can be exchanged (RFC 6749 §4.1.2 asks for at most 10 minutes). */
const CODE_LIFETIME_MS = 60_000;

interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface CodeExchange extends ClientCredentials {
  readonly code: string;
  /** RFC 7636; empty when the client sent none. */
  readonly codeVerifier: string;
  /** RFC 6749 §4.1.3; empty when the client sent none. */
  readonly redirectUri: string;
}

/** The user for whom this access token acts. */
export function findUserByAccessToken(store: Store, token: string): User | undefined {
  return store.get(
    'SELECT users.* FROM accessTokens JOIN users ON users.id = userId WHERE hash = ?',
    hashSecret(token),
  ) as User | undefined;
}

/** The clients that act for a user. */
export function findActingClients(store: Store, userId: number): readonly Client[] {
  return store.all(
    'SELECT * FROM clients WHERE id IN (SELECT clientId FROM accessTokens WHERE userId = ?) ORDER BY rowid',
    userId,
  ) as unknown as Client[];
}

/**
 * Issues a code for the redirect to the Callback Url.
 *
 * @param now milliseconds since the epoch
 */
export function issueCode(store: Store, grant: Omit<AuthorizationCode, 'hash' | 'expiresAt'>, now: number): string {
  const code = createHexSecret(20);
  store.transaction(() => {
    store.run('DELETE FROM codes WHERE expiresAt <= ?', now);
    store.insert('codes', { ...grant, hash: hashSecret(code), expiresAt: now + CODE_LIFETIME_MS });
  });
  return code;
}

/**
 * Exchanges a code, which is used up by that. A code that its own client shows with the wrong verifier or redirect_uri is
 * used up as well; one that another client shows is not, so that no other client can spoil it. The access token of a code that
 * its client shows again ends: one of the two may have been a thief (RFC 6749 §4.1.2).
 *
 * @param now milliseconds since the epoch
 * @returns the access token; `undefined` when the parameters do not check out
 */
export function exchangeCode(store: Store, parameters: CodeExchange, now: number): string | undefined {
  const { clientId, clientSecret, code } = parameters;
  return store.transaction(() => {
    const client = findClientBySecret(store, clientId, clientSecret);
    const issued = store.get('SELECT * FROM codes WHERE hash = ?', hashSecret(code)) as AuthorizationCode | undefined;
    if (client !== undefined && issued === undefined) {
      endAccessTokensOf(store, `${client.id} ${code}`);
    }
    if (client === undefined || issued?.clientId !== client.id) {
      return undefined;
    }
    store.run('DELETE FROM codes WHERE hash = ?', issued.hash);
    return issued.expiresAt > now && isVerified(issued, parameters) && hasRedirectUri(issued, client, parameters)
      ? issueAccessToken(store, issued.userId, client.id, `${client.id} ${code}`)
      : undefined;
  });
}

/** RFC 7636 §4.6. Without a challenge a verifier is refused: RFC 9700 §4.8.2, PKCE downgrade. */
function isVerified({ challenge }: AuthorizationCode, { codeVerifier }: CodeExchange): boolean {
  return challenge === null ? codeVerifier === '' : secretsEqual(pkceChallenge(codeVerifier), challenge);
}

/**
 * RFC 6749 §4.1.3: a client that named a redirect_uri when it asked names the same one now. One that did not may leave
 * it out, as the contract does.
 */
function hasRedirectUri(asked: AuthorizationCode, client: Client, { redirectUri }: CodeExchange): boolean {
  return redirectUri === '' ? asked.redirectUri === null : redirectUri === (asked.redirectUri ?? client.callbackUrl);
}

/**
 * Exchanges a simple authentication token, which stays valid. The access token ends with it.
 *
 * @returns the access token; `undefined` when the parameters do not check out
 */
export function exchangeAuthToken(
  store: Store,
  { clientId, clientSecret, authToken }: ClientCredentials & { readonly authToken: string },
): string | undefined {
  return store.transaction(() => {
    const client = findClientBySecret(store, clientId, clientSecret);
    const user = findUserByAuthToken(store, authToken);
    return client === undefined || user === undefined
      ? undefined
      : issueAccessToken(store, user.id, client.id, authToken);
  });
}

/**
 * Issues an access token with which the client acts for the user.
 *
 * @param origin the authentication token that it is given for, or the client's ID and the code
 */
export function issueAccessToken(store: Store, userId: number, clientId: string, origin?: string): string {
  const token = createHexSecret(20);
  store.insert('accessTokens', {
    hash: hashSecret(token),
    userId,
    clientId,
    createdAt: timestamp(),
    origin: origin === undefined ? null : hashSecret(origin),
  });
  return token;
}

/** Takes back every permission that the user gave the client. */
export function revokeGrants(store: Store, userId: number, clientId: string): void {
  store.transaction(() => {
    store.run('DELETE FROM accessTokens WHERE userId = ? AND clientId = ?', userId, clientId);
    store.run('DELETE FROM codes WHERE userId = ? AND clientId = ?', userId, clientId);
  });
}
