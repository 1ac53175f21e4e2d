/** Signed-in browsers, their cookie, and the tokens that tie a form to the browser it was shown in. */
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

import { ServiceError } from './errors.ts';
import type { Parameters } from './parameters.ts';
import { digest, newHexSecret, sameSecret, sign } from './store/secrets.ts';
import type { State, User } from './store/state.ts';
import type { Store } from './store/store.ts';

/** Milliseconds until a browser has to sign in again. */
const lifetime = 12 * 60 * 60_000;

/** A browser that looks at a page. `csrf` goes into every form and comes back with it. */
export interface Visitor {
  readonly user: User | undefined;
  readonly csrf: string;
}

/** Who looks at a page. Gives a browser that comes for the first time its cookie. */
export function visitorOf(c: Context, state: State, now: number): Visitor {
  const cookie = getCookie(c, cookieName(c)) ?? giveCookie(c);
  const hash = digest(cookie);
  const session = state.sessions.find((candidate) => sameSecret(candidate.hash, hash) && candidate.expiresAt > now);
  return { user: state.users.find(({ id }) => id === session?.userId), csrf: sign(state.signingKey, 'csrf', cookie) };
}

/**
 * Refuses a form that this service did not show to this browser.
 *
 * @throws ServiceError 403
 */
export function checkForm(c: Context, { csrf }: Visitor, form: Parameters): void {
  const origin = new URL(c.req.url).origin;
  // Under `no-referrer` browsers send `Origin: null` with our own forms, but Sec-Fetch-Site tells.
  const ownPage = c.req.header('sec-fetch-site') === 'same-origin' || c.req.header('origin') === origin;
  if (!ownPage || !sameSecret(form('csrf'), csrf)) {
    throw new ServiceError(
      403,
      'This form is out of date or came from elsewhere. Go back, reload the page and try again.',
    );
  }
}

/** Signs the browser in, under a cookie of its own (no session fixation). */
export async function signIn(c: Context, store: Store, user: User, now: number): Promise<void> {
  const session = { hash: digest(giveCookie(c)), userId: user.id, expiresAt: now + lifetime };
  await store.update((state) => ({
    state: { ...state, sessions: [...state.sessions.filter(({ expiresAt }) => expiresAt > now), session] },
    result: undefined,
  }));
}

/** Signs the browser out. */
export async function signOut(c: Context, store: Store): Promise<void> {
  const hash = digest(getCookie(c, cookieName(c)) ?? '');
  giveCookie(c);
  await store.update((state) => ({
    state: { ...state, sessions: state.sessions.filter((session) => session.hash !== hash) },
    result: undefined,
  }));
}

function giveCookie(c: Context): string {
  const value = newHexSecret(20);
  setCookie(c, cookieName(c), value, { httpOnly: true, sameSite: 'Lax', path: '/' });
  return value;
}

/** Cookies do not tell ports apart; the name does, so that two services do not sign each other out. */
function cookieName(c: Context): string {
  return `app_build_session_${new URL(c.req.url).port}`;
}
