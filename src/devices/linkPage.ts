import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import * as vscode from 'vscode';
import type { App } from '../apps/model/app.ts';
import type { BuildDetails } from '../apps/model/build.ts';
import { BUILTIN_BUILDER } from '../apps/model/builderSupport.ts';
import { Disposable } from '../workbench/disposable.ts';
import { html, type Html } from '../workbench/html.ts';
import { commandLink, openPage, type Page } from '../workbench/page.ts';

/** Commands that a page with a link offers: each gets the id of the page. */
const COMMANDS = ['appBuild.copyInstallLink', 'appBuild.stopSharing'] as const;

/** A page with a link for another device. Its texts are shown as they are written. */
export interface LinkPage {
  /** Names the page among those that are open. */
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  readonly url: string;
  readonly warnings: readonly string[];
  /** The command that ends the link. */
  readonly end: { readonly command: (typeof COMMANDS)[number]; readonly title: string };
  readonly notes: readonly string[];
}

/** The page: a heading, the code on white, the address as text, what can be done with it, and what to know of it. */
function linkPageBody({ id, heading, url, warnings, end, notes }: LinkPage): Html {
  const [copy] = COMMANDS;
  return html`<main>
    <h1>${heading}</h1>
    ${warnings.map((text) => html`<p class="warning" role="note">${text}</p>`)} ${qrCodeOf(url)}
    <p class="address"><code>${url}</code></p>
    <p class="actions">
      ${commandAnchor(commandLink(copy, id), vscode.l10n.t('Copy Link'))}
      ${commandAnchor(commandLink(end.command, id), end.title)}
    </p>
    ${notes.map((text) => html`<p>${text}</p>`)}
  </main>`;
}

/** A link with a title of its own: VS Code would show, and a screen reader say, the address of the command. */
function commandAnchor(address: string, text: string): Html {
  return html`<a href="${address}" title="${text}">${text}</a>`;
}

/** The code on white, which a dark theme needs; without it, what to do with the address. */
function qrCodeOf(url: string): Html {
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

/** Modules of white around the code, as ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;

/** The densest code that a phone's camera reads from a screen. The last version is 40. */
const DENSEST_VERSION = 20;

/** The QR code of a text: the path of an SVG and its box. Undefined for a text that is too long for a code that can be read. */
export function qrCode(text: string): { readonly path: string; readonly viewBox: string } | undefined {
  try {
    const code = generate(text, { maxVersion: DENSEST_VERSION });
    const size = code.size + 2 * QUIET_ZONE;
    return { path: toSvgPath(code), viewBox: `${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}` };
  } catch {
    return undefined;
  }
}

const STYLE = readFileSync(path.join(import.meta.dirname, 'linkPage.css'), 'utf8');

/** The details of a shared build; undefined when the service has none. */
export type SharedBuild = Pick<BuildDetails, 'builder' | 'isTestSigned'> | undefined;

/** Title and version: `Shop 1.2.0`. */
export function headingOf({ title, version }: Pick<App, 'title' | 'version'>): string {
  return version === undefined ? title : `${title} ${version}`;
}

/** Of a page by which an app is installed. */
export function installTitle(app: string, platform: string): string {
  return vscode.l10n.t('Install {0} for {1}', app, platform);
}

export function buildWarnings(build: SharedBuild): readonly string[] {
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
  ];
}

/** The pages that show a link to one build and its QR code. */
export class LinkPages extends Disposable {
  readonly #open = new Map<string, { readonly content: LinkPage; readonly page: Page }>();

  constructor() {
    super();
    this.register({ dispose: () => [...this.#open.values()].forEach(({ page }) => page.close()) });
  }

  /** Opens a page, or shows the one of that id anew. */
  show(content: LinkPage): void {
    this.close(content.id);
    const page = openPage('appBuild.install', {
      title: content.title,
      body: linkPageBody(content),
      style: STYLE,
      commands: COMMANDS,
    });
    this.#open.set(content.id, { content, page });
    page.onDidClose(() => {
      if (this.#open.get(content.id)?.page === page) {
        this.#open.delete(content.id);
      }
    });
  }

  /** An open page. @param id as the links of the page pass it. */
  of(id: unknown): LinkPage | undefined {
    return typeof id === 'string' ? this.#open.get(id)?.content : undefined;
  }

  close(id: string): void {
    this.#open.get(id)?.page.close();
  }
}
