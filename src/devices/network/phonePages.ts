import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
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

const STYLE = readOwn('phonePages.css');

/** A style sheet or a script that lies beside this file, and beside the bundle. */
function readOwn(name: string): string {
  return readFileSync(path.join(import.meta.dirname, name), 'utf8');
}

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

/** The page around an app that is previewed. @param title of the app. */
export function frameDocument(title: string): PhoneDocument {
  const body = html`<iframe src="${START_PATH}" title="${title}"></iframe>
    <p role="status" hidden>${vscode.l10n.t('The preview has ended.')}</p>`;
  return phoneDocument(title, body, readOwn('preview.css'), readOwn('preview.js'));
}

/** A page that a phone is shown: its markup and what it may load. */
export interface PhoneDocument {
  readonly markup: string;
  readonly policy: string;
}

/**
 * Makes a page that loads nothing from elsewhere.
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
