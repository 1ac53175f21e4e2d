import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { html, Html } from '../../workbench/html.ts';
import { localised } from '../../workbench/notifications.ts';
import { sizeText } from '../../workbench/texts.ts';

/** Where the file is, below the page. */
export const PACKAGE_PATH = 'app.apk';

/** Below the random path: leads to the page that the app begins with. */
export const START_PATH = 'start';
/** Below the random path: says which build is shown, and when there is another. */
export const EVENTS_PATH = 'events';

/** Why a request is refused. */
export type Refusal = 404 | 405 | 421;

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 34rem; padding: 1.25rem; font: 1rem/1.5 system-ui, sans-serif; color: #1f2328; background: #fff; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.05rem; margin: 1.75rem 0 0.5rem; }
p, ul { margin: 0.5rem 0; }
ul { padding-left: 1.25rem; }
li { margin: 0.4rem 0; }
.soft { color: #59636e; margin-top: 0; }
.button { display: block; margin: 1.25rem 0; padding: 0.9rem 1rem; border-radius: 0.5rem; background: #0969da; color: #fff; font-weight: 600; text-align: center; text-decoration: none; }
.button:focus-visible { outline: 3px solid #54aeff; outline-offset: 2px; }
.note { border-left: 4px solid #9a6700; padding: 0.35rem 0.75rem; background: #fff8c5; }
@media (prefers-color-scheme: dark) {
  body { color: #e6edf3; background: #0d1117; }
  .soft { color: #9198a1; }
  .button { background: #1f6feb; }
  .note { border-color: #d29922; background: #2d2410; }
}
`;

/** The page for an Android package: one button, and the questions that the phone will ask. @param size of the package, in bytes. */
export function installDocument(heading: string, size: number, isTestSigned: boolean): PhoneDocument {
  const steps = [
    vscode.l10n.t('Your browser asks whether to keep the file, since it is an app. Keep it, and open it.'),
    vscode.l10n.t(
      'Android asks once whether this browser may install unknown apps. Allow it: Settings, Apps, Special app access, Install unknown apps.',
    ),
    vscode.l10n.t('Play Protect may offer to scan the app. Let it, then choose to install.'),
    vscode.l10n.t(
      'Samsung: Auto Blocker stops apps that are not from a shop. Switch it off under Settings, Security and privacy.',
    ),
  ];
  const otherwise = [
    localised(DEVELOPER_VERIFICATION),
    vscode.l10n.t(
      'An iPhone or iPad cannot install apps for Android. The command “Preview on a Phone…” in VS Code shows the app there.',
    ),
  ];
  const testKey = vscode.l10n.t('Signed with a test key: for your own phones, not for shops.');
  const body = html`<main>
    <h1>${heading}</h1>
    <p class="soft">${vscode.l10n.t('App for Android, {0}', sizeText(size))}</p>
    <p><a class="button" href="${PACKAGE_PATH}">${vscode.l10n.t('Download')}</a></p>
    ${isTestSigned ? html`<p class="note">${testKey}</p>` : ''}
    <h2>${vscode.l10n.t('What your phone asks')}</h2>
    <ul>
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ul>
    <h2>${vscode.l10n.t('When it does not install')}</h2>
    <ul>
      ${otherwise.map((each) => html`<li>${each}</li>`)}
    </ul>
  </main>`;
  return phoneDocument(heading, body, STYLE);
}

/** As Google has announced; shown with every link to a package. */
export const DEVELOPER_VERIFICATION = sentence(
  'From September 2026 on, certified phones in some countries refuse apps of developers whom Google does not know. Such a phone takes the app by a cable, with adb.',
);

/** A page of fixed words: it repeats nothing of the request. */
export function refusalDocument(status: Refusal): PhoneDocument {
  const title = vscode.l10n.t('Application Build Service');
  const body = html`<h1>${title}</h1>
    <p>${localised(REFUSALS[status])}</p>`;
  return phoneDocument(title, body, STYLE);
}

const REFUSALS: Readonly<Record<Refusal, Sentence>> = {
  404: sentence('There is nothing here. Scan the code in VS Code again.'),
  405: sentence('There is nothing to send here.'),
  421: sentence('This address is not served here.'),
};

const FRAME_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; overflow: hidden; }
iframe { position: fixed; inset: 0; width: 100%; height: 100%; border: 0; background: #fff; }
p { position: fixed; inset: auto 0 0; margin: 0; padding: 0.75rem 1rem; font: 1rem/1.5 system-ui, sans-serif; text-align: center; color: #fff; background: #24292f; }
p[hidden] { display: none; }
`;

/** Shows each build after its event. A worker or a cache of the build before would answer in its place. */
const FRAME_SCRIPT = `
(function () {
  var shown;
  var events = new EventSource('${EVENTS_PATH}');
  function forget() {
    var workers = 'serviceWorker' in navigator
      ? navigator.serviceWorker.getRegistrations().then(function (all) { return Promise.all(all.map(function (each) { return each.unregister(); })); })
      : Promise.resolve();
    return workers.then(function () {
      return 'caches' in window
        ? caches.keys().then(function (names) { return Promise.all(names.map(function (name) { return caches.delete(name); })); })
        : undefined;
    });
  }
  function reload() {
    // Another element: the same address with a fragment would not be loaded again.
    var frame = document.querySelector('iframe');
    frame.replaceWith(frame.cloneNode());
  }
  events.addEventListener('build', function (event) {
    var isFirst = shown === undefined;
    if (shown !== event.data) {
      shown = event.data;
      if (!isFirst) forget().then(reload, reload);
    }
  });
  events.addEventListener('end', function () {
    events.close();
    document.querySelector('p').hidden = false;
  });
})();
`;

/** The page around an app that is previewed. @param title of the app. */
export function frameDocument(title: string): PhoneDocument {
  const body = html`<iframe src="${START_PATH}" title="${title}"></iframe>
    <p role="status" hidden>${vscode.l10n.t('The preview has ended.')}</p>`;
  return phoneDocument(title, body, FRAME_STYLE, FRAME_SCRIPT);
}

/** A page that a phone is shown: its markup and what it may load. */
export interface PhoneDocument {
  readonly markup: string;
  readonly policy: string;
}

/**
 * Makes a page that loads nothing but what is written into it.
 *
 * @param script of ours; a page with one may show a frame of its own origin and listen to it.
 */
function phoneDocument(title: string, body: Html, style: string, script?: string): PhoneDocument {
  const { markup } = html`<!doctype html>
    <html lang="${vscode.env.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        ${body} ${new Html(script === undefined ? '' : `<script>${script}</script>`)}
      </body>
    </html>`;
  const policy = [
    "default-src 'none'",
    `style-src ${sourceHash(style)}`,
    ...(script === undefined ? [] : [`script-src ${sourceHash(script)}`, "connect-src 'self'", "frame-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { markup, policy };
}

/** A style or script by its content (CSP Level 3, §2.3.1). */
function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Answers with a page, to HEAD with its headers. */
export function answerPage(response: ServerResponse, status: number, { markup, policy }: PhoneDocument): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(markup),
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  });
  response.end(markup);
}
