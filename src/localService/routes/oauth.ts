/** The token endpoints (contract, endpoints 3, 5 and 6) and the codes behind the web flow. */
import type { Hono } from 'hono';

import { findClient, obtainToken, userOfAuthToken } from '../store/accounts.ts';
import { authenticateBasic } from '../authentication.ts';
import { ServiceError, unauthorized } from '../errors.ts';
import { parametersOf } from '../parameters.ts';
import { challengeOf, digest, newHexSecret, sameSecret } from '../store/secrets.ts';
import { timestamp, type Client, type Code, type State } from '../store/state.ts';
import type { Change, Store } from '../store/store.ts';

/** Milliseconds during which a code can be exchanged. */
export const codeLifetime = 60_000;

/** Issues a code for the redirect to the Callback Url. `challenge` is the client's PKCE challenge, if it sent one. */
export function issueCode(
  state: State,
  userId: number,
  client: Client,
  challenge: string | null,
  now: number,
): Change<string> {
  const code = newHexSecret(20);
  const issued: Code = { hash: digest(code), userId, clientId: client.id, expiresAt: now + codeLifetime, challenge };
  return {
    state: { ...state, codes: [...state.codes.filter(({ expiresAt }) => expiresAt > now), issued] },
    result: code,
  };
}

function issueAccessToken(state: State, userId: number, clientId: string): Change<string> {
  const token = newHexSecret(20);
  const issued = { hash: digest(token), userId, clientId, createdAt: timestamp() };
  return { state: { ...state, accessTokens: [...state.accessTokens, issued] }, result: token };
}

/**
 * Exchanges a code, which is used up by that. A code that was shown by its own client with the wrong verifier is used
 * up as well; one shown by another client is not, so that nobody else can spoil it. `result` is the access token, or
 * `undefined` when the parameters do not check out.
 */
function exchange(
  state: State,
  client: Client,
  code: string,
  verifier: string,
  now: number,
): Change<string | undefined> {
  const hash = digest(code);
  const issued = state.codes.find((candidate) => sameSecret(candidate.hash, hash));
  if (issued?.clientId !== client.id) {
    return { state, result: undefined };
  }
  const spent = { ...state, codes: state.codes.filter((candidate) => candidate !== issued) };
  // Without a challenge a verifier is refused: RFC 9700 §4.8.2, PKCE downgrade.
  const proven = issued.challenge === null ? verifier === '' : sameSecret(challengeOf(verifier), issued.challenge);
  return issued.expiresAt > now && proven
    ? issueAccessToken(spent, issued.userId, client.id)
    : { state: spent, result: undefined };
}

/** Adds `POST /token`, `POST /authorize/token` and `POST /authorize`. `now` is the clock, milliseconds since the epoch. */
export function addTokenEndpoints(app: Hono, store: Store, now: () => number): void {
  // Real clients use both paths.
  for (const path of ['/token', '/api/v1/token']) {
    app.post(path, async (c) => {
      const user = await authenticateBasic(c, store.state);
      const { token } = await store.update((state) => obtainToken(state, user.id));
      return c.json({ token });
    });
  }

  app.post('/authorize/token', async (c) => {
    const parameter = await parametersOf(c);
    const accessToken = await store.update((state) => {
      const client = findClient(state, parameter('client_id'), parameter('client_secret'));
      return client === undefined
        ? { state, result: undefined }
        : exchange(state, client, parameter('code'), parameter('code_verifier'), now());
    });
    if (accessToken === undefined) {
      throw new ServiceError(400, 'invalid request');
    }
    return c.json({ access_token: accessToken });
  });

  app.post('/authorize', async (c) => {
    const parameter = await parametersOf(c);
    const accessToken = await store.update((state) => {
      const client = findClient(state, parameter('client_id'), parameter('client_secret'));
      const user = userOfAuthToken(state, parameter('auth_token'));
      return client === undefined || user === undefined
        ? { state, result: undefined }
        : issueAccessToken(state, user.id, client.id);
    });
    if (accessToken === undefined) {
      throw unauthorized('Invalid authentication token.');
    }
    return c.json({ access_token: accessToken });
  });
}
