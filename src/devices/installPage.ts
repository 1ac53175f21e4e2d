import * as vscode from 'vscode';

import { html, type Html } from '../workbench/html.ts';
import { commandLink } from '../workbench/page.ts';
import type { App } from '../apps/model/app.ts';
import type { BuildDetails } from '../apps/model/build.ts';
import { BUILTIN_BUILDER } from '../apps/model/builderSupport.ts';
import type { InstallLink } from '../apps/model/installLink.ts';
import { qrCode } from './qrCode.ts';

/** What the page tells of a link. */
export interface InstallPage {
  /** Names the page among those that are open. */
  readonly id: string;
  readonly app: App;
  readonly link: InstallLink;
  /** Undefined when the service tells nothing of the build. */
  readonly build: Pick<BuildDetails, 'builder' | 'isTestSigned'> | undefined;
}

export const INSTALL_PAGE_COMMANDS = ['appBuild.copyInstallLink', 'appBuild.revokeInstallLink'] as const;

export function installPageTitle({ app, link }: Pick<InstallPage, 'app' | 'link'>): string {
  return vscode.l10n.t('Install {0} for {1}', app.title, link.platform);
}

/** The page: a heading, the code on white, the address as text, what can be done with it, and what to know of it. */
export function installPageBody(page: InstallPage): Html {
  const { id, app, link } = page;
  const heading = app.version === undefined ? app.title : `${app.title} ${app.version}`;
  const [copy, revoke] = INSTALL_PAGE_COMMANDS;
  const revokeLink =
    link.revokeUrl === undefined ? '' : commandAnchor(commandLink(revoke, id), vscode.l10n.t('Revoke Link'));
  return html`<main>
    <h1>${installPageTitle({ app: { ...app, title: heading }, link })}</h1>
    ${warningsOf(page).map((text) => html`<p class="warning" role="note">${text}</p>`)} ${codeOf(link)}
    <p class="address"><code>${link.url}</code></p>
    <p class="actions">${commandAnchor(commandLink(copy, id), vscode.l10n.t('Copy Link'))} ${revokeLink}</p>
    <p>${vscode.l10n.t('The link leads to this build only, not to those that come after it.')}</p>
    <p>${validity(link)}</p>
  </main>`;
}

/** A link with a title of its own: VS Code would show, and a screen reader say, the address of the command. */
function commandAnchor(address: string, text: string): Html {
  return html`<a href="${address}" title="${text}">${text}</a>`;
}

/** The code on white, which a dark theme needs; without it, what to do with the address. */
function codeOf({ url }: InstallLink): Html {
  const code = qrCode(url);
  if (code === undefined) {
    return html`<p>
      ${vscode.l10n.t('Open this address on the device. It is too long for a code that a camera can read.')}
    </p>`;
  }
  return html`<p>${vscode.l10n.t('Point the camera of the device at this code, or open the address below on it.')}</p>
    <div class="code">
      <svg role="img" aria-label="${vscode.l10n.t('QR code of {0}', url)}" viewBox="${code.viewBox}">
        <path d="${code.path}" fill="#000" fill-rule="evenodd" shape-rendering="crispEdges" />
      </svg>
    </div>`;
}

function validity({ expiresAt }: InstallLink): string {
  return expiresAt === undefined
    ? vscode.l10n.t('Whoever has it can install the build. It holds no token of your account.')
    : vscode.l10n.t(
        'Whoever has it can install the build until {0}. It holds no token of your account.',
        expiresAt.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }),
      );
}

function warningsOf({ link, build }: InstallPage): readonly string[] {
  const { hostname } = new URL(link.url);
  return [
    ...(build?.isTestSigned === true
      ? [vscode.l10n.t('The build is signed with a test key: for your own phones, not for shops.')]
      : []),
    ...(build?.builder === BUILTIN_BUILDER
      ? [
          vscode.l10n.t(
            'The built-in builder made it. The makers of this extension have not seen such an app run on a phone yet.',
          ),
        ]
      : []),
    ...(isLoopback(hostname)
      ? [
          vscode.l10n.t(
            '{0} is this computer: a phone or another computer cannot reach it. An emulator on this computer may.',
            hostname,
          ),
        ]
      : []),
  ];
}

/** True for the names and addresses of a machine itself (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
}

export const INSTALL_PAGE_STYLE = `
  body { font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); line-height: 1.5; padding: 0 1.5em; }
  main { max-width: 36em; margin: 0 auto; }
  h1 { font-size: 1.5em; font-weight: 600; overflow-wrap: anywhere; }
  .code { background: #fff; padding: 8px; width: 256px; border-radius: 4px; }
  .code svg { display: block; width: 100%; height: auto; }
  .address code { overflow-wrap: anywhere; user-select: all; }
  .actions a { margin-right: 1.5em; }
  .vscode-high-contrast .actions a { text-decoration: underline; }
  .warning {
    border-left: 3px solid var(--vscode-editorWarning-foreground);
    padding: 0.25em 0.75em;
    background: var(--vscode-textBlockQuote-background);
  }
`;
