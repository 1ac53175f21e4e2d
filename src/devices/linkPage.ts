import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import * as vscode from 'vscode';
import type { App } from '../apps/model/app.ts';
import type { BuildDetails } from '../apps/model/build.ts';
import { BUILTIN_BUILDER } from '../apps/model/builderSupport.ts';
import { sentence } from '../api/errors/sentence.ts';
import { DESIGN_STYLE } from '../formats/pageDesign.ts';
import { Disposable } from '../workbench/disposable.ts';
import { html, type Html } from '../workbench/html.ts';
import { localised } from '../workbench/notifications.ts';
import { commandLink, openPage, type Page } from '../workbench/page.ts';
import { pictureOf } from './packageIcon.ts';

/** Commands that a page with a link offers: each gets the id of the page. */
const COMMANDS = ['appBuild.copyInstallLink', 'appBuild.stopSharing'] as const;

/** The use of a link by phones. */
export interface LinkStatus {
  readonly state: 'waiting' | 'opened' | 'downloaded';
  readonly text: string;
}

/** A page with a link for a phone. Its texts are shown as they are written. */
export interface LinkPage {
  /** Names the page among those that are open. */
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  /** A line below the heading. */
  readonly detail: string;
  /** The icon of the app, as an address that holds it; undefined: the mark. */
  readonly icon: string | undefined;
  readonly url: string;
  readonly status: LinkStatus;
  /** The command that ends the link. */
  readonly end: { readonly command: (typeof COMMANDS)[number]; readonly title: string };
  /** Help for phones that have trouble, below a line that unfolds it. */
  readonly help: { readonly title: string; readonly lines: readonly string[] };
}

/** The page: the app, the code on white, what phones have done, and the address as text. The rest is folded. */
function linkPageBody({ id, heading, detail, icon, url, status, end, help }: LinkPage): Html {
  const [copy] = COMMANDS;
  return html`<main>
    <header class="identity">
      ${pictureOf(icon)}
      <div>
        <h1>${heading}</h1>
        <p class="soft">${detail}</p>
      </div>
    </header>
    ${qrCodeOf(url)}
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

/** A link with a title of its own: VS Code would show, and a screen reader say, the address of the command. */
function commandAnchor(style: string, address: string, text: string): Html {
  return html`<a class="${style}" href="${address}" title="${text}">${text}</a>`;
}

/** The code on white, which a dark theme needs; without it, what to do with the address. */
function qrCodeOf(url: string): Html {
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

const STYLE = DESIGN_STYLE + readOwn('linkPage.css');
const SCRIPT = readOwn('linkPage.js');

/** A file that lies beside this one, and beside the bundle. */
function readOwn(name: string): string {
  return readFileSync(path.join(import.meta.dirname, name), 'utf8');
}

/** The details of a shared build; undefined when the service has none. */
export type SharedBuild = Pick<BuildDetails, 'builder' | 'isTestSigned'> | undefined;

/** Title and version: `Shop 1.2.0`. */
export function headingOf({ title, version }: Pick<App, 'title' | 'version'>): string {
  return version === undefined ? title : `${title} ${version}`;
}

/** Shown with every link to a package that is signed so. */
export const TEST_KEY = sentence('Signed with a test key. Fine for your own phones, not for app stores.');

/** Warnings about a build before it's installed. */
export function buildWarnings(build: SharedBuild): readonly string[] {
  return [
    ...(build?.isTestSigned === true ? [localised(TEST_KEY)] : []),
    ...(build?.builder === BUILTIN_BUILDER
      ? [vscode.l10n.t('The built-in builder made this app. It hasn’t been tested on real phones yet.')]
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

  /** An open page. @param id as the links of the page pass it. */
  of(id: unknown): LinkPage | undefined {
    return typeof id === 'string' ? this.#open.get(id)?.content : undefined;
  }

  /** Shows what phones have done with a link, where its page is open. */
  setStatus(id: string, status: LinkStatus): void {
    this.#open.get(id)?.page.send(status);
  }

  close(id: string): void {
    this.#open.get(id)?.page.close();
  }
}
