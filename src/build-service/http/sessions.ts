/**
 * Manages the sessions of signed-in browsers: the cookie, and the CSRF token that binds a form to the browser that
 * shows it.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

import type { User } from '../store/model.ts';
import { createHexSecret, secretsEqual } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';
import { addSession, deleteSession, findUserByToken } from '../store/tokens.ts';
import { HttpError } from './errors.ts';
import { isSecure } from './security.ts';
import { readForm, type ParameterReader } from './receivedRequest.ts';

/** A browser that requests a page. Every form on the page must contain `csrf`. */
interface BrowserSession {
  /** The signed-in user, if any. */
  readonly user: User | undefined;
  readonly csrf: string;
}

/** Context of a page that requires a signed-in user. */
export interface SignedIn {
  Variables: { readonly user: User; readonly csrf: string };
}

/** Context of a form that a signed-in user submitted. */
export interface SentForm {
  Variables: SignedIn['Variables'] & { readonly form: ParameterReader };
}

/** Returns the signed-in user. */
export function findSignedIn(c: Context, store: Store): User | undefined {
  return findUserByToken(store, 'session', readCookie(c) ?? '');
}

/** Identifies a browser by its cookie. Sets a new cookie if the browser doesn't have one. */
export function identifyBrowser(c: Context, store: Store): BrowserSession {
  return { user: findSignedIn(c, store), csrf: store.sign('csrf', readCookie(c) ?? setFreshCookie(c)) };
}

/**
 * Reads a submitted form. Accepts only forms that this service showed to the same browser.
 *
 * @throws HttpError 400 if the body is malformed, 403 if this service didn't show the form to this browser
 */
export async function readSubmittedForm(
  c: Context,
  store: Store,
): Promise<BrowserSession & { readonly form: ParameterReader }> {
  const fromElsewhere = new HttpError(
    403,
    'This form is out of date or came from another website. Go back, reload the page, and try again.',
  );
  // With the policy `no-referrer`, browsers send `Origin: null` even for the service's own forms. Sec-Fetch-Site is
  // still correct.
  const fromOwnPage =
    c.req.header('sec-fetch-site') === 'same-origin' || c.req.header('origin') === new URL(c.req.url).origin;
  // Check this before reading the body, which takes time.
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

/**
 * Returns middleware that sets the user of a page. If no user is signed in, it redirects to the sign-in page, which
 * then opens the requested page.
 */
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
 * Returns middleware that reads a page's form and sets the signed-in user.
 *
 * @throws HttpError like {@link readSubmittedForm}, and 403 if no user is signed in
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

/** Redirects to the sign-in page, which then opens `path`, a path on this service. */
export function redirectToSignIn(c: Context, path: string): Response {
  return c.redirect(`/sign-in?return_to=${encodeURIComponent(path)}`, 303);
}

/** Signs the browser in and ends its previous session. Sets a new cookie to prevent session fixation. */
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
  // Over TLS, the prefix `__Host-` prevents a service without TLS on the same port from replacing the cookie (RFC
  // 6265bis §5.6).
  setCookie(c, cookieName(c), value, isSecure(c) ? { ...options, secure: true, prefix: 'host' } : options);
  return value;
}

/**
 * Returns the cookie's name, which contains the port. Because all ports share cookies (RFC 6265 §8.5), two services
 * would otherwise sign each other out.
 */
function cookieName(c: Context): string {
  return `app_build_session_${new URL(c.req.url).port}`;
}
