/** Signed-in browsers: their cookie, and the CSRF token that ties a form to the browser that it was shown in. */
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

import type { User } from '../store/model.ts';
import { createHexSecret, secretsEqual } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';
import { addSession, deleteSession, findUserByToken } from '../store/tokens.ts';
import { HttpError } from './errors.ts';
import { isSecure } from './security.ts';
import { readForm, type ParameterReader } from './receivedRequest.ts';

/** A browser that asks for a page. `csrf` goes into every form and comes back with it. */
interface Browser {
  /** `undefined`: no user is signed in. */
  readonly user: User | undefined;
  readonly csrf: string;
}

/** The context of a page that is for a signed-in user. */
export interface SignedIn {
  Variables: { readonly user: User; readonly csrf: string };
}

/** The context of a form that a signed-in user has sent. */
export interface SentForm {
  Variables: SignedIn['Variables'] & { readonly form: ParameterReader };
}

/** The user who is signed in. */
export function findSignedIn(c: Context, store: Store): User | undefined {
  return findUserByToken(store, 'session', readCookie(c) ?? '');
}

/** Recognises a browser by its cookie, and gives it one when it has none. */
export function identifyBrowser(c: Context, store: Store): Browser {
  return { user: findSignedIn(c, store), csrf: store.sign('csrf', readCookie(c) ?? setFreshCookie(c)) };
}

/**
 * Reads a form that this service showed to the browser that sends it.
 *
 * @throws HttpError 400 when the body is malformed, 403 when this service did not show the form to this browser
 */
export async function readSubmittedForm(
  c: Context,
  store: Store,
): Promise<Browser & { readonly form: ParameterReader }> {
  const fromElsewhere = new HttpError(
    403,
    'This form is out of date or came from another website. Go back, reload the page, and try again.',
  );
  // Under `no-referrer` browsers send `Origin: null` with our own forms, but Sec-Fetch-Site is right.
  const fromOwnPage =
    c.req.header('sec-fetch-site') === 'same-origin' || c.req.header('origin') === new URL(c.req.url).origin;
  // Before anything of the body is read, which takes time.
  if (!fromOwnPage) {
    throw fromElsewhere;
  }
  const form = await readForm(c);
  const browser = identifyBrowser(c, store);
  if (!secretsEqual(form('csrf'), browser.csrf)) {
    throw fromElsewhere;
  }
  return { ...browser, form };
}

/** Gives a page its user; where no user is signed in, it leads to the sign-in page and back. */
export function forSignedIn(store: Store): MiddlewareHandler<SignedIn> {
  return async (c, next) => {
    const { user, csrf } = identifyBrowser(c, store);
    if (user === undefined) {
      return redirectToSignIn(c, c.req.path);
    }
    c.set('user', user);
    c.set('csrf', csrf);
    return next();
  };
}

/**
 * Reads the form of a page, and the signed-in user who sends it.
 *
 * @throws HttpError as {@link readSubmittedForm}, and 403 when no user is signed in
 */
export function readSignedInForm(store: Store): MiddlewareHandler<SentForm> {
  return async (c, next) => {
    const { user, csrf, form } = await readSubmittedForm(c, store);
    if (user === undefined) {
      throw new HttpError(403, 'You’re signed out. Sign in and try again.');
    }
    c.set('user', user);
    c.set('csrf', csrf);
    c.set('form', form);
    await next();
  };
}

/** The redirect to the sign-in page, which leads back to `path`, a path on this service. */
export function redirectToSignIn(c: Context, path: string): Response {
  return c.redirect(`/sign-in?return_to=${encodeURIComponent(path)}`, 303);
}

/** Signs the browser in, under a fresh cookie (no session fixation); the session that it had is over. */
export function startSession(c: Context, store: Store, user: User): void {
  deleteSession(store, readCookie(c) ?? '');
  addSession(store, setFreshCookie(c), user.id);
}

/** Signs the browser out. */
export function endSession(c: Context, store: Store): void {
  const cookie = readCookie(c) ?? '';
  setFreshCookie(c);
  deleteSession(store, cookie);
}

function readCookie(c: Context): string | undefined {
  return isSecure(c) ? getCookie(c, cookieName(c), 'host') : getCookie(c, cookieName(c));
}

function setFreshCookie(c: Context): string {
  const value = createHexSecret(20);
  const options = { httpOnly: true, sameSite: 'Lax', path: '/' } as const;
  // Over TLS a service without TLS at the same port cannot replace the cookie, and needs another one (RFC 6265bis §5.6).
  setCookie(c, cookieName(c), value, isSecure(c) ? { ...options, secure: true, prefix: 'host' } : options);
  return value;
}

/** Cookies are shared by all ports (RFC 6265 §8.5): with the port in the name, two services do not sign each other out. */
function cookieName(c: Context): string {
  return `app_build_session_${new URL(c.req.url).port}`;
}
