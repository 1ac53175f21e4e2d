import { html } from 'hono/html';

import { csrfField, faultNote, fieldAttributes, page, type FieldFault, type Html } from './layout.ts';

interface SignInForm {
  readonly csrf: string;
  /** Path to go on to after signing in. */
  readonly returnTo: string;
  /** Whether the demo users are offered, who need no password. */
  readonly demo: boolean;
  readonly username?: string;
  readonly fault?: FieldFault;
}

/** Sign-in with user name and password, or as one of the demo users: one has an external code-hosting login. */
export function signInPage({ csrf, returnTo, demo, username = '', fault }: SignInForm): Html {
  const hidden = html`${csrfField(csrf)}<input type="hidden" name="return_to" value="${returnTo}">`;
  return page(
    { title: 'Sign in', narrow: true },
    html`<section class="wide">
<form method="post" action="/sign-in">
${hidden}
${faultNote(fault)}
<label for="username">User name or e-mail</label>
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

const DEMO_NOTE = 'This is a local service for trying things out: its two demo users need no password on this page.';
const OWNER_NOTE =
  'This service runs on your machine. Your editor signs you in on its own: choose Sign In there. Started in a terminal, the service prints the password.';

function demoButtons(hidden: Html): Html {
  return html`<p class="or">or</p>
<div class="stack">
<form method="post" action="/sign-in/demo">${hidden}<button>Continue as demo</button></form>
<form method="post" action="/sign-in/code-hosting">${hidden}<button>Continue with code hosting (demo)</button></form>
</div>`;
}
