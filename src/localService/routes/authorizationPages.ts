/** The web flow in the browser (contract, endpoint 4). */
import type { Context, Hono } from 'hono';

import { ServiceError } from '../errors.ts';
import { pagePolicy } from '../guards.ts';
import { issueCode } from './oauth.ts';
import { consentPage } from '../pages/consent.ts';
import { formOf, type Parameters } from '../parameters.ts';
import { checkForm, visitorOf } from '../sessions.ts';
import type { Client, State } from '../store/state.ts';
import type { Store } from '../store/store.ts';

/** What a client asks for with `GET /authorize`. */
interface Request {
  readonly client: Client;
  readonly challenge: string | undefined;
}

/** Adds `GET /authorize` and the answer to its form. */
export function authorizationPages(app: Hono, store: Store, now: () => number): void {
  app.get('/authorize', (c) => {
    const { client, challenge } = readRequest(store.state, (name) => c.req.query(name) ?? '');
    const { user, csrf } = visitorOf(c, store.state, now());
    if (user === undefined) {
      const { pathname, search } = new URL(c.req.url);
      return c.redirect(`/sign-in?return_to=${encodeURIComponent(pathname + search)}`, 303);
    }
    // Without form-action: Chromium applies it to the redirect that follows the form too, and the Callback Url may have
    // any scheme and redirect again. The page shows nothing unescaped, and runs no script that could add a form.
    c.header('Content-Security-Policy', pagePolicy());
    return c.html(consentPage({ csrf, user, client, state: c.req.query('state'), challenge }));
  });

  app.post('/authorize/decision', async (c) => {
    const form = await formOf(c);
    const visitor = visitorOf(c, store.state, now());
    checkForm(c, visitor, form);
    const { user } = visitor;
    if (user === undefined) {
      throw new ServiceError(403, 'You are signed out. Start again from the application.');
    }
    const { client, challenge } = readRequest(store.state, form);
    const decision = form('decision');
    if (decision === 'deny') {
      return answer(c, client, { error: 'authorization_refused' }, form('state'));
    }
    if (decision !== 'allow') {
      throw new ServiceError(400, 'The decision must be to allow or to deny.');
    }
    const code = await store.update((state) => issueCode(state, user.id, client, challenge ?? null, now()));
    return answer(c, client, { code }, form('state'));
  });
}

/**
 * Checks what a client asks for. A fault is shown to the person and never redirected: the address to redirect to is
 * not to be trusted then (RFC 6749 §4.1.2.1).
 *
 * @throws ServiceError 400
 */
function readRequest(state: State, parameter: Parameters): Request {
  const client = state.clients.find(({ id }) => id === parameter('client_id'));
  if (client === undefined) {
    throw new ServiceError(
      400,
      'No application is registered with this client_id. Check the Client ID in the application.',
    );
  }
  const redirectUri = parameter('redirect_uri');
  if (redirectUri !== '' && redirectUri !== client.callbackUrl) {
    throw new ServiceError(400, 'The redirect_uri is not the Callback Url that is registered for this application.');
  }
  const challenge = parameter('code_challenge');
  const method = parameter('code_challenge_method');
  if (challenge !== '' && ((method !== 'S256' && method !== '') || !/^[\w-]{43}$/.test(challenge))) {
    throw new ServiceError(400, 'The code_challenge must be made with the code_challenge_method S256.');
  }
  return { client, challenge: challenge === '' ? undefined : challenge };
}

/** Redirects to the Callback Url, whose own query is kept as it is registered. */
function answer(
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
