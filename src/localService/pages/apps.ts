import { html } from 'hono/html';

import type { Builder } from '../builds/builder.ts';
import { PLATFORMS, type App, type BuildStatus, type Platform } from '../store/model.ts';
import { goesOnNote, type Following } from './following.ts';
import { accountCorner, list, page, type Html, type SignedIn } from './layout.ts';
import { nameOf, timeOf } from './texts.ts';

/** What the builder of this service can do. */
export interface BuilderView {
  readonly name: Builder['name'];
  /** For each platform: `undefined`, or why it cannot be built here. */
  readonly platforms: Awaited<ReturnType<Builder['platforms']>>;
}

export interface AppsView extends SignedIn {
  readonly apps: readonly App[];
  readonly builder: BuilderView;
  /** Present while builds wait or run. */
  readonly following: Following | undefined;
}

const STATUS_TEXTS: Readonly<Record<NonNullable<BuildStatus>, string>> = {
  pending: 'building',
  complete: 'complete',
  error: 'failed',
  skip: 'skipped',
};

/** The apps of a user, how their builds are, and what can be built here. */
export function appsPage({ apps, builder, following, ...signedIn }: AppsView): Html {
  return page(
    { title: 'Apps', corner: accountCorner(signedIn) },
    html`${goesOnNote(following)}<section aria-labelledby="apps"><h2 id="apps">Your apps</h2>
${list(
  apps.map(appItem),
  'You have no app yet. Create one with the editor, or with a client of the API.',
)}</section>${builderSection(builder)}`,
  );
}

/** The status of a build. */
export function statusMark(status: BuildStatus): Html {
  return status === null
    ? html`<span class="status">not built</span>`
    : html`<span class="status ${status}">${STATUS_TEXTS[status]}</span>`;
}

/** The platforms of an app for which there is something to say. */
export function platformsOf(app: App, builder: BuilderView): readonly Platform[] {
  return PLATFORMS.filter(
    (platform) => app.status[platform] !== undefined || builder.platforms[platform] === undefined,
  );
}

/** What can be built here, and why not the rest. */
export function builderSection({ name, platforms }: BuilderView): Html {
  const entries = PLATFORMS.map(
    (platform) => html`<dt>${platform}</dt><dd>${platforms[platform] ?? 'Can be built.'}</dd>`,
  );
  return html`<section aria-labelledby="builder"><h2 id="builder">What can be built here</h2>
<p class="soft">${BUILDER_NOTES[name]}</p><dl>${entries}</dl></section>`;
}

const BUILDER_NOTES: Readonly<Record<Builder['name'], string>> = {
  demo: 'The demo builder checks apps and packs their files. What it makes cannot be installed.',
  cordova: 'Apache Cordova builds on this machine.',
  command: 'A program that was chosen when this service was started builds.',
};

function appItem(app: App): Html {
  const marks = PLATFORMS.filter((platform) => app.status[platform] !== undefined).map(
    (platform) => html`<span class="build">${platform} ${statusMark(app.status[platform] ?? null)}</span> `,
  );
  return html`<li><div class="what"><a href="/account/apps/${app.id}"><strong>${nameOf(app.title)}</strong></a>
<small class="soft">${nameOf(app.version)}</small><br>
<small class="soft">${app.lastBuild === null ? 'Never built' : html`Last build ${timeOf(app.lastBuild)}`}</small></div>
<div class="builds">${marks}</div></li>`;
}
