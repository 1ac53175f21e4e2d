/** The account pages: profile, authentication tokens, client applications, and the applications that act for the user. */
import type { Context, Hono } from 'hono';

import { notFound } from '../http/errors.ts';
import type { ParameterReader } from '../http/receivedRequest.ts';
import { readSignedIn, readSignedInForm, type SignedIn } from '../http/sessions.ts';
import { MAX_NAME_LENGTH } from '../limits.ts';
import { accountPage, clientFormPage, clientSecretPage } from '../pages/account.ts';
import type { FieldFault } from '../pages/layout.ts';
import {
  createAuthToken,
  deleteAuthToken,
  findActingClients,
  findAuthTokens,
  resetAuthToken,
  revokeGrants,
} from '../store/tokens.ts';
import {
  deleteClient,
  editClient,
  findClient,
  findClientsOf,
  registerClient,
  validateRegistration,
  resetClientSecret,
  type ClientRegistration,
} from '../store/clients.ts';
import type { Client, User } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import { changeEmail, isEmailAddress } from '../store/users.ts';
import { redirectToSignIn } from './signIn.ts';

/** Adds the account pages. */
export function addAccountPages(app: Hono, store: Store): void {
  const readUser = (c: Context): SignedIn | undefined => readSignedIn(c, store);
  const readUserAndForm = (c: Context): ReturnType<typeof readSignedInForm> => readSignedInForm(c, store);
  const showAccount = (c: Context, { user, csrf }: SignedIn, fault?: FieldFault): Response | Promise<Response> =>
    c.html(
      accountPage({
        csrf,
        user,
        tokens: findAuthTokens(store, user.id),
        clients: findClientsOf(store, user.id),
        actingClients: findActingClients(store, user.id),
        fault,
      }),
      fault === undefined ? 200 : 400,
    );

  app.get('/account', (c) => {
    const signedIn = readUser(c);
    return signedIn === undefined ? redirectToSignIn(c, c.req.path) : showAccount(c, signedIn);
  });

  app.post('/account/profile', async (c) => {
    const { form, ...signedIn } = await readUserAndForm(c);
    const email = form('email').trim();
    if (!isEmailAddress(email)) {
      return showAccount(c, signedIn, { field: 'email', text: 'This is not an e-mail address.' });
    }
    return changeEmail(store, signedIn.user.id, email)
      ? c.redirect('/account', 303)
      : showAccount(c, signedIn, { field: 'email', text: 'Somebody else uses this e-mail address.' });
  });

  app.post('/account/tokens', async (c) => {
    const { form, ...signedIn } = await readUserAndForm(c);
    const name = form('name').trim();
    if (name === '' || name.length > MAX_NAME_LENGTH) {
      const text = `Give the token a name of at most ${MAX_NAME_LENGTH} characters.`;
      return showAccount(c, signedIn, { field: 'token-name', text });
    }
    createAuthToken(store, signedIn.user.id, name);
    return c.redirect('/account#tokens', 303);
  });
  for (const [path, change, section] of [
    ['/account/tokens/:id/reset', resetAuthToken, 'tokens'],
    ['/account/tokens/:id/delete', deleteAuthToken, 'tokens'],
    ['/account/applications/:id/revoke', revokeGrants, 'applications'],
  ] as const) {
    app.post(path, async (c) => {
      const { user } = await readUserAndForm(c);
      change(store, user.id, c.req.param('id'));
      return c.redirect(`/account#${section}`, 303);
    });
  }

  app.get('/account/clients/new', (c) => {
    const signedIn = readUser(c);
    const values = { name: '', mainUrl: '', callbackUrl: '' };
    return signedIn === undefined
      ? redirectToSignIn(c, c.req.path)
      : c.html(clientFormPage({ csrf: signedIn.csrf, values }));
  });
  app.post('/account/clients', async (c) => {
    const { user, csrf, form } = await readUserAndForm(c);
    const values = readRegistration(form);
    const fault = validateRegistration(values);
    return fault === undefined
      ? c.html(clientSecretPage(registerClient(store, user.id, values)))
      : c.html(clientFormPage({ csrf, values, fault }), 400);
  });
  app.get('/account/clients/:id', (c) => {
    const signedIn = readUser(c);
    if (signedIn === undefined) {
      return redirectToSignIn(c, c.req.path);
    }
    const client = requireOwnClient(store, signedIn.user, c.req.param('id'));
    return c.html(clientFormPage({ csrf: signedIn.csrf, client, values: client }));
  });
  app.post('/account/clients/:id', async (c) => {
    const { user, csrf, form } = await readUserAndForm(c);
    const client = requireOwnClient(store, user, c.req.param('id'));
    const values = readRegistration(form);
    const fault = validateRegistration(values);
    if (fault !== undefined) {
      return c.html(clientFormPage({ csrf, client, values, fault }), 400);
    }
    editClient(store, client.id, values);
    return c.redirect('/account#clients', 303);
  });
  app.post('/account/clients/:id/secret', async (c) => {
    const { user } = await readUserAndForm(c);
    const client = requireOwnClient(store, user, c.req.param('id'));
    return c.html(clientSecretPage(resetClientSecret(store, client)));
  });
  app.post('/account/clients/:id/delete', async (c) => {
    const { user } = await readUserAndForm(c);
    const client = requireOwnClient(store, user, c.req.param('id'));
    deleteClient(store, client.id);
    return c.redirect('/account#clients', 303);
  });
}

/** @throws HttpError 404, for a client of another user too */
function requireOwnClient(store: Store, user: User, id: string): Client {
  const client = findClient(store, id);
  if (client?.ownerId !== user.id) {
    throw notFound('You have no client application with this ID.');
  }
  return client;
}

function readRegistration(form: ParameterReader): ClientRegistration {
  return { name: form('name').trim(), mainUrl: form('main_url').trim(), callbackUrl: form('callback_url').trim() };
}
