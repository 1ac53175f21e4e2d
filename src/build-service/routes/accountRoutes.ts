/** Serves the account pages: profile, authentication tokens, client applications, and authorized applications. */
import type { Context, Hono } from 'hono';

import { notFound } from '../http/errors.ts';
import type { ParameterReader } from '../http/receivedRequest.ts';
import { forSignedIn, readSignedInForm, type SentForm, type SignedIn } from '../http/sessions.ts';
import { MAX_NAME_LENGTH } from '../limits.ts';
import { accountPage, clientFormPage, clientSecretPage } from '../pages/accountPage.ts';
import type { FieldFault } from '../pages/layout.ts';
import {
  createAuthToken,
  deleteAuthToken,
  findActingClients,
  findAuthTokens,
  resetAuthToken,
  revokeGrants,
} from '../store/tokens.ts';
import type { Client, User } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import {
  changeEmail,
  type ClientRegistration,
  deleteClient,
  editClient,
  findClient,
  findUserClients,
  isEmailAddress,
  registerClient,
  resetClientSecret,
  validateRegistration,
} from '../store/users.ts';

/** Adds the account pages. */
export function addAccountPages(app: Hono, store: Store): void {
  const signedIn = forSignedIn(store);
  const sent = readSignedInForm(store);
  const showAccount = (c: Context<SignedIn> | Context<SentForm>, fault?: FieldFault): Response | Promise<Response> => {
    const { user, csrf } = c.var;
    const tokens = findAuthTokens(store, user.id);
    const clients = findUserClients(store, user.id);
    const actingClients = findActingClients(store, user.id);
    return c.html(accountPage({ csrf, user, tokens, clients, actingClients, fault }), fault === undefined ? 200 : 400);
  };

  app.get('/account', signedIn, (c) => showAccount(c));

  app.post('/account/profile', sent, (c) => {
    const email = c.var.form('email').trim();
    if (!isEmailAddress(email)) {
      return showAccount(c, { field: 'email', text: 'Enter an email address, such as name@example.com.' });
    }
    return changeEmail(store, c.var.user.id, email)
      ? c.redirect('/account', 303)
      : showAccount(c, { field: 'email', text: 'Another account uses this email address.' });
  });

  app.post('/account/tokens', sent, (c) => {
    const name = c.var.form('name').trim();
    if (name === '' || name.length > MAX_NAME_LENGTH) {
      const text = `Enter a name of at most ${MAX_NAME_LENGTH} characters.`;
      return showAccount(c, { field: 'token-name', text });
    }
    createAuthToken(store, c.var.user.id, name);
    return c.redirect('/account#tokens', 303);
  });
  for (const [path, change, section] of [
    ['/account/tokens/:id/reset', resetAuthToken, 'tokens'],
    ['/account/tokens/:id/delete', deleteAuthToken, 'tokens'],
    ['/account/applications/:id/revoke', revokeGrants, 'applications'],
  ] as const) {
    app.post(path, sent, (c) => {
      change(store, c.var.user.id, c.req.param('id'));
      return c.redirect(`/account#${section}`, 303);
    });
  }

  app.get('/account/clients/new', signedIn, (c) =>
    c.html(clientFormPage({ csrf: c.var.csrf, values: { name: '', mainUrl: '', callbackUrl: '' } })),
  );
  app.post('/account/clients', sent, (c) => {
    const { user, csrf, form } = c.var;
    const values = readRegistration(form);
    const fault = validateRegistration(values);
    return fault === undefined
      ? c.html(clientSecretPage(registerClient(store, user.id, values)))
      : c.html(clientFormPage({ csrf, values, fault }), 400);
  });
  app.get('/account/clients/:id', signedIn, (c) => {
    const client = requireOwnClient(store, c.var.user, c.req.param('id'));
    return c.html(clientFormPage({ csrf: c.var.csrf, client, values: client }));
  });
  app.post('/account/clients/:id', sent, (c) => {
    const { user, csrf, form } = c.var;
    const client = requireOwnClient(store, user, c.req.param('id'));
    const values = readRegistration(form);
    const fault = validateRegistration(values);
    if (fault !== undefined) {
      return c.html(clientFormPage({ csrf, client, values, fault }), 400);
    }
    editClient(store, client.id, values);
    return c.redirect('/account#clients', 303);
  });
  app.post('/account/clients/:id/secret', sent, (c) => {
    const client = requireOwnClient(store, c.var.user, c.req.param('id'));
    return c.html(clientSecretPage(resetClientSecret(store, client)));
  });
  app.post('/account/clients/:id/delete', sent, (c) => {
    deleteClient(store, requireOwnClient(store, c.var.user, c.req.param('id')).id);
    return c.redirect('/account#clients', 303);
  });
}

/**
 * Returns one of the user's clients.
 *
 * @throws HttpError 404 if the client doesn't exist or belongs to another user
 */
function requireOwnClient(store: Store, user: User, id: string): Client {
  const client = findClient(store, id);
  if (client?.ownerId !== user.id) {
    throw notFound('You don’t have an application with this client ID.');
  }
  return client;
}

function readRegistration(form: ParameterReader): ClientRegistration {
  return { name: form('name').trim(), mainUrl: form('main_url').trim(), callbackUrl: form('callback_url').trim() };
}
