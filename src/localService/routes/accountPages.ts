/** Account editing: profile, authentication tokens, client applications, and the applications that act for the user. */
import type { Context, Hono } from 'hono';

import {
  createToken,
  deleteClient,
  deleteToken,
  editClient,
  registerClient,
  resetSecret,
  resetToken,
  revokeClient,
  type Registration,
} from '../store/accounts.ts';
import { notFound, ServiceError } from '../errors.ts';
import { accountPage } from '../pages/account.ts';
import { clientFormPage, newSecretPage } from '../pages/clientForm.ts';
import { formOf, type Parameters } from '../parameters.ts';
import { checkForm, visitorOf } from '../sessions.ts';
import { timestamp, type Client, type State, type User } from '../store/state.ts';
import type { Store } from '../store/store.ts';

/** Adds the account pages. */
export function accountPages(app: Hono, store: Store, now: () => number): void {
  const signedIn = (c: Context): { user: User; csrf: string } | undefined => {
    const { user, csrf } = visitorOf(c, store.state, now());
    return user && { user, csrf };
  };
  /** The user who sent a form of ours. */
  const sender = async (c: Context): Promise<{ user: User; csrf: string; form: Parameters }> => {
    const form = await formOf(c);
    const visitor = visitorOf(c, store.state, now());
    checkForm(c, visitor, form);
    if (visitor.user === undefined) {
      throw new ServiceError(403, 'You are signed out. Sign in and try again.');
    }
    return { user: visitor.user, csrf: visitor.csrf, form };
  };
  const toSignIn = (c: Context): Response => c.redirect(`/sign-in?return_to=${encodeURIComponent(c.req.path)}`, 303);

  app.get('/account', (c) => {
    const visitor = signedIn(c);
    return visitor === undefined ? toSignIn(c) : c.html(accountPage({ ...visitor, state: store.state }));
  });

  app.post('/account/profile', async (c) => {
    const { user, csrf, form } = await sender(c);
    const email = form('email').trim();
    const fault = emailFault(store.state, user, email);
    if (fault !== undefined) {
      return c.html(accountPage({ user, csrf, state: store.state, fault }), 400);
    }
    await store.update((state) => ({
      state: {
        ...state,
        users: state.users.map((each) => (each.id === user.id ? { ...each, email, updatedAt: timestamp() } : each)),
      },
      result: undefined,
    }));
    return c.redirect('/account', 303);
  });

  app.post('/account/tokens', async (c) => {
    const { user, csrf, form } = await sender(c);
    const name = form('name').trim();
    if (name === '' || name.length > 100) {
      const fault = 'Give the token a name of at most 100 characters.';
      return c.html(accountPage({ user, csrf, state: store.state, fault }), 400);
    }
    await store.update((state) => createToken(state, user.id, name));
    return c.redirect('/account#tokens', 303);
  });
  app.post('/account/tokens/:id/reset', async (c) => {
    const { user } = await sender(c);
    await store.update((state) => resetToken(state, user.id, c.req.param('id')));
    return c.redirect('/account#tokens', 303);
  });
  app.post('/account/tokens/:id/delete', async (c) => {
    const { user } = await sender(c);
    await store.update((state) => deleteToken(state, user.id, c.req.param('id')));
    return c.redirect('/account#tokens', 303);
  });

  app.post('/account/applications/:id/revoke', async (c) => {
    const { user } = await sender(c);
    await store.update((state) => revokeClient(state, user.id, c.req.param('id')));
    return c.redirect('/account#applications', 303);
  });

  app.get('/account/clients/new', (c) => {
    const visitor = signedIn(c);
    const values = { name: '', mainUrl: '', callbackUrl: '' };
    return visitor === undefined ? toSignIn(c) : c.html(clientFormPage({ csrf: visitor.csrf, values }));
  });
  app.post('/account/clients', async (c) => {
    const { user, csrf, form } = await sender(c);
    const values = registrationOf(form);
    try {
      const registered = await store.update((state) => registerClient(state, user.id, values));
      return await c.html(newSecretPage(registered));
    } catch (error) {
      return c.html(clientFormPage({ csrf, values, fault: faultOf(error) }), 400);
    }
  });
  app.get('/account/clients/:id', (c) => {
    const visitor = signedIn(c);
    if (visitor === undefined) {
      return toSignIn(c);
    }
    const client = ownClient(store.state, visitor.user, c.req.param('id'));
    return c.html(clientFormPage({ csrf: visitor.csrf, client, values: client }));
  });
  app.post('/account/clients/:id', async (c) => {
    const { user, csrf, form } = await sender(c);
    const client = ownClient(store.state, user, c.req.param('id'));
    const values = registrationOf(form);
    try {
      await store.update((state) => editClient(state, client.id, values));
      return c.redirect('/account#clients', 303);
    } catch (error) {
      return c.html(clientFormPage({ csrf, client, values, fault: faultOf(error) }), 400);
    }
  });
  app.post('/account/clients/:id/secret', async (c) => {
    const { user } = await sender(c);
    const client = ownClient(store.state, user, c.req.param('id'));
    return c.html(newSecretPage(await store.update((state) => resetSecret(state, client))));
  });
  app.post('/account/clients/:id/delete', async (c) => {
    const { user } = await sender(c);
    const client = ownClient(store.state, user, c.req.param('id'));
    await store.update((state) => deleteClient(state, client.id));
    return c.redirect('/account#clients', 303);
  });
}

/** @throws ServiceError 404, for a client of somebody else too */
function ownClient(state: State, user: User, id: string): Client {
  const client = state.clients.find((candidate) => candidate.id === id && candidate.ownerId === user.id);
  if (client === undefined) {
    throw notFound('You have no client application with this ID.');
  }
  return client;
}

function registrationOf(form: Parameters): Registration {
  return { name: form('name').trim(), mainUrl: form('main_url').trim(), callbackUrl: form('callback_url').trim() };
}

function emailFault(state: State, user: User, email: string): string | undefined {
  if (email.length > 254 || !/^[^\s@:]+@[^\s@:]+$/.test(email)) {
    return 'This is not an e-mail address.';
  }
  // People sign in with it, so it has to name one person.
  const taken = state.users.some((each) => each.id !== user.id && (each.email === email || each.username === email));
  return taken ? 'Somebody else uses this e-mail address.' : undefined;
}

/** What a person has to change in the form; anything else is a failure of the service and goes on. */
function faultOf(error: unknown): string {
  if (error instanceof ServiceError && error.status === 400) {
    return error.message;
  }
  throw error;
}
