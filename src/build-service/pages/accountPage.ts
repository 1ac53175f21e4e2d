import { html } from 'hono/html';

import { MAX_NAME_LENGTH } from '../limits.ts';
import type { AuthToken, Client, User } from '../store/model.ts';
import { type ClientRegistration, type ClientWithSecret, escapeUnseenCharacters } from '../store/users.ts';
import {
  buttonForm,
  confirmedForm,
  copyable,
  csrfField,
  faultNote,
  fieldAttributes,
  list,
  page,
  type FieldFault,
  type Html,
} from './layout.ts';

interface AccountView {
  readonly csrf: string;
  readonly user: User;
  readonly tokens: readonly AuthToken[];
  /** Client applications that the user has registered. */
  readonly clients: readonly Client[];
  /** Client applications that can act for the user. */
  readonly actingClients: readonly Client[];
  readonly fault?: FieldFault | undefined;
}

/** Renders the account page: profile, authentication tokens, client applications, and authorized applications. */
export function accountPage(view: AccountView): Html {
  return page(
    { title: 'Account', corner: signOut(view) },
    html`${profile(view)}${authTokens(view)}${clientApplications(view)}${actingApplications(view)}`,
  );
}

function signOut({ csrf, user }: AccountView): Html {
  return html`<form method="post" action="/sign-out">${csrfField(csrf)}<span>${user.username}</span><button>Sign out</button></form>`;
}

function profile({ csrf, fault, user }: AccountView): Html {
  return html`<section aria-labelledby="profile"><h2 id="profile">Profile</h2>
<p class="soft">User name <strong>${user.username}</strong>, since ${formatDate(user.createdAt)}.
${user.password === null ? 'You signed up with a code-hosting account, so you don’t have a password. Use an authentication token instead of basic authentication.' : ''}</p>
<form method="post" action="/account/profile">${csrfField(csrf)}
<label for="email">Email</label>${faultNote(fault, 'email')}
<input ${fieldAttributes('email', fault)} name="email" type="email" value="${user.email}" autocomplete="email" required>
<div class="actions"><button>Save</button></div></form></section>`;
}

function authTokens({ csrf, fault, tokens }: AccountView): Html {
  return html`<section aria-labelledby="tokens"><h2 id="tokens">Authentication tokens</h2>
<p class="soft">A token gives full access to your account. Send it as <code>auth_token</code>. Resetting or deleting a token invalidates it.</p>
${list(
  tokens.map((token) => tokenItem(csrf, token)),
  'No tokens yet.',
)}
<form method="post" action="/account/tokens">${csrfField(csrf)}
<label for="token-name">Token name</label>${faultNote(fault, 'token-name')}
<input ${fieldAttributes('token-name', fault)} name="name" maxlength="${MAX_NAME_LENGTH}" placeholder="What’s it for?" required>
<div class="actions"><button class="primary">Create token</button></div></form></section>`;
}

function tokenItem(csrf: string, { id, name, token, createdAt }: AuthToken): Html {
  const path = `/account/tokens/${id}`;
  const subject = `token ${name}`;
  return html`<li><div class="what"><strong>${name}</strong><br><small class="soft">Created ${formatDate(createdAt)}</small>
<details><summary aria-label="Show token ${name}">Show token</summary>${copyable(subject, token)}</details></div>
<div class="actions">${buttonForm(`${path}/reset`, csrf, { label: 'Reset', subject })}
${confirmedForm(`${path}/delete`, csrf, { label: 'Delete', subject }, 'Delete this token? Programs that use it lose access.')}</div></li>`;
}

function clientApplications({ clients }: AccountView): Html {
  const items = clients.map(
    (
      client,
    ) => html`<li><div class="what"><strong>${client.name}</strong><br><small class="soft">${client.mainUrl}</small><br>
<small>Client ID <code>${client.id}</code></small></div><a class="button" href="/account/clients/${client.id}" aria-label="Edit ${client.name}">Edit</a></li>`,
  );
  return html`<section aria-labelledby="clients"><h2 id="clients">Client applications</h2>
<p class="soft">Applications you’ve registered. They can ask users for access to their accounts.</p>
${list(items, 'No applications yet.')}
<p><a class="button" href="/account/clients/new">Register an application</a></p></section>`;
}

function actingApplications({ csrf, actingClients }: AccountView): Html {
  const items = actingClients.map((client) => {
    const [name = '', mainUrl] = [client.name, client.mainUrl].map(escapeUnseenCharacters);
    return html`<li><div class="what"><strong>${name}</strong><br><small class="soft">${mainUrl}</small></div>
${buttonForm(`/account/applications/${client.id}/revoke`, csrf, { label: 'Revoke', style: 'danger', subject: name })}</li>`;
  });
  return html`<section aria-labelledby="applications"><h2 id="applications">Authorized applications</h2>
<p class="soft">Revoking an application invalidates its access tokens.</p>
${list(items, 'No authorized applications.')}</section>`;
}

function formatDate(timestamp: string): string {
  return timestamp.slice(0, 10);
}

interface ClientForm {
  readonly csrf: string;
  /** The client to edit. `undefined` to register a new one. */
  readonly client?: Client;
  readonly values: ClientRegistration;
  readonly fault?: FieldFault;
}

/** Renders the form to register or edit a client application (contract, Client application registration). */
export function clientFormPage({ csrf, client, values, fault }: ClientForm): Html {
  const path = client === undefined ? '/account/clients' : `/account/clients/${client.id}`;
  const form = html`<section>
<form method="post" action="${path}">${csrfField(csrf)}
<label for="name">Name</label>${faultNote(fault, 'name')}
<input ${fieldAttributes('name', fault)} name="name" value="${values.name}" maxlength="${MAX_NAME_LENGTH}" required>
<label for="main-url">Main application URL</label>${faultNote(fault, 'main-url')}
<input ${fieldAttributes('main-url', fault, 'main-url-hint')} name="main_url" value="${values.mainUrl}" placeholder="https://example.com/" spellcheck="false" required>
<small class="soft" id="main-url-hint">A page with information about the application.</small>
<label for="callback-url">Callback URL</label>${faultNote(fault, 'callback-url')}
<input ${fieldAttributes('callback-url', fault, 'callback-url-hint')} name="callback_url" value="${values.callbackUrl}" placeholder="https://example.com/callback" spellcheck="false" required>
<small class="soft" id="callback-url-hint">Where users return after they allow or deny access.</small>
<div class="actions"><button class="primary">${client === undefined ? 'Register' : 'Save'}</button><a class="button" href="/account#clients">Cancel</a></div>
</form></section>`;
  return client === undefined
    ? page({ title: 'Register an application' }, form)
    : page({ title: `Edit ${client.name}` }, html`${form}${credentials(client, csrf)}`);
}

function credentials({ id }: Client, csrf: string): Html {
  const path = `/account/clients/${id}`;
  return html`<section><h2>Credentials</h2>
<dl><dt>Client ID</dt><dd>${copyable('client ID', id)}</dd>
<dt>Client secret</dt><dd>Shown only once, when it’s created. A new client secret replaces it immediately.</dd></dl>
<div class="actions">${buttonForm(`${path}/secret`, csrf, { label: 'Create client secret' })}
${confirmedForm(`${path}/delete`, csrf, { label: 'Delete' }, 'Delete this application? It loses access to every account.')}</div></section>`;
}

/** Renders the page that shows a client secret once. */
export function clientSecretPage({ client, secret }: ClientWithSecret): Html {
  return page(
    { title: client.name },
    html`<section><p class="note">Copy the client secret now. You won’t be able to see it again. Don’t share it.</p>
<dl><dt>Client ID</dt><dd>${copyable('client ID', client.id)}</dd><dt>Client secret</dt><dd>${copyable('client secret', secret)}</dd>
<dt>Callback URL</dt><dd><code>${client.callbackUrl}</code></dd></dl>
<p><a class="button primary" href="/account#clients">Done</a></p></section>`,
  );
}
