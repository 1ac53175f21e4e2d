import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { DESIGN_STYLE } from '../../formats/pageDesign.ts';
import { browserPage, messagePage, type BrowserPage } from '../../workbench/browserPage.ts';
import { html } from '../../workbench/html.ts';
import { localised } from '../../workbench/notifications.ts';
import { sizeText } from '../../workbench/texts.ts';
import { TEST_KEY } from '../linkPage.ts';
import { pictureOf } from '../packageIcon.ts';

/** Where the file is, below the page. */
export const PACKAGE_PATH = 'app.apk';

/** Below the random path: leads to the page that the app begins with. */
export const START_PATH = 'start';
/** Below the random path: tells which build is shown, and when another one is. */
export const EVENTS_PATH = 'events';

/** Why a request is refused. */
export type Refusal = 404 | 405 | 421;

const STYLE = DESIGN_STYLE + readOwn('phonePages.css');

/** A style sheet or a script that lies beside this file, and beside the bundle. */
function readOwn(name: string): string {
  return readFileSync(path.join(import.meta.dirname, name), 'utf8');
}

/** The page for an Android package: its app, one button, and the questions that the phone will ask. The rest is folded. */
export function installDocument({ heading, icon, size, isTestSigned }: InstallPage): BrowserPage {
  const steps = [
    vscode.l10n.t('Your browser asks whether to keep the file. Keep it, and open it.'),
    vscode.l10n.t('Android asks once whether this browser may install unknown apps. Allow it.'),
    vscode.l10n.t('Play Protect may offer to scan the app. Let it, then install.'),
  ];
  const help = [
    vscode.l10n.t('Find the permission in Settings, Apps, Special app access, Install unknown apps.'),
    vscode.l10n.t(
      'On a Samsung phone, Auto Blocker stops apps that don’t come from an app store. Turn it off in Settings, Security and privacy.',
    ),
    localised(DEVELOPER_VERIFICATION),
    vscode.l10n.t(
      'An iPhone or iPad can’t install Android apps. To see the app there, choose “Open on a Phone…” in VS Code.',
    ),
  ];
  const body = html`<main class="column">
    <header class="identity">
      ${pictureOf(icon)}
      <div>
        <h1>${heading}</h1>
        <p class="soft">${vscode.l10n.t('App for Android, {0}', sizeText(size))}</p>
      </div>
    </header>
    <a class="button primary" href="${PACKAGE_PATH}">${vscode.l10n.t('Download')}</a>
    ${isTestSigned ? html`<p class="note">${localised(TEST_KEY)}</p>` : ''}
    <h2>${vscode.l10n.t('What your phone asks')}</h2>
    <ul>
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ul>
    <details>
      <summary>${vscode.l10n.t('Trouble installing?')}</summary>
      <ul>
        ${help.map((each) => html`<li>${each}</li>`)}
      </ul>
    </details>
  </main>`;
  return browserPage({ title: heading, icon, body, style: STYLE });
}

/** A package on its page. */
export interface InstallPage {
  /** Name and version of the app. */
  readonly heading: string;
  /** The app's icon, as an address that holds it; undefined: the mark. */
  readonly icon: string | undefined;
  /** Bytes of the package. */
  readonly size: number;
  readonly isTestSigned: boolean;
}

/** As Google has announced; shown with every link to a package. */
export const DEVELOPER_VERIFICATION = sentence(
  'Since September 2026, some phones only install apps from verified developers. Install over USB instead.',
);

/** A page of fixed words: it repeats nothing of the request. */
export function refusalDocument(status: Refusal): BrowserPage {
  return messagePage(vscode.l10n.t('This link doesn’t work'), localised(REFUSALS[status]));
}

const REFUSALS: Readonly<Record<Refusal, Sentence>> = {
  404: sentence('Sharing may have ended. Scan the code in VS Code again.'),
  405: sentence('This page only shows an app. Scan the code in VS Code again.'),
  421: sentence('The address is different from the one in VS Code. Scan the code again.'),
};

/**
 * The page around an app that is previewed.
 *
 * @param title of the app
 * @param icon as {@link InstallPage} has it
 * @param isEmbedded whether a webview shows it
 */
export function frameDocument(title: string, icon: string | undefined, isEmbedded = false): BrowserPage {
  const body = html`<iframe src="${START_PATH}" title="${title}"></iframe>
    <p role="status" hidden>${vscode.l10n.t('The preview has ended.')}</p>`;
  return browserPage({ title, icon, body, style: readOwn('preview.css'), script: readOwn('preview.js'), isEmbedded });
}
