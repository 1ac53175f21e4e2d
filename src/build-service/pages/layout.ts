import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { html, raw } from 'hono/html';

import { DESIGN_STYLE, MARK, MARK_ADDRESS } from '../../page-design/index.ts';

/** HTML with escaped values. */
export type Html = ReturnType<typeof html>;

interface PageFrame {
  readonly title: string;
  /** Replacement for the default heading, which is the title. */
  readonly heading?: Html;
  /** Whether the page is narrow, as for a single question. */
  readonly narrow?: boolean;
  /** Content on the right side of the header. */
  readonly corner?: Html | undefined;
}

/** An error in a field of a submitted form. */
export interface FieldFault {
  /** `id` of the field. */
  readonly field: string;
  readonly text: string;
}

/** Renders a whole page around `content`. */
export function page(
  { title, heading = html`<h1>${title}</h1>`, narrow = false, corner }: PageFrame,
  content: Html,
): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Application Build Service</title>
<link rel="icon" href="${MARK_ADDRESS}">
<link rel="stylesheet" href="/stylesheet.css">
</head>
<body class="${narrow ? 'narrow' : 'wide-page'}">
<header><p>${raw(MARK)}Application Build Service</p>${corner ?? ''}</header>
<main>
${heading}
${content}
</main>
${narrow ? '' : html`<script>${raw(COPY_SCRIPT)}</script>`}
</body>
</html>`;
}

/** Renders a list, or the text `none` if it's empty. */
export function list(items: readonly Html[], none: string): Html {
  return items.length === 0 ? html`<p>${none}</p>` : html`<ul class="list">${[...items]}</ul>`;
}

/** Renders the hidden field that binds a form to the browser that shows it. */
export function csrfField(csrf: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

interface FormButton {
  readonly label: string;
  readonly style?: 'primary' | 'danger';
  /** Distinguishes several buttons with this label. Screen readers read it after the label. */
  readonly subject?: string;
}

/** Renders a form with one button. */
export function buttonForm(action: string, csrf: string, button: FormButton): Html {
  const { label, style = '' } = button;
  return html`<form method="post" action="${action}">${csrfField(csrf)}<button class="${style}"${nameWithSubject(button)}>${label}</button></form>`;
}

/** Renders a button that asks for confirmation before an action that can't be undone. Works without JavaScript. */
export function confirmedForm(action: string, csrf: string, button: FormButton, question: string): Html {
  return html`<details><summary${nameWithSubject(button)}>${button.label}…</summary><div class="actions"><span>${question}</span>${buttonForm(action, csrf, { ...button, style: 'danger' })}</div></details>`;
}

/** Returns an accessible name that begins with the label, as speech input requires (WCAG 2.2, 2.5.3). */
function nameWithSubject({ label, subject }: FormButton): Html {
  return subject === undefined ? html`` : html` aria-label="${label} ${subject}"`;
}

/** Renders the error in a field, if any. {@link fieldAttributes} connects the field to the error. */
export function faultNote(fault: FieldFault | undefined, field = fault?.field): Html {
  return fault === undefined || fault.field !== field
    ? html``
    : html`<p class="fault" id="${fault.field}-fault" role="alert">${fault.text}</p>`;
}

/**
 * Renders the attributes of a field: its ID, its descriptions, and the focus if the field has an error.
 *
 * @param hint `id` of the element that explains the field
 */
export function fieldAttributes(id: string, fault: FieldFault | undefined, hint?: string): Html {
  const isWrong = fault?.field === id;
  const descriptions = [...(isWrong ? [`${id}-fault`] : []), ...(hint === undefined ? [] : [hint])];
  return html`id="${id}"${descriptions.length === 0 ? '' : html` aria-describedby="${descriptions.join(' ')}"`}${isWrong ? html` aria-invalid="true" autofocus` : ''}`;
}

/** Renders a value, such as a secret, with a button that copies it. @param label name of the value for screen readers */
export function copyable(label: string, text: string): Html {
  return html`<span class="copyable"><code>${text}</code><button type="button" data-copy hidden aria-label="Copy ${label}">Copy</button><span role="status"></span></span>`;
}

/** Messages for users, keyed by the API's message. */
const SENTENCES: Readonly<Record<string, string>> = {
  'not found': 'Check the address, or start over.',
  'method not allowed': 'Check the address, or start over.',
  'internal server error':
    'This is a problem with the service. Try again. If it happens again, check the service’s log.',
};

/** Titles of error pages, keyed by status. */
const ERROR_TITLES: Readonly<Record<number, string>> = {
  403: 'Try that again',
  404: 'Page not found',
  405: 'Page not found',
  413: 'That’s too large',
  421: 'Wrong address',
  500: 'Something went wrong',
  507: 'The disk is full',
};

/** Renders a page that explains why a request failed and links to the start page. */
export function errorPage(status: number, message: string): Html {
  return page(
    { title: ERROR_TITLES[status] ?? 'That request didn’t work', narrow: true },
    html`<section><p>${SENTENCES[message] ?? message}</p><p><a class="button" href="/">Go to the start page</a></p></section>`,
  );
}

/** The service's only stylesheet. */
export const STYLESHEET = DESIGN_STYLE + readPageFile('servicePages.css');

const COPY_SCRIPT = readPageFile('copy.js');

/** Content-Security-Policy source for the service's only script (CSP Level 3, §2.3.1). */
export const SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(COPY_SCRIPT).digest('base64')}'`;

function readPageFile(name: string): string {
  return readFileSync(path.join(import.meta.dirname, name), 'utf8');
}
