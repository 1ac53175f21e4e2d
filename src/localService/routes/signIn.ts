/** The pages by which a browser signs in and out, the root, and the stylesheet. */
import type { Context, Hono } from 'hono';

import { notFound } from '../http/errors.ts';
import { endSession, readSubmittedForm, readVisitor, startSession } from '../http/sessions.ts';
import { signInPage } from '../pages/signIn.ts';
import { STYLESHEET } from '../pages/stylesheet.ts';
import { CODE_HOSTING_USERNAME, DEMO_USERNAME } from '../store/demoData.ts';
import type { Store } from '../store/store.ts';
import { findUserByName, findUserByPassword } from '../store/users.ts';

/** Adds the pages. `now` is the clock, milliseconds since the epoch. */
export function addSignInPages(app: Hono, store: Store, now: () => number): void {
  app.get('/', (c) => c.redirect('/account', 303));
  app.get('/stylesheet.css', (c) => c.body(STYLESHEET, 200, { 'Content-Type': 'text/css; charset=UTF-8' }));

  app.get('/sign-in', (c) => {
    const { csrf } = readVisitor(c, store, now());
    return c.html(signInPage({ csrf, returnTo: localPath(c, c.req.query('return_to')) }));
  });

  app.post('/sign-in', async (c) => {
    const { csrf, form } = await readSubmittedForm(c, store, now());
    const returnTo = localPath(c, form('return_to'));
    const user = await findUserByPassword(store, form('username'), form('password'));
    if (user === undefined) {
      const fault = { field: 'password', text: 'The user name or the password is not right.' };
      return c.html(signInPage({ csrf, returnTo, username: form('username'), fault }), 401);
    }
    startSession(c, store, user, now());
    return c.redirect(returnTo, 303);
  });

  // The demo users need no password here: a service for trying things out should take one click.
  for (const [path, username] of [
    ['/sign-in/demo', DEMO_USERNAME],
    ['/sign-in/code-hosting', CODE_HOSTING_USERNAME],
  ] as const) {
    app.post(path, async (c) => {
      const { form } = await readSubmittedForm(c, store, now());
      const user = findUserByName(store, username);
      if (user === undefined) {
        throw notFound('There is no such demo user.');
      }
      startSession(c, store, user, now());
      return c.redirect(localPath(c, form('return_to')), 303);
    });
  }

  app.post('/sign-out', async (c) => {
    await readSubmittedForm(c, store, now());
    endSession(c, store);
    return c.redirect('/sign-in', 303);
  });
}

/** The redirect to the sign-in page, which leads back to `path`, a path on this service. */
export function redirectToSignIn(c: Context, path: string): Response {
  return c.redirect(`/sign-in?return_to=${encodeURIComponent(path)}`, 303);
}

/** A path on this service to go on to: anything that leads elsewhere becomes the account page (open redirector). */
function localPath(c: Context, path = ''): string {
  const { origin } = new URL(c.req.url);
  const url = path.startsWith('/') && URL.canParse(path, origin) ? new URL(path, origin) : undefined;
  return url?.origin === origin ? url.pathname + url.search : '/account';
}
