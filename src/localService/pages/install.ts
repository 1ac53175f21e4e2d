import { html } from 'hono/html';

import type { App, Build } from '../store/model.ts';
import { page, type Html } from './layout.ts';
import { nameOf, relativeTime, shownText, sizeOf, timeOf } from './texts.ts';

export interface InstallView {
  readonly app: App;
  readonly build: Build;
  readonly downloadUrl: string;
  /** Path of the icon. */
  readonly icon: string | undefined;
  /** Address of the manifest by which iOS installs; `undefined` where it cannot. */
  readonly manifestUrl: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** When the link ends, milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What a phone shows that has opened an install link. */
export function installPage({ app, build, downloadUrl, icon, manifestUrl, now, expiresAt }: InstallView): Html {
  const { platform, artifact, finishedAt, number } = build;
  const isDemo = artifact === null || artifact.builder === 'demo';
  const itms = `itms-services://?action=download-manifest&url=${encodeURIComponent(manifestUrl ?? '')}`;
  return page(
    { title: shownText(app.title), narrow: true },
    html`<section class="wide">
${icon === undefined ? '' : html`<img src="${icon}" alt="" width="72" height="72">`}
<dl><dt>Version</dt><dd>${nameOf(app.version)}</dd><dt>Platform</dt><dd>${platform}</dd>
${artifact === null ? '' : html`<dt>Size</dt><dd>${sizeOf(artifact.size)}</dd>`}
${finishedAt === null ? '' : html`<dt>Built</dt><dd>${relativeTime(finishedAt, now)}, build ${number}</dd>`}</dl>
${isDemo ? html`<p class="note">This is a demo package: it shows the way of a build, and cannot be installed.</p>` : ''}
${artifact?.signedWith === 'test key' ? html`<p class="note">Signed with a test key: for your own phones, not for shops.</p>` : ''}
${artifact?.builder === 'builtin' ? BUILTIN_NOTE : ''}
${platform === 'ios' && !isDemo ? iosNote(manifestUrl === undefined ? undefined : itms) : ''}
<p><a class="button primary" href="${downloadUrl}">Download</a></p></section>
<p class="soft">This link is for this build only, and works until ${timeOf(expiresAt)}.</p>`,
  );
}

const BUILTIN_NOTE = html`<p class="note">Made by the built-in builder, for Android 7 and later. Its makers have not seen such an app run on a
phone yet.</p>`;

function iosNote(link: string | undefined): Html {
  return link === undefined
    ? html`<p class="note">An iPhone or iPad installs apps from a page only over HTTPS. Download the file and install it with Xcode or
Apple Configurator.</p>`
    : html`<p><a class="button primary" href="${link}">Install on this device</a></p>`;
}
