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

/** The one stylesheet: system fonts, light and dark, a visible focus. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --page: #f4f5f7; --card: #ffffff; --text: #1c2128; --soft: #57606a; --line: #d4d9df;
  --accent: #0b5cad; --on-accent: #ffffff; --danger: #b3261e; --note: #e8f1fb; --code: #eef0f3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1e2329; --text: #e6e9ed; --soft: #a2abb5; --line: #3a424c;
    --accent: #6cb2ff; --on-accent: #0c1a2a; --danger: #ff9a92; --note: #1b2f45; --code: #2a3038;
  }
}
@media (prefers-contrast: more) {
  :root { --soft: var(--text); --line: var(--text); }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 46rem; margin: 0 auto; padding: 1rem 1.25rem; }
body.narrow header, body.narrow main { max-width: 29rem; }
header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding-bottom: 0; }
header p { margin: 0; font-weight: 600; }
header span, header button { overflow-wrap: normal; white-space: nowrap; }
header form { display: flex; align-items: center; gap: .75rem; }
header { flex-wrap: wrap; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 1rem; }
h2 { font-size: 1.15rem; margin: 0 0 .25rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem; margin-bottom: 1.25rem; }
section > :first-child, section > form:first-child > label:first-of-type { margin-top: 0; }
section > :last-child, section > ul.list:last-child > li:last-child { margin-bottom: 0; padding-bottom: 0; }
.soft { color: var(--soft); }
small.soft, p.soft { font-size: .9rem; }
ul.list { list-style: none; margin: 1rem 0; padding: 0; }
ul.list > li { border-top: 1px solid var(--line); padding: .8rem 0; display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; justify-content: space-between; }
ul.list .what { flex: 1 1 16rem; }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; }
.actions form { margin: 0; }
label { display: block; font-weight: 600; margin: .9rem 0 .25rem; }
input { width: 100%; font: inherit; padding: .5rem .65rem; color: inherit; background: var(--page); border: 1px solid var(--soft); border-radius: 6px; }
button, a.button { display: inline-block; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; padding: .45rem .95rem;
  border-radius: 6px; border: 1px solid var(--soft); background: transparent; color: var(--text); }
button:hover, a.button:hover { border-color: var(--accent); }
button.primary, a.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.danger { color: var(--danger); border-color: var(--danger); }
form > .actions { margin-top: 1.1rem; }
.wide button, .wide a.button { width: 100%; padding: .6rem; text-align: center; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code { font: .9em ui-monospace, monospace; background: var(--code); padding: .15rem .4rem; border-radius: 4px; user-select: all; }
dl { margin: 1rem 0; } dt { font-size: .9rem; color: var(--soft); } dd { margin: 0 0 .7rem; }
summary { cursor: pointer; }
img { display: block; border-radius: 12px; }
time { white-space: nowrap; }
.note { background: var(--note); border: 1px solid transparent; border-radius: 6px; padding: .6rem .8rem; }
.fault { color: var(--danger); border: 1px solid var(--danger); border-radius: 6px; padding: .6rem .8rem; }
.stack { display: grid; gap: .6rem; }
.or { display: flex; align-items: center; gap: .8rem; color: var(--soft); margin: 1.2rem 0; }
.or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
`;
