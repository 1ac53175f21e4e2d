import { html } from 'hono/html';

import type { App, Build } from '../store/model.ts';
import { page, type Html } from './layout.ts';

interface InstallView {
  readonly app: App;
  readonly build: Build;
  readonly downloadUrl: string;
  /** Path of the icon. */
  readonly icon: string | undefined;
  /** When the link ends, milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Characters of a name. */
const MAX_NAME_LENGTH = 200;

/** The page behind an install link. */
export function installPage({ app, build, downloadUrl, icon, expiresAt }: InstallView): Html {
  const { platform, artifact, finishedAt, number } = build;
  const isDemo = artifact === null || artifact.builder === 'demo';
  return page(
    { title: shownText(app.title), narrow: true },
    html`<section class="wide">
${icon === undefined ? '' : html`<img src="${icon}" alt="" width="72" height="72">`}
<dl><dt>Version</dt><dd><bdi>${shownText(app.version)}</bdi></dd><dt>Platform</dt><dd>${platform}</dd>
${artifact === null ? '' : html`<dt>Size</dt><dd>${sizeText(artifact.size)}</dd>`}
${finishedAt === null ? '' : html`<dt>Built</dt><dd>${timeOf(finishedAt)}, build ${number}</dd>`}</dl>
${isDemo ? html`<p class="note">This is a demo package: it shows the way of a build, and cannot be installed.</p>` : ''}
${artifact?.signedWith === 'test key' ? html`<p class="note">Signed with a test key: for your own phones, not for shops.</p>` : ''}
${artifact?.builder === 'builtin' ? BUILTIN_NOTE : ''}
${platform === 'ios' && !isDemo ? IOS_NOTE : ''}
<p><a class="button primary" href="${downloadUrl}">Download</a></p></section>
<p class="soft">This link is for this build only, and works until ${timeOf(expiresAt)}.</p>`,
  );
}

const BUILTIN_NOTE = html`<p class="note">Made by the built-in builder, for Android 7 and later. Its makers have not seen such an app run on a
phone yet.</p>`;

const IOS_NOTE = html`<p class="note">An iPhone or iPad installs apps from a page only over HTTPS. Download the file and install it with Xcode or
Apple Configurator.</p>`;

/** A name as the page shows it: of any length, without characters that are not seen or turn the direction of a text. */
function shownText(text: string): string {
  const visible = text.slice(0, MAX_NAME_LENGTH + 1).replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]+/gu, '');
  const shown = visible.length > MAX_NAME_LENGTH ? `${visible.slice(0, MAX_NAME_LENGTH)}…` : visible;
  return shown.trim() === '' ? '(no name)' : shown;
}

/** A point in time, milliseconds since the epoch. */
function timeOf(time: number): Html {
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** A number of bytes. */
function sizeText(bytes: number): string {
  const [unit, length] = bytes < 1e6 ? (['kB', 1e3] as const) : (['MB', 1e6] as const);
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(bytes / length)} ${unit}`;
}
