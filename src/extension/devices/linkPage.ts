import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import * as vscode from 'vscode';
import type { App } from '../apps/model/app.ts';
import type { BuildDetails } from '../apps/model/build.ts';
import { sentence } from '../../errors/index.ts';
import { DESIGN_STYLE } from '../../page-design/index.ts';
import { Disposable } from '../workbench/disposable.ts';
import { html, type Html } from '../workbench/html.ts';
import { localize } from '../workbench/notifications.ts';
import { commandLink, openPage, type WebviewPage } from '../workbench/page.ts';
import { renderIcon } from './packageIcon.ts';
import { BUILTIN_BUILDER } from '../../web-project/index.ts';

/** Commands on a page with a link. Their argument is the ID of the page. */
const COMMANDS = ['appBuild.copyInstallLink', 'appBuild.stopSharing'] as const;

/** How phones have used the link. */
export interface LinkStatus {
  readonly state: 'waiting' | 'opened' | 'downloaded';
  readonly text: string;
}

/** A page with a link for a phone. Its strings are plain text, not HTML. */
export interface LinkPage {
  /** Unique ID of the open page. */
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  /** A line under the heading. */
  readonly detail: string;
  /** The app's icon as a data URL. Undefined to show the extension's logo. */
  readonly icon: string | undefined;
  readonly url: string;
  readonly status: LinkStatus;
  /** The command that revokes the link. */
  readonly end: { readonly command: (typeof COMMANDS)[number]; readonly title: string };
  /** Help for phone problems, collapsed under its title. */
  readonly help: { readonly title: string; readonly lines: readonly string[] };
}

/** Renders the page: the app, the QR code, how phones have used the link, and the address as text. Further help is collapsed. */
function linkPageBody({ id, heading, detail, icon, url, status, end, help }: LinkPage): Html {
  const [copy] = COMMANDS;
  return html`<main>
    <header class="identity">
      ${renderIcon(icon)}
      <div>
        <h1>${heading}</h1>
        <p class="soft">${detail}</p>
      </div>
    </header>
    ${renderQrCode(url)}
    <p id="status" class="${status.state}" role="status">${status.text}</p>
    <p class="address"><code>${url}</code></p>
    <p class="actions">
      ${commandAnchor('button primary', commandLink(copy, id), vscode.l10n.t('Copy Link'))}
      ${commandAnchor('button', commandLink(end.command, id), end.title)}
    </p>
    <details>
      <summary>${help.title}</summary>
      <ul>
        ${help.lines.map((text) => html`<li>${text}</li>`)}
      </ul>
    </details>
  </main>`;
}

/**
 * Renders a link with its own title. Otherwise, VS Code would show the command's address, and a screen reader would
 * read it aloud.
 */
function commandAnchor(style: string, address: string, text: string): Html {
  return html`<a class="${style}" href="${address}" title="${text}">${text}</a>`;
}

/**
 * Renders the QR code on white, so that it works in a dark theme. Renders instructions instead if the link is too long.
 */
function renderQrCode(url: string): Html {
  const code = qrCode(url);
  if (code === undefined) {
    return html`<p>${vscode.l10n.t('Open this address on the phone. It’s too long for a code.')}</p>`;
  }
  return html`<div class="code">
      <svg role="img" aria-label="${vscode.l10n.t('QR code of {0}', url)}" viewBox="${code.viewBox}">
        <path d="${code.path}" fill="#000" fill-rule="evenodd" shape-rendering="crispEdges" />
      </svg>
    </div>
    <p>${vscode.l10n.t('Scan the code with the phone’s camera.')}</p>`;
}

/** Width of the white border in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** The densest version that a phone's camera can read from a screen. The last version is 40. */
const DENSEST_VERSION = 20;

/** Returns a string's QR code as an SVG path and its view box, or undefined if the string is too long for a readable code. */
export function qrCode(text: string): { readonly path: string; readonly viewBox: string } | undefined {
  try {
    const code = generate(text, { maxVersion: DENSEST_VERSION });
    const size = code.size + 2 * QUIET_ZONE;
    return { path: toSvgPath(code), viewBox: `${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}` };
  } catch {
    return undefined;
  }
}

const STYLE = DESIGN_STYLE + readLinkPageFile('linkPage.css');
const SCRIPT = readLinkPageFile('linkPage.js');

function readLinkPageFile(name: string): string {
  return readFileSync(path.join(import.meta.dirname, name), 'utf8');
}

/** Details of a shared build. Undefined if the service has none. */
export type SharedBuildDetails = Pick<BuildDetails, 'builder' | 'isTestSigned'> | undefined;

/** Returns the title and version: `Shop 1.2.0`. */
export function getAppHeading({ title, version }: Pick<App, 'title' | 'version'>): string {
  return version === undefined ? title : `${title} ${version}`;
}

/** Warning shown next to every link to a package that is signed with a test key. */
export const TEST_KEY = sentence('Signed with a test key. Fine for your own phones, not for app stores.');

/** Returns the warnings to read before installing a build. */
export function buildWarnings(build: SharedBuildDetails): readonly string[] {
  return [
    ...(build?.isTestSigned === true ? [localize(TEST_KEY)] : []),
    ...(build?.builder === BUILTIN_BUILDER
      ? [vscode.l10n.t('The built-in builder made this app. It hasn’t been tested on real phones yet.')]
      : []),
  ];
}

/** The open pages that show a link to a build and its QR code. */
export class LinkPages extends Disposable {
  readonly #open = new Map<string, { readonly content: LinkPage; readonly page: WebviewPage }>();

  constructor() {
    super();
    this.register({ dispose: () => [...this.#open.values()].forEach(({ page }) => page.close()) });
  }

  /** Opens a page or reveals the open page with the same ID. */
  show(content: LinkPage): void {
    this.close(content.id);
    const page = openPage('appBuild.install', {
      title: content.title,
      body: linkPageBody(content),
      style: STYLE,
      script: SCRIPT,
      commands: COMMANDS,
    });
    this.#open.set(content.id, { content, page });
    page.onDidClose(() => {
      if (this.#open.get(content.id)?.page === page) {
        this.#open.delete(content.id);
      }
    });
  }

  /** Returns an open page. @param id the ID in the page's links */
  get(id: unknown): LinkPage | undefined {
    return typeof id === 'string' ? this.#open.get(id)?.content : undefined;
  }

  /** Updates the status of a link if its page is open. */
  setStatus(id: string, status: LinkStatus): void {
    this.#open.get(id)?.page.send(status);
  }

  close(id: string): void {
    this.#open.get(id)?.page.close();
  }
}
