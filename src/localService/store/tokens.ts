/**
 * What stands for a user: simple authentication tokens (contract, Token resource, and Authentication, rules 2 and 3); for client
 * applications authorization codes, and the access tokens that they are exchanged for; signed-in browsers; and tickets that sign one in.
 */
import type { SQLInputValue } from 'node:sqlite';

import { CODE_LIFETIME_MS, SESSION_LIFETIME_MS, TICKET_LIFETIME_MS } from '../limits.ts';
import { findClientBySecret } from './users.ts';
import { timestamp, type AuthorizationCode, type AuthToken, type Client, type User } from './model.ts';
import { createHexSecret, createToken, hashSecret, pkceChallenge, secretsEqual } from './secrets.ts';
import type { Store } from './store.ts';

type Kind = 'auth' | 'access' | 'code' | 'session' | 'ticket';

/** Milliseconds. The others end with the user's token or permission. */
const LIFETIMES: Readonly<Partial<Record<Kind, number>>> = {
  code: CODE_LIFETIME_MS,
  session: SESSION_LIFETIME_MS,
  ticket: TICKET_LIFETIME_MS,
};

/** Name of the token that `POST /token` hands out; asking again gives the same one until it is reset or deleted. */
const OBTAINED_TOKEN_NAME = 'Obtained with user name and password';

/** The user whom a secret of this kind stands for: whose authentication token it is, for whom an access token acts, who is signed in with a cookie. */
export function findUserByToken(store: Store, kind: Kind, secret: string): User | undefined {
  // By its hash: the time of the search reveals nothing of the secrets.
  return store.get(
    `SELECT users.* FROM tokens JOIN users ON users.id = userId
      WHERE hash = ? AND kind = ? AND (expiresAt IS NULL OR expiresAt > ?)`,
    hashSecret(secret),
    kind,
    store.now(),
  ) as User | undefined;
}

/** Remembers a secret, for the time of its kind; those whose time is over are deleted. */
function add(store: Store, kind: Kind, secret: string, row: Readonly<Record<string, SQLInputValue>>): void {
  const now = store.now();
  const lifetime = LIFETIMES[kind];
  store.run('DELETE FROM tokens WHERE expiresAt <= ?', now);
  store.insert('tokens', { ...row, kind, hash: hashSecret(secret), expiresAt: lifetime ? now + lifetime : null });
}

function remove(store: Store, kind: Kind, secret: string): void {
  store.run('DELETE FROM tokens WHERE hash = ? AND kind = ?', hashSecret(secret), kind);
}

/** The tokens of a user, the oldest first. */
export function findAuthTokens(store: Store, userId: number): readonly AuthToken[] {
  return store.all(
    "SELECT id, userId, name, token, createdAt FROM tokens WHERE userId = ? AND kind = 'auth' ORDER BY rowid",
    userId,
  ) as unknown as AuthToken[];
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
  add(store, 'auth', token.token, token);
  return token;
}

/** Gives the user's token with this ID a fresh value; the previous one, and what was given for it, is invalid from then on. */
export function resetAuthToken(store: Store, userId: number, id: string): void {
  const token = createToken();
  const row = { token, hash: hashSecret(token), createdAt: timestamp() };
  store.transaction(() => {
    endAccessTokensOfToken(store, userId, id);
    store.update('tokens', row, 'id = ? AND userId = ?', id, userId);
  });
}

/** Deletes the user's token with this ID; it, and what was given for it, is invalid from then on. */
export function deleteAuthToken(store: Store, userId: number, id: string): void {
  store.transaction(() => {
    endAccessTokensOfToken(store, userId, id);
    store.run('DELETE FROM tokens WHERE id = ? AND userId = ?', id, userId);
  });
}

function endAccessTokensOfToken(store: Store, userId: number, id: string): void {
  store.run('DELETE FROM tokens WHERE origin = (SELECT hash FROM tokens WHERE id = ? AND userId = ?)', id, userId);
}

/** What a client sends in exchange for an access token; empty where it sent nothing. */
interface CodeExchange {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly code: string;
  /** RFC 7636 */
  readonly codeVerifier: string;
  /** RFC 6749 §4.1.3 */
  readonly redirectUri: string;
}

/** The clients that act for a user. */
export function findActingClients(store: Store, userId: number): readonly Client[] {
  return store.all(
    "SELECT * FROM clients WHERE id IN (SELECT clientId FROM tokens WHERE userId = ? AND kind = 'access') ORDER BY rowid",
    userId,
  ) as unknown as Client[];
}

/** Issues a code for the redirect to the Callback Url. */
export function issueCode(store: Store, grant: Omit<AuthorizationCode, 'expiresAt'>): string {
  const code = createHexSecret(20);
  add(store, 'code', code, { ...grant });
  return code;
}

/**
 * Exchanges a code, which is used up by that. A code that its own client shows with the wrong verifier or redirect_uri is
 * used up as well; one that another client shows is not, so that no other client can spoil it. The access token of a code that
 * its client shows again ends: one of the two may have been a thief (RFC 6749 §4.1.2).
 *
 * @returns the access token; `undefined` when the parameters do not check out
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
 * Issues an access token with which the client acts for the user.
 *
 * @param origin the authentication token that it is given for, or the client's ID and the code
 */
export function issueAccessToken(store: Store, userId: number, clientId: string, origin?: string): string {
  const token = createHexSecret(20);
  add(store, 'access', token, { userId, clientId, origin: origin === undefined ? null : hashSecret(origin) });
  return token;
}

/** Takes back every permission that the user gave the client. */
export function revokeGrants(store: Store, userId: number, clientId: string): void {
  store.run('DELETE FROM tokens WHERE userId = ? AND clientId = ?', userId, clientId);
}

/** Remembers a signed-in browser by its cookie. */
export function addSession(store: Store, cookie: string, userId: number): void {
  add(store, 'session', cookie, { userId });
}

export function deleteSession(store: Store, cookie: string): void {
  remove(store, 'session', cookie);
}

/**
 * Makes a ticket, which signs one browser in as a user, once, and leads on to one path.
 *
 * @param path of this service, on to which it leads: with another one it is no ticket
 */
export function createSignInTicket(store: Store, userId: number, path: string): string {
  const ticket = createHexSecret(20);
  add(store, 'ticket', `${ticket} ${path}`, { userId });
  return ticket;
}

/**
 * Uses a ticket up.
 *
 * @returns the user of the ticket; `undefined` when it was made for another path, was used, or its time is over
 */
export function redeemSignInTicket(store: Store, ticket: string, path: string): User | undefined {
  return store.transaction(() => {
    const user = findUserByToken(store, 'ticket', `${ticket} ${path}`);
    remove(store, 'ticket', `${ticket} ${path}`);
    return user;
  });
}
