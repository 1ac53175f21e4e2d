import { html } from 'hono/html';

import type { Client, User } from '../store/model.ts';
import { csrfField, page, type Html } from './layout.ts';

interface ConsentForm {
  readonly csrf: string;
  readonly user: User;
  readonly client: Client;
  readonly state: string | undefined;
  readonly challenge: string | undefined;
  readonly redirectUri: string | undefined;
}

/** Asks the signed-in user to allow or deny a client application (contract, endpoint 4). */
export function consentPage({ csrf, user, client, state, challenge, redirectUri }: ConsentForm): Html {
  return page(
    { title: `Allow ${client.name}?`, narrow: true },
    html`<section>
<p><strong>${client.name}</strong> wants to act for you on this service.</p>
<dl>
<dt>Signed in as</dt><dd>${user.username} (${user.email})</dd>
<dt>About the application</dt><dd><a href="${client.mainUrl}" rel="noreferrer">${client.mainUrl}</a></dd>
<dt>After your answer you return to</dt><dd><code title="${client.callbackUrl}">${originOf(client.callbackUrl)}</code></dd>
</dl>
<p>It will be able to:</p>
<ul><li>see who you are, with your e-mail address</li><li>see and use your apps, builds and signing keys</li></ul>
<p class="soft">It does not see your password. You can revoke this at any time in your account.</p>
<form method="post" action="/authorize/decision">
${csrfField(csrf)}
<input type="hidden" name="client_id" value="${client.id}">
${state === undefined ? '' : html`<input type="hidden" name="state" value="${state}">`}
${challenge === undefined ? '' : html`<input type="hidden" name="code_challenge" value="${challenge}">`}
${redirectUri === undefined ? '' : html`<input type="hidden" name="redirect_uri" value="${redirectUri}">`}
<div class="actions">
<button class="primary" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</div>
</form>
</section>`,
  );
}

/** The part of a Callback Url that a person can judge. Its path and query only take up room. */
function originOf(callbackUrl: string): string {
  const { protocol, host } = new URL(callbackUrl);
  return `${protocol}//${host}`;
}
