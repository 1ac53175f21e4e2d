/** What users permit client applications: authorization codes and the access tokens that they are exchanged for. */
import { findUserByAuthToken } from './authTokens.ts';
import { findClientBySecret } from './clients.ts';
import { timestamp, type AuthorizationCode, type Client, type State, type User } from './model.ts';
import { createHexSecret, hashSecret, pkceChallenge, secretsEqual } from './secrets.ts';
import type { Change, Store } from './store.ts';
import { findUser } from './users.ts';

/** During which a code can be exchanged (RFC 6749 §4.1.2 asks for at most 10 minutes). */
const CODE_LIFETIME_MS = 60_000;

/** What a client shows of itself. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What a client shows to exchange a code. */
export interface CodeExchange extends ClientCredentials {
  readonly code: string;
  /** RFC 7636; empty when the client sent none. */
  readonly codeVerifier: string;
}

/** What a client shows to exchange a user's simple authentication token. */
export interface AuthTokenExchange extends ClientCredentials {
  readonly authToken: string;
}

/** The user for whom this access token acts. */
export function findUserByAccessToken(store: Store, token: string): User | undefined {
  const hash = hashSecret(token);
  // A plain comparison: where two hashes differ tells nothing of the tokens.
  const found = store.state.accessTokens.find((candidate) => candidate.hash === hash);
  return found && findUser(store, found.userId);
}

/** The clients that act for a user. */
export function findActingClients(store: Store, userId: number): readonly Client[] {
  const { accessTokens, clients } = store.state;
  const ids = new Set(accessTokens.filter((token) => token.userId === userId).map(({ clientId }) => clientId));
  return clients.filter(({ id }) => ids.has(id));
}

/**
 * Issues a code for the redirect to the Callback Url.
 *
 * @param challenge the client's PKCE challenge, method S256; `null` when it sent none
 * @param now milliseconds since the epoch
 */
export function issueCode(
  store: Store,
  userId: number,
  clientId: string,
  challenge: string | null,
  now: number,
): Promise<string> {
  const code = createHexSecret(20);
  const issued: AuthorizationCode = {
    hash: hashSecret(code),
    userId,
    clientId,
    expiresAt: now + CODE_LIFETIME_MS,
    challenge,
  };
  return store.update((state) => ({
    state: { ...state, codes: [...state.codes.filter(({ expiresAt }) => expiresAt > now), issued] },
    result: code,
  }));
}

/**
 * Exchanges a code, which is used up by that. A code that its own client shows with the wrong verifier is used up as well;
 * one that another client shows is not, so that nobody else can spoil it.
 *
 * @param now milliseconds since the epoch
 * @returns the access token; `undefined` when the parameters do not check out
 */
export function exchangeCode(store: Store, parameters: CodeExchange, now: number): Promise<string | undefined> {
  const { clientId, clientSecret, code, codeVerifier } = parameters;
  return store.update((state) => {
    const client = findClientBySecret(store, clientId, clientSecret);
    const hash = hashSecret(code);
    const issued = state.codes.find((candidate) => secretsEqual(candidate.hash, hash));
    if (client === undefined || issued?.clientId !== client.id) {
      return { state, result: undefined };
    }
    const withoutCode = { ...state, codes: state.codes.filter((candidate) => candidate !== issued) };
    // Without a challenge a verifier is refused: RFC 9700 §4.8.2, PKCE downgrade.
    const verified =
      issued.challenge === null ? codeVerifier === '' : secretsEqual(pkceChallenge(codeVerifier), issued.challenge);
    return issued.expiresAt > now && verified
      ? withAccessToken(withoutCode, issued.userId, client.id)
      : { state: withoutCode, result: undefined };
  });
}

/**
 * Exchanges a simple authentication token, which stays valid.
 *
 * @returns the access token; `undefined` when the parameters do not check out
 */
export function exchangeAuthToken(store: Store, parameters: AuthTokenExchange): Promise<string | undefined> {
  const { clientId, clientSecret, authToken } = parameters;
  return store.update((state) => {
    const client = findClientBySecret(store, clientId, clientSecret);
    const user = findUserByAuthToken(store, authToken);
    return client === undefined || user === undefined
      ? { state, result: undefined }
      : withAccessToken(state, user.id, client.id);
  });
}

function withAccessToken(state: State, userId: number, clientId: string): Change<string> {
  const token = createHexSecret(20);
  const issued = { hash: hashSecret(token), userId, clientId, createdAt: timestamp() };
  return { state: { ...state, accessTokens: [...state.accessTokens, issued] }, result: token };
}

/** Takes back every permission that the user gave the client. */
export function revokeGrants(store: Store, userId: number, clientId: string): Promise<void> {
  const remains = (grant: { readonly clientId: string; readonly userId: number }): boolean =>
    grant.clientId !== clientId || grant.userId !== userId;
  return store.replace((state) => ({
    ...state,
    accessTokens: state.accessTokens.filter(remains),
    codes: state.codes.filter(remains),
  }));
}
