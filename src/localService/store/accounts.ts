/** What users do with their tokens and clients: pure functions from one state to the next. */
import { ServiceError } from '../errors.ts';
import { digest, newHexSecret, newToken, sameSecret } from './secrets.ts';
import { timestamp, type AuthToken, type Client, type State, type User } from './state.ts';
import type { Change } from './store.ts';

/** The token that `POST /token` hands out; asking again gives the same one until it is reset or deleted. */
const obtainedName = 'Obtained with user name and password';

/** The user's token for `POST /token`, made on first use. */
export function obtainToken(state: State, userId: number): Change<AuthToken> {
  const existing = state.authTokens.find((token) => token.userId === userId && token.name === obtainedName);
  return existing === undefined ? createToken(state, userId, obtainedName) : { state, result: existing };
}

export function createToken(state: State, userId: number, name: string): Change<AuthToken> {
  const token = { id: newHexSecret(8), userId, name, token: newToken(), createdAt: timestamp() };
  return { state: { ...state, authTokens: [...state.authTokens, token] }, result: token };
}

/** Gives a token a fresh value; the previous one is invalid from then on (contract, Authentication, rule 3). */
export function resetToken(state: State, userId: number, id: string): Change<void> {
  const fresh = { token: newToken(), createdAt: timestamp() };
  return {
    state: {
      ...state,
      authTokens: state.authTokens.map((token) => (isOwn(token, userId, id) ? { ...token, ...fresh } : token)),
    },
    result: undefined,
  };
}

export function deleteToken(state: State, userId: number, id: string): Change<void> {
  return {
    state: { ...state, authTokens: state.authTokens.filter((token) => !isOwn(token, userId, id)) },
    result: undefined,
  };
}

function isOwn(token: AuthToken, userId: number, id: string): boolean {
  return token.userId === userId && token.id === id;
}

/** What a developer says of a client application. */
export interface Registration {
  readonly name: string;
  readonly mainUrl: string;
  readonly callbackUrl: string;
}

/** Schemes that a browser runs or reads locally instead of handing the answer to an application. */
const refusedSchemes = ['javascript:', 'data:', 'file:', 'vbscript:', 'blob:', 'about:'];

/**
 * Says why a Callback Url cannot be registered, or `undefined` when it can. Custom schemes are fine: native
 * applications use them (RFC 8252 §7.1). A fragment is not (RFC 6749 §3.1.2).
 */
export function callbackUrlFault(callbackUrl: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(callbackUrl) || !URL.canParse(callbackUrl)) {
    return 'The Callback Url must be an absolute URL without spaces.';
  }
  if (refusedSchemes.includes(new URL(callbackUrl).protocol)) {
    return `The Callback Url must not start with “${new URL(callbackUrl).protocol}”.`;
  }
  return callbackUrl.includes('#') ? 'The Callback Url must not contain a fragment (#).' : undefined;
}

/** @throws ServiceError 400 with what is wrong */
function checkRegistration({ name, mainUrl, callbackUrl }: Registration): void {
  if (name === '' || name.length > 100) {
    throw new ServiceError(400, 'Give the application a Name of at most 100 characters.');
  }
  if (!URL.canParse(mainUrl) || !/^https?:$/.test(new URL(mainUrl).protocol)) {
    throw new ServiceError(400, 'The Main Application Url must start with http:// or https://.');
  }
  const fault = callbackUrlFault(callbackUrl);
  if (fault !== undefined) {
    throw new ServiceError(400, fault);
  }
}

/** A client and its secret, which is readable only now. */
export interface NewSecret {
  readonly client: Client;
  readonly secret: string;
}

/** @throws ServiceError 400 when the registration is not acceptable */
export function registerClient(state: State, ownerId: number, registration: Registration): Change<NewSecret> {
  checkRegistration(registration);
  const secret = newHexSecret(20);
  const client = { ...registration, id: newHexSecret(10), ownerId, secretHash: digest(secret), createdAt: timestamp() };
  return { state: { ...state, clients: [...state.clients, client] }, result: { client, secret } };
}

/** @throws ServiceError 400 when the registration is not acceptable */
export function editClient(state: State, id: string, registration: Registration): Change<void> {
  checkRegistration(registration);
  return { state: withClient(state, id, registration), result: undefined };
}

/** Gives a client another secret; the previous one is invalid from then on. */
export function resetSecret(state: State, client: Client): Change<NewSecret> {
  const secret = newHexSecret(20);
  const demo = state.demo.clientId === client.id ? { ...state.demo, clientSecret: secret } : state.demo;
  return {
    state: { ...withClient(state, client.id, { secretHash: digest(secret) }), demo },
    result: { client, secret },
  };
}

function withClient(state: State, id: string, change: Partial<Client>): State {
  return { ...state, clients: state.clients.map((client) => (client.id === id ? { ...client, ...change } : client)) };
}

/** Deletes a client with every permission it was given. */
export function deleteClient(state: State, id: string): Change<void> {
  const others = ({ clientId }: { readonly clientId: string }): boolean => clientId !== id;
  return {
    state: {
      ...state,
      clients: state.clients.filter((client) => client.id !== id),
      accessTokens: state.accessTokens.filter(others),
      codes: state.codes.filter(others),
    },
    result: undefined,
  };
}

/** Takes back every permission that the user gave the client. */
export function revokeClient(state: State, userId: number, clientId: string): Change<void> {
  const others = (grant: { readonly clientId: string; readonly userId: number }): boolean =>
    grant.clientId !== clientId || grant.userId !== userId;
  return {
    state: { ...state, accessTokens: state.accessTokens.filter(others), codes: state.codes.filter(others) },
    result: undefined,
  };
}

/** The registered client with this ID and secret. */
export function findClient(state: State, id: string, secret: string): Client | undefined {
  const client = state.clients.find((candidate) => candidate.id === id);
  return client !== undefined && sameSecret(client.secretHash, digest(secret)) ? client : undefined;
}

/** The user whose simple authentication token this is. */
export function userOfAuthToken(state: State, token: string): User | undefined {
  const found = state.authTokens.find((candidate) => sameSecret(candidate.token, token));
  return found && state.users.find(({ id }) => id === found.userId);
}

/** The user for whom this access token acts. */
export function userOfAccessToken(state: State, token: string): User | undefined {
  const hash = digest(token);
  // Where two digests differ tells nothing of the tokens.
  const found = state.accessTokens.find((candidate) => candidate.hash === hash);
  return found && state.users.find(({ id }) => id === found.userId);
}
