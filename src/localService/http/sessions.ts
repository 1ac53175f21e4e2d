/** Signed-in browsers: their cookie, and the CSRF token that ties a form to the browser that it was shown in. */
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

import type { User } from '../store/model.ts';
import { createHexSecret, secretsEqual } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';
import { addSession, deleteSession, findUserOfSession } from '../store/tokens.ts';
import { HttpError } from './errors.ts';
import { isSecure } from './security.ts';
import { readForm, type ParameterReader } from './receivedRequest.ts';

/** A browser that asks for a page. `csrf` goes into every form and comes back with it. */
export interface Browser {
  /** `undefined`: no user is signed in. */
  readonly user: User | undefined;
  readonly csrf: string;
}

/** A browser in which a user is signed in. */
export interface SignedIn extends Browser {
  readonly user: User;
}

/** A form that this service showed to the browser that sends it. */
interface SubmittedForm extends Browser {
  readonly form: ParameterReader;
}

/** Recognises a browser by its cookie, and gives it one when it has none. */
export function identifyBrowser(c: Context, store: Store): Browser {
  const cookie = readCookie(c) ?? setFreshCookie(c);
  return { user: findUserOfSession(store, cookie), csrf: store.sign('csrf', cookie) };
}

/**
 * Reads a form, and which browser sends it.
 *
 * @throws HttpError 400 when the body is malformed, 403 when this service did not show the form to this browser
 */
export async function readSubmittedForm(c: Context, store: Store): Promise<SubmittedForm> {
  const { origin } = new URL(c.req.url);
  // Under `no-referrer` browsers send `Origin: null` with our own forms, but Sec-Fetch-Site is right.
  const fromOwnPage = c.req.header('sec-fetch-site') === 'same-origin' || c.req.header('origin') === origin;
  // Before anything of the body is read, which takes time.
  if (!fromOwnPage) {
    throw formFromElsewhere();
  }
  const form = await readForm(c);
  const browser = identifyBrowser(c, store);
  if (!secretsEqual(form('csrf'), browser.csrf)) {
    throw formFromElsewhere();
  }
  return { ...browser, form };
}

function formFromElsewhere(): HttpError {
  return new HttpError(403, 'This form is out of date or came from elsewhere. Go back, reload the page and try again.');
}

/** The signed-in user, if there is one. */
export function readSignedIn(c: Context, store: Store): SignedIn | undefined {
  const { user, csrf } = identifyBrowser(c, store);
  return user && { user, csrf };
}

/**
 * Reads a form, and the signed-in user who sends it.
 *
 * @throws HttpError as {@link readSubmittedForm}, and 403 when no user is signed in
 */
export async function readSignedInForm(c: Context, store: Store): Promise<SubmittedForm & SignedIn> {
  const { user, csrf, form } = await readSubmittedForm(c, store);
  if (user === undefined) {
    throw new HttpError(403, 'You are signed out. Sign in and try again.');
  }
  return { user, csrf, form };
}

/** Whether a user is signed in. */
export function isSignedIn(c: Context, store: Store): boolean {
  const cookie = readCookie(c);
  return cookie !== undefined && findUserOfSession(store, cookie) !== undefined;
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
