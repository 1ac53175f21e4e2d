import { html } from 'hono/html';

import type { User } from '../store/model.ts';

/** A piece of HTML whose parts were escaped where it was made. */
export type Html = ReturnType<typeof html>;

/** A signed-in user who looks at a page, and the CSRF token for its forms. */
export interface SignedIn {
  readonly user: User;
  readonly csrf: string;
}

export interface Frame {
  readonly title: string;
  /** For pages that ask one thing. */
  readonly narrow?: boolean;
  /** Right-hand side of the header. */
  readonly corner?: Html | undefined;
  /** Seconds after which the browser loads the page again; `undefined`: never. */
  readonly refreshSeconds?: number | undefined;
}

/** A whole page around `content`. */
export function page({ title, narrow = false, corner, refreshSeconds }: Frame, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${
  refreshSeconds === undefined
    ? ''
    : html`<meta http-equiv="refresh" content="${refreshSeconds}">
`
}<title>${title} · Application Build Service</title>
<link rel="stylesheet" href="/stylesheet.css">
</head>
<body class="${narrow ? 'narrow' : 'wide-page'}">
<header><p>Application Build Service</p>${corner ?? ''}</header>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>`;
}

/** The corner of the pages of a signed-in user: where else to go, and the way out. */
export function accountCorner({ csrf, user }: SignedIn): Html {
  return html`<nav><a href="/account/apps">Apps</a><a href="/account">Account</a></nav>
<form method="post" action="/sign-out">${csrfField(csrf)}<span>${user.username}</span><button>Sign out</button></form>`;
}

/** A list; `none` says that it is empty. */
export function list(items: readonly Html[], none: string): Html {
  return items.length === 0 ? html`<p>${none}</p>` : html`<ul class="list">${[...items]}</ul>`;
}

/** The hidden field that ties a form to the browser it is shown in. */
export function csrfField(csrf: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

/** A form of one button. */
export function buttonForm(action: string, csrf: string, label: string, style = ''): Html {
  return html`<form method="post" action="${action}">${csrfField(csrf)}<button class="${style}">${label}</button></form>`;
}

/** A button that asks once more before it does what cannot be undone. Works without script. */
export function confirmedForm(action: string, csrf: string, label: string, question: string): Html {
  return html`<details><summary>${label}…</summary><div class="actions"><span>${question}</span>${buttonForm(action, csrf, label, 'danger')}</div></details>`;
}

/** What is wrong with the form that was sent. */
export function faultNote(fault: string | undefined): Html {
  return fault === undefined ? html`` : html`<p class="fault" role="alert">${fault}</p>`;
}
