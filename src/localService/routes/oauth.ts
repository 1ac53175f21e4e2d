/** The calls by which a client application gets an access token (contract, endpoints 5 and 6). */
import type { Hono } from 'hono';

import { HttpError, unauthorized } from '../http/errors.ts';
import { readParameters } from '../http/parameters.ts';
import { exchangeAuthToken, exchangeCode } from '../store/grants.ts';
import type { Store } from '../store/store.ts';

/** Adds `POST /authorize/token` and `POST /authorize`. `now` is the clock, milliseconds since the epoch. */
export function addOAuthRoutes(app: Hono, store: Store, now: () => number): void {
  app.post('/authorize/token', async (c) => {
    const parameter = await readParameters(c);
    const accessToken = await exchangeCode(
      store,
      {
        clientId: parameter('client_id'),
        clientSecret: parameter('client_secret'),
        code: parameter('code'),
        codeVerifier: parameter('code_verifier'),
      },
      now(),
    );
    if (accessToken === undefined) {
      throw new HttpError(400, 'invalid request');
    }
    return c.json({ access_token: accessToken });
  });

  app.post('/authorize', async (c) => {
    const parameter = await readParameters(c);
    const accessToken = await exchangeAuthToken(store, {
      clientId: parameter('client_id'),
      clientSecret: parameter('client_secret'),
      authToken: parameter('auth_token'),
    });
    if (accessToken === undefined) {
      throw unauthorized('Invalid authentication token.');
    }
    return c.json({ access_token: accessToken });
  });
}
