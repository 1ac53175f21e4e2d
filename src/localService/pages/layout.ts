import { html } from 'hono/html';

/** A piece of HTML whose parts were escaped where it was made. */
export type Html = ReturnType<typeof html>;

export interface Frame {
  readonly title: string;
  /** For pages that ask one thing. */
  readonly narrow?: boolean;
  /** Right-hand side of the header. */
  readonly corner?: Html | undefined;
}

/** A whole page around `content`. */
export function page({ title, narrow = false, corner }: Frame, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Application Build Service</title>
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
