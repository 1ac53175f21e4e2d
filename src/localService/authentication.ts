/** Who a request is from (contract, Authentication). */
import type { Context } from 'hono';

import { userOfAccessToken, userOfAuthToken } from './store/accounts.ts';
import { unauthorized } from './errors.ts';
import { verifyPassword } from './store/secrets.ts';
import type { State, User } from './store/state.ts';

/**
 * The user of an API call: by `access_token`, by `auth_token`, or by the Authorization header (basic, or the scheme
 * `token` that real clients send). The first form that is present decides.
 *
 * @throws ServiceError 401
 */
export async function authenticate(c: Context, state: State): Promise<User> {
  const accessToken = c.req.query('access_token');
  const authToken = c.req.query('auth_token');
  if (accessToken !== undefined) {
    return known(userOfAccessToken(state, accessToken));
  }
  if (authToken !== undefined) {
    return known(userOfAuthToken(state, authToken));
  }
  const token = /^token +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (token !== undefined) {
    return known(userOfAuthToken(state, token) ?? userOfAccessToken(state, token));
  }
  return authenticateBasic(c, state);
}

/**
 * The user by basic authentication alone, as `POST /token` requires.
 *
 * @throws ServiceError 401
 */
export async function authenticateBasic(c: Context, state: State): Promise<User> {
  const encoded = /^basic +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (encoded === undefined) {
    throw unauthorized('Authentication required.');
  }
  const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  const user = await userOfPassword(state, name, password);
  if (user === undefined) {
    throw unauthorized('Invalid email or password.');
  }
  return user;
}

/** The user with this name or e-mail address and password. */
export async function userOfPassword(state: State, name: string, password: string): Promise<User | undefined> {
  const user = state.users.find(({ username, email }) => username === name || email === name);
  return (await verifyPassword(password, user?.password ?? null)) ? user : undefined;
}

function known(user: User | undefined): User {
  if (user === undefined) {
    throw unauthorized('Invalid authentication token.');
  }
  return user;
}
