/**
 * Stores the secrets that identify a user: simple authentication tokens (contract, Token resource, and Authentication,
 * rules 2 and 3), authorization codes for client applications, the access tokens that they're exchanged for, cookies of
 * signed-in browsers, and sign-in tickets.
 */
import type { SQLInputValue } from 'node:sqlite';

import { CODE_LIFETIME_MS, SESSION_LIFETIME_MS, TICKET_LIFETIME_MS } from '../limits.ts';
import { findClientBySecret } from './users.ts';
import { timestamp, type AuthorizationCode, type AuthToken, type Client, type User } from './model.ts';
import { createHexSecret, createToken, hashSecret, pkceChallenge, secretsEqual } from './secrets.ts';
import type { Store } from './store.ts';

type TokenKind = 'auth' | 'access' | 'code' | 'session' | 'ticket';

/** Lifetimes in milliseconds. Other kinds last until the user deletes the token or revokes the permission. */
const LIFETIMES: Readonly<Partial<Record<TokenKind, number>>> = {
  code: CODE_LIFETIME_MS,
  session: SESSION_LIFETIME_MS,
  ticket: TICKET_LIFETIME_MS,
};

/** Name of the token that `POST /token` returns. The call returns the same token until it's reset or deleted. */
const OBTAINED_TOKEN_NAME = 'Obtained with user name and password';

/**
 * Returns the user that a secret of this kind identifies: the owner of an authentication token, the user for whom an
 * access token acts, or the user who is signed in with a cookie.
 */
export function findUserByToken(store: Store, kind: TokenKind, secret: string): User | undefined {
  // Search by hash, so that the time doesn't reveal anything about the secrets.
  return store.get(
    `SELECT users.* FROM tokens JOIN users ON users.id = userId
      WHERE hash = ? AND kind = ? AND (expiresAt IS NULL OR expiresAt > ?)`,
    hashSecret(secret),
    kind,
    store.now(),
  ) as User | undefined;
}

/** Stores a secret for the lifetime of its kind, and deletes expired ones. */
function add(store: Store, kind: TokenKind, secret: string, row: Readonly<Record<string, SQLInputValue>>): void {
  const now = store.now();
  const lifetime = LIFETIMES[kind];
  store.run('DELETE FROM tokens WHERE expiresAt <= ?', now);
  store.insert('tokens', { ...row, kind, hash: hashSecret(secret), expiresAt: lifetime ? now + lifetime : null });
}

function remove(store: Store, kind: TokenKind, secret: string): void {
  store.run('DELETE FROM tokens WHERE hash = ? AND kind = ?', hashSecret(secret), kind);
}

/** Returns a user's tokens, oldest first. */
export function findAuthTokens(store: Store, userId: number): readonly AuthToken[] {
  return store.all(
    "SELECT id, userId, name, token, createdAt FROM tokens WHERE userId = ? AND kind = 'auth' ORDER BY rowid",
    userId,
  ) as unknown as AuthToken[];
}

/** Returns the user's token for `POST /token`, and creates it on first use. */
export function obtainAuthToken(store: Store, userId: number): AuthToken {
  return store.transaction(
    () =>
      findAuthTokens(store, userId).find(({ name }) => name === OBTAINED_TOKEN_NAME) ??
      createAuthToken(store, userId, OBTAINED_TOKEN_NAME),
  );
}

/** Creates an authentication token for a user. */
export function createAuthToken(store: Store, userId: number, name: string): AuthToken {
  const token = { id: createHexSecret(8), userId, name, token: createToken(), createdAt: timestamp() };
  add(store, 'auth', token.token, token);
  return token;
}

/** Replaces the value of the user's token with this ID. The previous value, and the access tokens issued for it, become invalid. */
export function resetAuthToken(store: Store, userId: number, id: string): void {
  const token = createToken();
  const row = { token, hash: hashSecret(token), createdAt: timestamp() };
  store.transaction(() => {
    endAccessTokens(store, userId, id);
    store.update('tokens', row, 'id = ? AND userId = ?', id, userId);
  });
}

/** Deletes the user's token with this ID. The token, and the access tokens issued for it, become invalid. */
export function deleteAuthToken(store: Store, userId: number, id: string): void {
  store.transaction(() => {
    endAccessTokens(store, userId, id);
    store.run('DELETE FROM tokens WHERE id = ? AND userId = ?', id, userId);
  });
}

function endAccessTokens(store: Store, userId: number, id: string): void {
  store.run('DELETE FROM tokens WHERE origin = (SELECT hash FROM tokens WHERE id = ? AND userId = ?)', id, userId);
}

/** Parameters for exchanging a code for an access token. Missing ones are empty. */
interface CodeExchange {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly code: string;
  /** PKCE verifier (RFC 7636). */
  readonly codeVerifier: string;
  /** Redirect URI of the authorization request (RFC 6749 §4.1.3). */
  readonly redirectUri: string;
}

/** Returns the clients that act for a user. */
export function findActingClients(store: Store, userId: number): readonly Client[] {
  return store.all(
    "SELECT * FROM clients WHERE id IN (SELECT clientId FROM tokens WHERE userId = ? AND kind = 'access') ORDER BY rowid",
    userId,
  ) as unknown as Client[];
}

/** Issues a code for the redirect to the callback URL. */
export function issueCode(store: Store, grant: Omit<AuthorizationCode, 'expiresAt'>): string {
  const code = createHexSecret(20);
  add(store, 'code', code, { ...grant });
  return code;
}

/**
 * Exchanges a code and makes it invalid. The code also becomes invalid if its own client sends a wrong verifier or
 * redirect_uri, but not because of another client's request. If a client exchanges a code twice, the code's access
 * token is revoked, because the code may have been stolen (RFC 6749 §4.1.2).
 *
 * @returns the access token, or `undefined` if the parameters aren't valid
 */
export function exchangeCode(store: Store, parameters: CodeExchange): string | undefined {
  const { clientId, clientSecret, code } = parameters;
  return store.transaction(() => {
    const client = findClientBySecret(store, clientId, clientSecret);
    const issued = store.get("SELECT * FROM tokens WHERE hash = ? AND kind = 'code'", hashSecret(code)) as
      | AuthorizationCode
      | undefined;
    if (client !== undefined && issued === undefined) {
      store.run('DELETE FROM tokens WHERE origin = ?', hashSecret(`${client.id} ${code}`));
    }
    if (client === undefined || issued?.clientId !== client.id) {
      return undefined;
    }
    remove(store, 'code', code);
    return issued.expiresAt > store.now() &&
      isVerified(issued, parameters) &&
      hasRedirectUri(issued, client, parameters)
      ? issueAccessToken(store, issued.userId, client.id, `${client.id} ${code}`)
      : undefined;
  });
}

/**
 * Reports whether the verifier matches the code's challenge (RFC 7636 §4.6). Rejects a verifier for a code without a
 * challenge, which would be a PKCE downgrade (RFC 9700 §4.8.2).
 */
function isVerified({ challenge }: AuthorizationCode, { codeVerifier }: CodeExchange): boolean {
  return challenge === null ? codeVerifier === '' : secretsEqual(pkceChallenge(codeVerifier), challenge);
}

/**
 * Reports whether the redirect_uri is valid. It's required if the authorization request contained one (RFC 6749
 * §4.1.3). Otherwise, clients can omit it, as in the contract.
 */
function hasRedirectUri(asked: AuthorizationCode, client: Client, { redirectUri }: CodeExchange): boolean {
  return redirectUri === '' ? asked.redirectUri === null : redirectUri === (asked.redirectUri ?? client.callbackUrl);
}

/**
 * Exchanges a simple authentication token, which stays valid. The access token is valid as long as the authentication
 * token.
 *
 * @returns the access token, or `undefined` if the parameters aren't valid
 */
export function exchangeAuthToken(
  store: Store,
  { clientId, clientSecret }: Pick<CodeExchange, 'clientId' | 'clientSecret'>,
  authToken: string,
): string | undefined {
  return store.transaction(() => {
    const client = findClientBySecret(store, clientId, clientSecret);
    const user = findUserByToken(store, 'auth', authToken);
    return client === undefined || user === undefined
      ? undefined
      : issueAccessToken(store, user.id, client.id, authToken);
  });
}

/**
 * Issues an access token that lets the client act for the user.
 *
 * @param origin the authentication token that the access token is issued for, or the client's ID and the code
 */
export function issueAccessToken(store: Store, userId: number, clientId: string, origin?: string): string {
  const token = createHexSecret(20);
  add(store, 'access', token, { userId, clientId, origin: origin === undefined ? null : hashSecret(origin) });
  return token;
}

/** Revokes every permission that the user gave the client. */
export function revokeGrants(store: Store, userId: number, clientId: string): void {
  store.run('DELETE FROM tokens WHERE userId = ? AND clientId = ?', userId, clientId);
}

/** Stores a signed-in browser's cookie. */
export function addSession(store: Store, cookie: string, userId: number): void {
  add(store, 'session', cookie, { userId });
}

/** Deletes the session with this cookie. */
export function deleteSession(store: Store, cookie: string): void {
  remove(store, 'session', cookie);
}

/**
 * Creates a ticket that signs one browser in as a user and then opens a path.
 *
 * @param path path on this service. The ticket is valid only for this path
 */
export function createSignInTicket(store: Store, userId: number, path: string): string {
  const ticket = createHexSecret(20);
  add(store, 'ticket', `${ticket} ${path}`, { userId });
  return ticket;
}

/**
 * Redeems a ticket, which makes it invalid.
 *
 * @returns the ticket's user, or `undefined` if the ticket is for another path, was used, or has expired
 */
export function redeemSignInTicket(store: Store, ticket: string, path: string): User | undefined {
  return store.transaction(() => {
    const user = findUserByToken(store, 'ticket', `${ticket} ${path}`);
    remove(store, 'ticket', `${ticket} ${path}`);
    return user;
  });
}
