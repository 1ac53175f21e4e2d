/** The calls by which a client application gets an access token (contract, endpoints 5 and 6). */
import type { Context, Hono } from 'hono';

import { HttpError, unauthorized } from '../http/errors.ts';
import { readParameters, type ParameterReader } from '../http/parameters.ts';
import { exchangeAuthToken, exchangeCode } from '../store/grants.ts';
import type { Store } from '../store/store.ts';

/** Adds `POST /authorize/token` and `POST /authorize`. `now` is the clock, milliseconds since the epoch. */
export function addOAuthRoutes(app: Hono, store: Store, now: () => number): void {
  app.post('/authorize/token', (c) =>
    answerExchange(
      c,
      (parameter) =>
        exchangeCode(
          store,
          {
            clientId: parameter('client_id'),
            clientSecret: parameter('client_secret'),
            code: parameter('code'),
            codeVerifier: parameter('code_verifier'),
            redirectUri: parameter('redirect_uri'),
          },
          now(),
        ),
      new HttpError(400, 'invalid request'),
    ),
  );

  app.post('/authorize', (c) =>
    answerExchange(
      c,
      (parameter) =>
        exchangeAuthToken(store, {
          clientId: parameter('client_id'),
          clientSecret: parameter('client_secret'),
          authToken: parameter('auth_token'),
        }),
      unauthorized(c, 'Invalid authentication token.'),
    ),
  );
}

/**
 * Answers with the access token that `exchange` returns.
 *
 * @throws `refusal` when the parameters do not check out, which those of a malformed form never do (contract, Errors, 4)
 */
async function answerExchange(
  c: Context,
  exchange: (parameter: ParameterReader) => string | undefined,
  refusal: HttpError,
): Promise<Response> {
  const parameter = await readParameters(c).catch((error: unknown) => {
    throw error instanceof HttpError && error.status === 400 ? refusal : error;
  });
  const accessToken = exchange(parameter);
  if (accessToken === undefined) {
    throw refusal;
  }
  return c.json({ access_token: accessToken });
}
