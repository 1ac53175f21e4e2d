/** Signed-in browsers: their cookie, and the CSRF token that ties a form to the browser that it was shown in. */
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

import type { SignedIn } from '../pages/layout.ts';
import { addBrowserSession, deleteBrowserSession, findUserOfSession } from '../store/browserSessions.ts';
import type { User } from '../store/model.ts';
import { createHexSecret, secretsEqual } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';
import { HttpError } from './errors.ts';
import { isSecure } from './origin.ts';
import { readForm, type ParameterReader } from './parameters.ts';

/** Until a browser has to sign in again. */
const SESSION_LIFETIME_MS = 12 * 60 * 60_000;

/** A browser that looks at a page. `csrf` goes into every form and comes back with it. */
export interface Visitor {
  readonly user: User | undefined;
  readonly csrf: string;
}

/** A form that this service showed to the browser that sends it. */
export interface SubmittedForm extends Visitor {
  readonly form: ParameterReader;
}

/** Who looks at a page. Sets the cookie of a browser that comes for the first time. `now` in milliseconds since the epoch. */
export function readVisitor(c: Context, store: Store, now: number): Visitor {
  const cookie = readCookie(c) ?? setFreshCookie(c);
  return { user: findUserOfSession(store, cookie, now), csrf: store.sign('csrf', cookie) };
}

/**
 * Reads a form, and who sends it. `now` in milliseconds since the epoch.
 *
 * @throws HttpError 400 when the body is malformed, 403 when this service did not show the form to this browser
 */
export async function readSubmittedForm(c: Context, store: Store, now: number): Promise<SubmittedForm> {
  const form = await readForm(c);
  const visitor = readVisitor(c, store, now);
  const { origin } = new URL(c.req.url);
  // Under `no-referrer` browsers send `Origin: null` with our own forms, but Sec-Fetch-Site tells.
  const fromOwnPage = c.req.header('sec-fetch-site') === 'same-origin' || c.req.header('origin') === origin;
  if (!fromOwnPage || !secretsEqual(form('csrf'), visitor.csrf)) {
    throw new HttpError(
      403,
      'This form is out of date or came from elsewhere. Go back, reload the page and try again.',
    );
  }
  return { ...visitor, form };
}

/** The signed-in user who looks at a page. `now` in milliseconds since the epoch. */
export function readSignedIn(c: Context, store: Store, now: number): SignedIn | undefined {
  const { user, csrf } = readVisitor(c, store, now);
  return user && { user, csrf };
}

/**
 * Reads a form, and the signed-in user who sends it. `now` in milliseconds since the epoch.
 *
 * @throws HttpError as {@link readSubmittedForm}, and 403 when nobody is signed in
 */
export async function readSignedInForm(
  c: Context,
  store: Store,
  now: number,
): Promise<SignedIn & { readonly form: ParameterReader }> {
  const { user, csrf, form } = await readSubmittedForm(c, store, now);
  if (user === undefined) {
    throw new HttpError(403, 'You are signed out. Sign in and try again.');
  }
  return { user, csrf, form };
}

/** Whether somebody is signed in. `now` in milliseconds since the epoch. */
export function isSignedIn(c: Context, store: Store, now: number): boolean {
  const cookie = readCookie(c);
  return cookie !== undefined && findUserOfSession(store, cookie, now) !== undefined;
}

/** Signs the browser in, under a fresh cookie (no session fixation). `now` in milliseconds since the epoch. */
export function startSession(c: Context, store: Store, user: User, now: number): void {
  addBrowserSession(store, { cookie: setFreshCookie(c), userId: user.id, expiresAt: now + SESSION_LIFETIME_MS }, now);
}

/** Signs the browser out. */
export function endSession(c: Context, store: Store): void {
  const cookie = readCookie(c) ?? '';
  setFreshCookie(c);
  deleteBrowserSession(store, cookie);
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

/** Cookies do not tell ports apart (RFC 6265 §8.5); the name does, so that two services do not sign each other out. */
function cookieName(c: Context): string {
  return `app_build_session_${new URL(c.req.url).port}`;
}
