import { readFileSync } from 'node:fs';
import path from 'node:path';

import { html } from 'hono/html';

/** A piece of HTML whose parts were escaped where it was made. */
export type Html = ReturnType<typeof html>;

interface Frame {
  readonly title: string;
  /** For pages that ask one thing. */
  readonly narrow?: boolean;
  /** Right-hand side of the header. */
  readonly corner?: Html | undefined;
}

/** A mistake in a form that was sent. */
export interface FieldFault {
  /** `id` of the field in the page. */
  readonly field: string;
  readonly text: string;
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

/** A list; `none` says that it is empty. */
export function list(items: readonly Html[], none: string): Html {
  return items.length === 0 ? html`<p>${none}</p>` : html`<ul class="list">${[...items]}</ul>`;
}

/** The hidden field that ties a form to the browser it is shown in. */
export function csrfField(csrf: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

interface Button {
  readonly label: string;
  readonly style?: 'primary' | 'danger';
  /** Where a page has several buttons of this label: added to the name that a screen reader speaks. */
  readonly subject?: string;
}

/** A form of one button. */
export function buttonForm(action: string, csrf: string, button: Button): Html {
  const { label, style = '' } = button;
  return html`<form method="post" action="${action}">${csrfField(csrf)}<button class="${style}"${nameWithSubject(button)}>${label}</button></form>`;
}

/** A button that asks once more before it does what cannot be undone. Works without script. */
export function confirmedForm(action: string, csrf: string, button: Button, question: string): Html {
  return html`<details><summary${nameWithSubject(button)}>${button.label}…</summary><div class="actions"><span>${question}</span>${buttonForm(action, csrf, { ...button, style: 'danger' })}</div></details>`;
}

/** Begins with the label, for speech input (WCAG 2.2, 2.5.3). */
function nameWithSubject({ label, subject }: Button): Html {
  return subject === undefined ? html`` : html` aria-label="${label} ${subject}"`;
}

/** The mistake in a field, if there is one; {@link fieldAttributes} tie the field to it. */
export function faultNote(fault: FieldFault | undefined, field = fault?.field): Html {
  return fault === undefined || fault.field !== field
    ? html``
    : html`<p class="fault" id="${fault.field}-fault" role="alert">${fault.text}</p>`;
}

/**
 * Attributes of a field: its id, what describes it, and the focus when it is wrong.
 *
 * @param hint `id` of a text that explains the field
 */
export function fieldAttributes(id: string, fault: FieldFault | undefined, hint?: string): Html {
  const isWrong = fault?.field === id;
  const descriptions = [...(isWrong ? [`${id}-fault`] : []), ...(hint === undefined ? [] : [hint])];
  return html`id="${id}"${descriptions.length === 0 ? '' : html` aria-describedby="${descriptions.join(' ')}"`}${isWrong ? html` aria-invalid="true" autofocus` : ''}`;
}

/** A page that says why something did not work. */
export function errorPage(message: string): Html {
  return page(
    { title: 'That did not work', narrow: true },
    html`<section><p>${message}</p><p><a href="/account">Go to your account</a></p></section>`,
  );
}

/** The one stylesheet. */
export const STYLESHEET = readFileSync(path.join(import.meta.dirname, 'servicePages.css'), 'utf8');
