/** Renders the pages for signing in, and for letting an application act for the user. */
import { html, raw } from 'hono/html';

import type { Client, User } from '../store/model.ts';
import { escapeUnseenCharacters } from '../store/users.ts';
import { MARK } from '../../page-design/index.ts';
import { csrfField, faultNote, fieldAttributes, page, type FieldFault, type Html } from './layout.ts';

interface SignInForm {
  readonly csrf: string;
  /** Path to open after the user has signed in. */
  readonly returnTo: string;
  /** Whether to offer the demo users, who don't need a password. */
  readonly demo: boolean;
  readonly username?: string;
  readonly fault?: FieldFault;
}

/**
 * Renders the page for signing in with a user name and password, or as a demo user. One demo user represents users with
 * an external code-hosting account.
 */
export function signInPage({ csrf, returnTo, demo, username = '', fault }: SignInForm): Html {
  const hidden = html`${csrfField(csrf)}<input type="hidden" name="return_to" value="${returnTo}">`;
  return page(
    { title: 'Sign in', narrow: true },
    html`<section class="wide">
<form method="post" action="/sign-in">
${hidden}
${faultNote(fault)}
<label for="username">User name or email</label>
<input ${fieldAttributes('username', undefined, fault && `${fault.field}-fault`)} name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${fault === undefined ? ' autofocus' : ''}>
<label for="password">Password</label>
<input ${fieldAttributes('password', fault)} name="password" type="password" autocomplete="current-password" required>
<div class="actions"><button class="primary">Sign in</button></div>
</form>
${demo ? demoButtons(hidden) : ''}
</section>
<p class="soft">${demo ? DEMO_NOTE : OWNER_NOTE}</p>`,
  );
}

const DEMO_NOTE = 'This local service has demo data. Its two demo users don’t need a password on this page.';
const OWNER_NOTE =
  'This service runs on your computer. To sign in without a password, choose Sign In in your editor. If you started the service in a terminal, find the password there.';

function demoButtons(hidden: Html): Html {
  return html`<p class="or">or</p>
<div class="stack">
<form method="post" action="/sign-in/demo">${hidden}<button>Continue as demo</button></form>
<form method="post" action="/sign-in/code-hosting">${hidden}<button>Continue with code hosting (demo)</button></form>
</div>`;
}

interface ConsentForm {
  readonly csrf: string;
  readonly user: User;
  readonly client: Client;
  readonly state: string | undefined;
  readonly challenge: string | undefined;
  readonly redirectUri: string | undefined;
}

/** Renders the page that asks the signed-in user to allow or deny a client application (contract, endpoint 4). */
export function consentPage({ csrf, user, client, state, challenge, redirectUri }: ConsentForm): Html {
  const [name = '', mainUrl, email] = [client.name, client.mainUrl, user.email].map(escapeUnseenCharacters);
  const title = `${name} wants to access your account`;
  return page(
    {
      title,
      narrow: true,
      heading: html`<div class="parties"><span class="picture letter" aria-hidden="true">${firstLetter(name)}</span>${raw(MARK)}</div>
<h1 class="centered">${title}</h1>`,
    },
    html`<section>
<p>It will be able to:</p>
<ul><li>See your user name and email address</li><li>See and use your apps, builds, and signing keys</li></ul>
<dl>
<dt>Signed in as</dt><dd>${user.username} (${email})</dd>
<dt>About the application</dt><dd><a href="${client.mainUrl}" rel="noreferrer">${mainUrl}</a></dd>
<dt>You’ll return to</dt><dd><code title="${client.callbackUrl}">${getCallbackOrigin(client.callbackUrl)}</code></dd>
</dl>
<p class="soft">It won’t see your password. You can revoke its access at any time in your account.</p>
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

/** Returns the letter that represents an application without a picture. */
function firstLetter(name: string): string {
  return String.fromCodePoint(name.codePointAt(0) ?? 0x3f).toUpperCase();
}

/** Returns the part of a callback URL that helps the user decide, without the path and the query. */
function getCallbackOrigin(callbackUrl: string): string {
  const { protocol, host } = new URL(callbackUrl);
  return `${protocol}//${host}`;
}
