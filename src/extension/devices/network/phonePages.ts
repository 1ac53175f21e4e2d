import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { sentence, type Sentence } from '../../../errors/index.ts';
import { DESIGN_STYLE } from '../../../page-design/index.ts';
import { browserPage, messagePage, type BrowserPage } from '../../workbench/browserPage.ts';
import { html } from '../../workbench/html.ts';
import { localize } from '../../workbench/notifications.ts';
import { sizeText } from '../../workbench/texts.ts';
import { TEST_KEY } from '../linkPage.ts';
import { renderIcon } from '../packageIcon.ts';

/** Path of the package, relative to the page. */
export const PACKAGE_PATH = 'app.apk';

/** Path, relative to the random path, that leads to the app's first page. */
export const START_PATH = 'start';
/** Path, relative to the random path, of the events that report each new build. */
export const EVENTS_PATH = 'events';

/** Status codes of refused requests. */
export type RefusalStatus = 404 | 405 | 421;

const STYLE = DESIGN_STYLE + readPhonePageFile('phonePages.css');

function readPhonePageFile(name: string): string {
  return readFileSync(path.join(import.meta.dirname, name), 'utf8');
}

/** Renders the page for an Android package: the app, one button, and the questions that the phone asks. Further help is collapsed. */
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
    localize(DEVELOPER_VERIFICATION),
    vscode.l10n.t(
      'An iPhone or iPad can’t install Android apps. To see the app there, choose “Open on a Phone…” in VS Code.',
    ),
  ];
  const body = html`<main class="column">
    <header class="identity">
      ${renderIcon(icon)}
      <div>
        <h1>${heading}</h1>
        <p class="soft">${vscode.l10n.t('App for Android, {0}', sizeText(size))}</p>
      </div>
    </header>
    <a class="button primary" href="${PACKAGE_PATH}">${vscode.l10n.t('Download')}</a>
    ${isTestSigned ? html`<p class="note">${localize(TEST_KEY)}</p>` : ''}
    <h2>${vscode.l10n.t('Questions on your phone')}</h2>
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

/** Content of the install page. */
interface InstallPage {
  /** App name and version. */
  readonly heading: string;
  /** The app's icon as a data URL. Undefined to show the extension's logo. */
  readonly icon: string | undefined;
  /** Package size in bytes. */
  readonly size: number;
  readonly isTestSigned: boolean;
}

/** Note about Android's developer verification, based on Google's announcement. Shown next to every link to a package. */
export const DEVELOPER_VERIFICATION = sentence(
  'Since September 2026, some phones install apps only from verified developers. Install over USB instead.',
);

/** Renders a page with fixed text. The page contains no part of the request. */
export function refusalDocument(status: RefusalStatus): BrowserPage {
  return messagePage(vscode.l10n.t('This link doesn’t work'), localize(REFUSALS[status]));
}

const REFUSALS: Readonly<Record<RefusalStatus, Sentence>> = {
  404: sentence('Sharing may have ended. Scan the code in VS Code again.'),
  405: sentence('This page can only show an app. Scan the code in VS Code again.'),
  421: sentence('The address is different from the one in VS Code. Scan the code again.'),
};

/**
 * Renders the page that contains a previewed app in a frame.
 * @param title title of the app
 * @param icon see {@link InstallPage.icon}
 * @param isEmbedded true if a webview shows the page
 */
export function frameDocument(title: string, icon: string | undefined, isEmbedded = false): BrowserPage {
  const body = html`<iframe src="${START_PATH}" title="${title}"></iframe>
    <p role="status" hidden>${vscode.l10n.t('The preview has ended.')}</p>`;
  return browserPage({
    title,
    icon,
    body,
    style: readPhonePageFile('preview.css'),
    script: readPhonePageFile('preview.js') + (isEmbedded ? readPhonePageFile('previewReports.js') : ''),
    isEmbedded,
  });
}
