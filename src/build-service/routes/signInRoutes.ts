/** Serves the pages for signing in and out, the start page, and the stylesheet. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';

import { notFound } from '../http/errors.ts';
import { isOwnPeer } from '../http/security.ts';
import { endSession, findSignedIn, identifyBrowser, readSubmittedForm, startSession } from '../http/sessions.ts';
import { signInPage } from '../pages/signInPage.ts';
import { localPath } from '../../page-design/index.ts';
import { STYLESHEET } from '../pages/layout.ts';
import { CODE_HOSTING_USERNAME, DEMO_USERNAME } from '../store/demoData.ts';
import { readServiceRow } from '../store/owner.ts';
import type { Store } from '../store/store.ts';
import { createSignInTicket, redeemSignInTicket } from '../store/tokens.ts';
import { findUserByName, findUserByPassword } from '../store/users.ts';

const TICKET_PATH = '/sign-in/ticket';

/** Returns the path of the page to open after signing in. The account page replaces other addresses. */
const pagePath = (address = ''): string => localPath(address, '/account');

/** Adds the pages for signing in and out. */
export function addSignInPages(app: Hono, store: Store): void {
  const hasDemoData = (): boolean => readServiceRow(store).hasDemoData === 1;

  app.get('/', (c) => c.redirect('/account', 303));
  app.get('/stylesheet.css', (c) => c.body(STYLESHEET, 200, { 'Content-Type': 'text/css; charset=UTF-8' }));

  app.get('/sign-in', (c) => {
    const { csrf } = identifyBrowser(c, store);
    return c.html(signInPage({ csrf, returnTo: pagePath(c.req.query('return_to')), demo: hasDemoData() }));
  });

  app.post('/sign-in', async (c) => {
    const { csrf, form } = await readSubmittedForm(c, store);
    const returnTo = pagePath(form('return_to'));
    const user = await findUserByPassword(store, form('username'), form('password'));
    if (user === undefined) {
      const fault = { field: 'password', text: 'Incorrect user name or password.' };
      return c.html(signInPage({ csrf, returnTo, demo: hasDemoData(), username: form('username'), fault }), 401);
    }
    startSession(c, store, user);
    return c.redirect(returnTo, 303);
  });

  // Demo users sign in here without a password, so that trying the service takes one click.
  for (const [path, username] of [
    ['/sign-in/demo', DEMO_USERNAME],
    ['/sign-in/code-hosting', CODE_HOSTING_USERNAME],
  ] as const) {
    app.post(path, async (c) => {
      const { form } = await readSubmittedForm(c, store);
      // If the data isn't demo data, a user with this name needs a password.
      const user = hasDemoData() ? findUserByName(store, username) : undefined;
      if (user === undefined) {
        throw notFound('This service doesn’t have demo users. Sign in with a user name and password.');
      }
      startSession(c, store, user);
      return c.redirect(pagePath(form('return_to')), 303);
    });
  }

  app.get(TICKET_PATH, async (c) => {
    const path = Buffer.from(c.req.query('path') ?? '', 'base64url').toString();
    const returnTo = pagePath(path);
    // Another user of this computer may have read the address, or a program may open it for a preview. The ticket stays
    // valid in both cases.
    const mayRedeem = c.req.method === 'GET' && (await isOwnPeer((c.env as HttpBindings).incoming.socket));
    const user = mayRedeem ? redeemSignInTicket(store, c.req.query('ticket') ?? '', returnTo) : undefined;
    // If a user is already signed in, keep that session, because the user chose that account in this browser.
    if (user !== undefined && findSignedIn(c, store) === undefined) {
      startSession(c, store, user);
    }
    return c.redirect(returnTo, 303);
  });

  app.post('/sign-out', async (c) => {
    await readSubmittedForm(c, store);
    endSession(c, store);
    return c.redirect('/sign-in', 303);
  });
}

/**
 * Returns the address of a page that signs a browser in as the owner and then opens `path`. The address works once,
 * within two minutes.
 *
 * @param baseUrl base URL of the service
 * @param path path on this service. Any other address is replaced by the account page
 */
export function ticketUrl(store: Store, baseUrl: string, path: string): string {
  const returnTo = pagePath(path);
  const ticket = createSignInTicket(store, readServiceRow(store).ownerId, returnTo);
  // VS Code decodes the query before it opens the browser, which would break a path that's encoded twice.
  return `${baseUrl}${TICKET_PATH}?ticket=${ticket}&path=${Buffer.from(returnTo).toString('base64url')}`;
}
