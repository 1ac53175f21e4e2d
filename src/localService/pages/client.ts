import { html } from 'hono/html';

import type { ClientRegistration, ClientWithSecret } from '../store/clients.ts';
import type { Client } from '../store/model.ts';
import { buttonForm, confirmedForm, csrfField, faultNote, page, type Html } from './layout.ts';

export interface ClientForm {
  readonly csrf: string;
  /** The client that is edited; absent for one that is being registered. */
  readonly client?: Client;
  readonly values: ClientRegistration;
  readonly fault?: string;
}

/** Registers or edits a client application (contract, Client application registration). */
export function clientFormPage({ csrf, client, values, fault }: ClientForm): Html {
  const path = client === undefined ? '/account/clients' : `/account/clients/${client.id}`;
  const form = html`<section>${faultNote(fault)}
<form method="post" action="${path}">${csrfField(csrf)}
<label for="name">Name</label>
<input id="name" name="name" value="${values.name}" maxlength="100" required>
<label for="main-url">Main Application Url</label>
<input id="main-url" name="main_url" value="${values.mainUrl}" placeholder="https://example.com/" spellcheck="false" required>
<small class="soft">Where a user can see what the application is.</small>
<label for="callback-url">Callback Url</label>
<input id="callback-url" name="callback_url" value="${values.callbackUrl}" placeholder="https://example.com/callback" spellcheck="false" required>
<small class="soft">Where the user returns after allowing or denying access.</small>
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
<div class="actions">${buttonForm(`${path}/secret`, csrf, 'New Client Secret')}
${confirmedForm(`${path}/delete`, csrf, 'Delete', 'Delete this application and end its access for every user?')}</div></section>`;
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
