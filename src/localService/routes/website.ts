/** The pages: signing in, allowing a client application, and the account. */
import type { Context, Hono } from 'hono';

import { authorizationPages } from './authorizationPages.ts';
import { accountPages } from './accountPages.ts';
import { userOfPassword } from '../authentication.ts';
import { codeHostingUsername, demoUsername } from '../store/demoData.ts';
import { notFound } from '../errors.ts';
import { stylesheet } from '../pages/stylesheet.ts';
import { signInPage } from '../pages/signIn.ts';
import { formOf } from '../parameters.ts';
import { checkForm, signIn, signOut, visitorOf } from '../sessions.ts';
import type { Store } from '../store/store.ts';

/** Adds the website. `now` is the clock, milliseconds since the epoch. */
export function addWebsite(app: Hono, store: Store, now: () => number): void {
  app.get('/', (c) => c.redirect('/account', 303));
  app.get('/stylesheet.css', (c) => c.body(stylesheet, 200, { 'Content-Type': 'text/css; charset=UTF-8' }));

  app.get('/sign-in', (c) => {
    const { csrf } = visitorOf(c, store.state, now());
    return c.html(signInPage({ csrf, returnTo: localPath(c, c.req.query('return_to')) }));
  });

  app.post('/sign-in', async (c) => {
    const visitor = visitorOf(c, store.state, now());
    const form = await formOf(c);
    checkForm(c, visitor, form);
    const returnTo = localPath(c, form('return_to'));
    const user = await userOfPassword(store.state, form('username'), form('password'));
    if (user === undefined) {
      const fault = 'The user name or the password is not right.';
      return c.html(signInPage({ csrf: visitor.csrf, returnTo, username: form('username'), fault }), 401);
    }
    await signIn(c, store, user, now());
    return c.redirect(returnTo, 303);
  });

  // The demo users need no password here: a service for trying things out should take one click.
  for (const [path, username] of [
    ['/sign-in/demo', demoUsername],
    ['/sign-in/code-hosting', codeHostingUsername],
  ] as const) {
    app.post(path, async (c) => {
      const form = await formOf(c);
      checkForm(c, visitorOf(c, store.state, now()), form);
      const user = store.state.users.find((candidate) => candidate.username === username);
      if (user === undefined) {
        throw notFound('There is no such demo user.');
      }
      await signIn(c, store, user, now());
      return c.redirect(localPath(c, form('return_to')), 303);
    });
  }

  app.post('/sign-out', async (c) => {
    checkForm(c, visitorOf(c, store.state, now()), await formOf(c));
    await signOut(c, store);
    return c.redirect('/sign-in', 303);
  });

  authorizationPages(app, store, now);
  accountPages(app, store, now);
}

/** A path on this service to go on to: anything that leads elsewhere becomes the account page (open redirector). */
function localPath(c: Context, path = ''): string {
  const { origin } = new URL(c.req.url);
  const url = path.startsWith('/') && URL.canParse(path, origin) ? new URL(path, origin) : undefined;
  return url?.origin === origin ? url.pathname + url.search : '/account';
}
