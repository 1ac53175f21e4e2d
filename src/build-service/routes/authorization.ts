/**
 * Issues tokens. Serves the pages where a user allows or denies a client application (contract, endpoint 4), and the
 * calls that return tokens to clients (endpoints 3, 5, and 6).
 */
import type { Context, Hono } from 'hono';

import { authenticateBasic, isFromAnotherWebsite } from '../http/authentication.ts';
import { HttpError, unauthorized } from '../http/errors.ts';
import { readParameters, type ParameterReader } from '../http/receivedRequest.ts';
import { CONSENT_PAGE_POLICY } from '../http/security.ts';
import { identifyBrowser, readSubmittedForm, redirectToSignIn } from '../http/sessions.ts';
import { consentPage } from '../pages/signInPage.ts';
import { findClient } from '../store/users.ts';
import type { Client } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import { exchangeAuthToken, exchangeCode, issueCode, obtainAuthToken } from '../store/tokens.ts';

/** A client application's request for authorization. */
interface AuthorizationRequest {
  readonly client: Client;
  /** PKCE challenge of the S256 method (RFC 7636 §4.3). */
  readonly challenge: string | undefined;
  readonly redirectUri: string | undefined;
}

/**
 * Adds the routes under `/authorize`, and `POST /token`. Must be called before the API is added, because the API covers
 * one of these paths but requires other credentials.
 */
export function addAuthorizationRoutes(app: Hono, store: Store): void {
  app.get('/authorize', (c) => {
    const request = readAuthorizationRequest(store, (name) => c.req.query(name) ?? '');
    const { user, csrf } = identifyBrowser(c, store);
    if (user === undefined) {
      const { pathname, search } = new URL(c.req.url);
      return redirectToSignIn(c, pathname + search);
    }
    c.header('Content-Security-Policy', CONSENT_PAGE_POLICY);
    return c.html(consentPage({ csrf, user, state: c.req.query('state'), ...request }));
  });

  app.post('/authorize/decision', async (c) => {
    const { user, form } = await readSubmittedForm(c, store);
    if (user === undefined) {
      throw new HttpError(403, 'You’re signed out. Start again from the application.');
    }
    const { client, challenge = null, redirectUri = null } = readAuthorizationRequest(store, form);
    const decision = form('decision');
    if (decision === 'deny') {
      return redirectToCallback(c, client, { error: 'authorization_refused' }, form('state'));
    }
    if (decision !== 'allow') {
      throw new HttpError(400, 'Choose Allow or Deny. Start again from the application.');
    }
    const code = issueCode(store, { userId: user.id, clientId: client.id, challenge, redirectUri });
    return redirectToCallback(c, client, { code }, form('state'));
  });

  app.post('/authorize/token', (c) =>
    answerExchange(c, new HttpError(400, 'invalid request'), (parameter) =>
      exchangeCode(store, {
        clientId: parameter('client_id'),
        clientSecret: parameter('client_secret'),
        code: parameter('code'),
        codeVerifier: parameter('code_verifier'),
        redirectUri: parameter('redirect_uri'),
      }),
    ),
  );

  app.post('/authorize', (c) =>
    answerExchange(c, unauthorized(c, 'Invalid authentication token.'), (parameter) => {
      const client = { clientId: parameter('client_id'), clientSecret: parameter('client_secret') };
      return exchangeAuthToken(store, client, parameter('auth_token'));
    }),
  );

  // Real clients use both paths.
  for (const path of ['/token', '/api/v1/token']) {
    app.post(path, async (c) => {
      const user = await authenticateBasic(c, store);
      const { token } = obtainAuthToken(store, user.id);
      return c.json({ token });
    });
  }
}

/**
 * Validates a client's request. Errors are shown to the user instead of being redirected, because the redirect address
 * can't be trusted in that case (RFC 6749 §4.1.2.1).
 *
 * @throws HttpError 400
 */
function readAuthorizationRequest(store: Store, parameter: ParameterReader): AuthorizationRequest {
  const client = findClient(store, parameter('client_id'));
  if (client === undefined) {
    throw new HttpError(
      400,
      'No application is registered with this client_id. Check the client ID in the application’s settings.',
    );
  }
  const redirectUri = parameter('redirect_uri');
  if (redirectUri !== '' && redirectUri !== client.callbackUrl) {
    throw new HttpError(
      400,
      'The redirect_uri doesn’t match the callback URL of this application. Check both in the application’s settings.',
    );
  }
  const challenge = parameter('code_challenge');
  const method = parameter('code_challenge_method');
  if (challenge !== '' && ((method !== 'S256' && method !== '') || !/^[\w-]{43}$/.test(challenge))) {
    throw new HttpError(400, 'The code_challenge requires the code_challenge_method S256.');
  }
  return { client, challenge: challenge || undefined, redirectUri: redirectUri || undefined };
}

/** Redirects to the callback URL, with its registered query and the given parameters. Omits an empty `state`. */
function redirectToCallback(
  c: Context,
  { callbackUrl }: Client,
  parameters: Readonly<Record<string, string>>,
  state: string,
): Response {
  const all = Object.entries({ ...parameters, ...(state === '' ? {} : { state }) });
  const query = all.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const separator = callbackUrl.includes('?') ? '&' : '?';
  return c.newResponse(null, 303, { Location: `${callbackUrl}${separator}${query}` });
}

/**
 * Responds with the access token that `exchange` returns.
 *
 * @throws `refusal` if the parameters are invalid, if the form is malformed (contract, Errors, 4), or if another
 * website sent the request. In that case, the body isn't read
 */
async function answerExchange(
  c: Context,
  refusal: HttpError,
  exchange: (parameter: ParameterReader) => string | undefined,
): Promise<Response> {
  if (isFromAnotherWebsite(c)) {
    throw refusal;
  }
  const parameter = await readParameters(c).catch((error: unknown) => {
    throw error instanceof HttpError && error.status === 400 ? refusal : error;
  });
  const accessToken = exchange(parameter);
  if (accessToken === undefined) {
    throw refusal;
  }
  return c.json({ access_token: accessToken });
}
