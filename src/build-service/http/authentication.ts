/** Determines the user of an API call (contract, Authentication). */
import type { Context, MiddlewareHandler } from 'hono';

import { findUserByToken } from '../store/tokens.ts';
import type { User } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import { findUserByPassword } from '../store/users.ts';
import { HttpError, unauthorized, wantsJsonp } from './errors.ts';

/** Context of the routes that require a user. See {@link requireUser}. */
export interface Authenticated {
  Variables: { readonly user: User };
}

/** Returns middleware that sets the user of a request, and rejects a request without valid authentication with 401. */
export function requireUser(store: Store): MiddlewareHandler<Authenticated> {
  return async (c, next) => {
    c.set('user', await authenticate(c, store));
    await next();
  };
}

/**
 * Returns the user that `access_token`, `auth_token`, or the Authorization header identifies. Only the first of these
 * that's present is used. The header can be basic authentication, or have the `token` scheme that real clients send.
 */
async function authenticate(c: Context, store: Store): Promise<User> {
  const { access_token: accessToken, auth_token: authToken } = c.req.query();
  const token = /^token +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  let user: User | undefined;
  if (accessToken !== undefined) {
    user = findUserByToken(store, 'access', accessToken);
  } else if (authToken !== undefined) {
    user = findUserByToken(store, 'auth', authToken);
  } else if (token === undefined) {
    return authenticateBasic(c, store);
  } else {
    user = findUserByToken(store, 'auth', token) ?? findUserByToken(store, 'access', token);
  }
  if (user === undefined) {
    throw unauthorized(c, 'Invalid authentication token.');
  }
  return user;
}

/**
 * Returns the user identified by basic authentication (RFC 7617), the only method that `POST /token` accepts. Rejects
 * requests from other websites, because a browser that remembers the password would send it along with those websites'
 * forms and script tags. With script tags (JSONP), the websites could also read the response.
 *
 * @throws HttpError 401, 403
 */
export async function authenticateBasic(c: Context, store: Store): Promise<User> {
  const encoded = /^basic +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (encoded === undefined) {
    throw unauthorized(c, 'Authentication required.');
  }
  if (isFromAnotherWebsite(c)) {
    throw new HttpError(403, 'Basic authentication isn’t accepted from another website. Use a token.');
  }
  const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  const user = await findUserByPassword(store, name, password);
  if (user === undefined) {
    throw unauthorized(c, 'Invalid email or password.');
  }
  return user;
}

/**
 * Reports whether a request comes from another website's page and can either change something or let that page read the
 * response.
 */
export function isFromAnotherWebsite(c: Context): boolean {
  if ((c.req.method === 'GET' || c.req.method === 'HEAD') && !wantsJsonp(c)) {
    return false;
  }
  const site = c.req.header('sec-fetch-site') ?? 'none';
  // Script tags send Referer but not Origin. Programs don't send either.
  const page = c.req.header('origin') ?? c.req.header('referer');
  // With the policy `no-referrer`, browsers send `Origin: null` even for this service's own forms.
  return site === 'none'
    ? page !== undefined && URL.parse(page)?.origin !== new URL(c.req.url).origin
    : site !== 'same-origin';
}
