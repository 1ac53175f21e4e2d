import { html } from 'hono/html';

import type { ClientRegistration, ClientWithSecret, RegistrationFault } from '../store/clients.ts';
import type { Client } from '../store/model.ts';
import { buttonForm, confirmedForm, csrfField, faultNote, fieldAttributes, page, type Html } from './layout.ts';

export interface ClientForm {
  readonly csrf: string;
  /** The client that is edited; absent for one that is being registered. */
  readonly client?: Client;
  readonly values: ClientRegistration;
  readonly fault?: RegistrationFault;
}

/** `id` of the field for each part. */
const FIELDS = { name: 'name', mainUrl: 'main-url', callbackUrl: 'callback-url' } as const;

/** Registers or edits a client application (contract, Client application registration). */
export function clientFormPage({ csrf, client, values, fault: wrong }: ClientForm): Html {
  const fault = wrong && { field: FIELDS[wrong.part], text: wrong.text };
  const path = client === undefined ? '/account/clients' : `/account/clients/${client.id}`;
  const form = html`<section>
<form method="post" action="${path}">${csrfField(csrf)}
<label for="name">Name</label>${faultNote(fault, 'name')}
<input ${fieldAttributes('name', fault)} name="name" value="${values.name}" maxlength="100" required>
<label for="main-url">Main Application Url</label>${faultNote(fault, 'main-url')}
<input ${fieldAttributes('main-url', fault, 'main-url-hint')} name="main_url" value="${values.mainUrl}" placeholder="https://example.com/" spellcheck="false" required>
<small class="soft" id="main-url-hint">Where a user can see what the application is.</small>
<label for="callback-url">Callback Url</label>${faultNote(fault, 'callback-url')}
<input ${fieldAttributes('callback-url', fault, 'callback-url-hint')} name="callback_url" value="${values.callbackUrl}" placeholder="https://example.com/callback" spellcheck="false" required>
<small class="soft" id="callback-url-hint">Where the user returns after allowing or denying access.</small>
<div class="actions"><button class="primary">${client === undefined ? 'Register' : 'Save'}</button><a class="button" href="/account#clients">Cancel</a></div>
</form></section>`;
  return client === undefined
    ? page({ title: 'Register an application' }, form)
    : page({ title: `Edit ${client.name}` }, html`${form}${credentials(client, csrf)}`);
}

function credentials({ id }: Client, csrf: string): Html {
  const path = `/account/clients/${id}`;
  return html`<section><h2>Credentials</h2>
<dl><dt>Client ID</dt><dd><code>${id}</code></dd>
<dt>Client Secret</dt><dd>Shown only when it is made. A new one replaces it at once.</dd></dl>
<div class="actions">${buttonForm(`${path}/secret`, csrf, { label: 'New Client Secret' })}
${confirmedForm(`${path}/delete`, csrf, { label: 'Delete' }, 'Delete this application and end its access for every user?')}</div></section>`;
}

/** Shows a Client Secret, this once. */
export function clientSecretPage({ client, secret }: ClientWithSecret): Html {
  return page(
    { title: client.name },
    html`<section><p class="note">Copy the Client Secret now: it is not shown again. Do not share it.</p>
<dl><dt>Client ID</dt><dd><code>${client.id}</code></dd><dt>Client Secret</dt><dd><code>${secret}</code></dd>
<dt>Callback Url</dt><dd><code>${client.callbackUrl}</code></dd></dl>
<p><a class="button primary" href="/account#clients">Done</a></p></section>`,
  );
}
