import { html } from 'hono/html';

import type { Participant } from '../store/collaborators.ts';
import type { InstallKey } from '../store/installKeys.ts';
import type { App, Build, Platform } from '../store/model.ts';
import { platformsOf, statusMark, type BuilderView } from './apps.ts';
import { goesOnNote, type Following } from './following.ts';
import { accountCorner, buttonForm, confirmedForm, csrfField, list, page, type Html, type SignedIn } from './layout.ts';
import { nameOf, relativeTime, shownText, sizeOf, timeOf } from './texts.ts';

export interface AppView extends SignedIn {
  readonly app: App;
  /** Path of the icon. */
  readonly icon: string | undefined;
  readonly builds: readonly Build[];
  /** Platforms whose builds wait or run, and can be cancelled. */
  readonly unfinished: readonly Platform[];
  readonly participants: readonly Participant[];
  readonly builder: BuilderView;
  readonly installKeys: readonly { readonly key: InstallKey; readonly mayRevoke: boolean }[];
  /** Present while builds of the app wait or run. */
  readonly following: Following | undefined;
  readonly mayChange: boolean;
  readonly isOwner: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One app: its builds, the links for installing them, who works on it. */
export function appPage(view: AppView): Html {
  const { app, csrf, icon, isOwner } = view;
  return page(
    { title: shownText(app.title), corner: accountCorner(view) },
    html`${goesOnNote(view.following)}<section>${icon === undefined ? '' : html`<img src="${icon}" alt="" width="72" height="72">`}
<dl class="facts"><dt>Version</dt><dd>${nameOf(app.version)}</dd>
<dt>Package</dt><dd>${nameOf(app.package)}</dd>
${app.repo === null ? '' : html`<dt>Repository</dt><dd>${nameOf(app.repo)}</dd>`}
<dt>Builds</dt><dd>${app.buildCount}</dd></dl></section>
${buildsSection(view)}${installSection(view)}${participantsSection(view)}
${
  isOwner
    ? html`<section aria-labelledby="delete"><h2 id="delete">Delete</h2><p class="soft">The app goes with its files, builds and links.</p>
${confirmedForm(`/account/apps/${app.id}/delete`, csrf, { label: 'Delete this app' }, 'Delete it for good?')}</section>`
    : ''
}`,
  );
}

function buildsSection(view: AppView): Html {
  const { app, builder, csrf, mayChange } = view;
  const items = platformsOf(app, builder).map((platform) => buildItem(view, platform));
  const all = mayChange
    ? html`<div class="actions">${buttonForm(`/account/apps/${app.id}/build`, csrf, { label: 'Build for every platform', style: 'primary' })}</div>`
    : '';
  return html`<section aria-labelledby="builds"><h2 id="builds">Builds</h2>
${list(items, 'Nothing can be built here.')}${all}</section>`;
}

function buildItem({ app, builds, builder, csrf, mayChange, now, unfinished }: AppView, platform: Platform): Html {
  const path = `/account/apps/${app.id}`;
  const build = builds.find((each) => each.platform === platform);
  const status = build?.status ?? null;
  const unavailable = builder.platforms[platform];
  return html`<li><div class="what"><strong>${platform}</strong> ${statusMark(status)}
${build === undefined ? '' : buildDetails(build, now)}
${unavailable !== undefined && status === null ? html`<br><small class="soft">${unavailable}</small>` : ''}</div>
<div class="actions">
${status === 'complete' ? html`<a class="button" href="${path}/download/${platform}" aria-label="Download for ${platform}">Download</a>` : ''}
${build === undefined || status === null ? '' : html`<a class="button" href="${path}/log/${platform}" aria-label="Log of ${platform}">Log</a>`}
${mayChange && unfinished.includes(platform) ? buttonForm(`${path}/cancel/${platform}`, csrf, { label: 'Cancel', subject: `the build for ${platform}` }) : ''}
${mayChange && unavailable === undefined ? buttonForm(`${path}/build/${platform}`, csrf, { label: status === null ? 'Build' : 'Build again', subject: `for ${platform}` }) : ''}
</div></li>`;
}

function buildDetails({ error, artifact, finishedAt, number }: Build, now: number): Html {
  const facts = [
    ...(number === 0 ? [] : [`Build ${number}`]),
    ...(artifact === null ? [] : [sizeOf(artifact.size)]),
    ...(finishedAt === null ? [] : [relativeTime(finishedAt, now)]),
  ];
  return html`${facts.length === 0 ? '' : html`<br><small class="soft">${facts.join(' · ')}</small>`}
${artifact?.builder === 'demo' ? html`<br><small class="soft">A demo package, which cannot be installed.</small>` : ''}
${error === null ? '' : html`<p class="fault">${error}</p>`}`;
}

function installSection({ app, builds, installKeys, csrf, now }: AppView): Html {
  const built = builds.filter(({ status }) => status === 'complete').map(({ platform }) => platform);
  const path = `/account/apps/${app.id}/share`;
  const items = installKeys.map(
    ({ key, mayRevoke }) => html`<li><div class="what"><strong>${key.platform}</strong> build ${key.buildNumber}<br>
<small class="soft">Made ${timeOf(key.createdAt)}, works until ${timeOf(key.expiresAt)} (${relativeTime(key.expiresAt, now)})</small></div>
${mayRevoke ? buttonForm(`${path}/${key.id}/revoke`, csrf, { label: 'Revoke', style: 'danger', subject: `the link for ${key.platform}, build ${key.buildNumber}` }) : ''}</li>`,
  );
  const options = built.map((platform) => html`<option>${platform}</option>`);
  const form = html`<form method="post" action="${path}">${csrfField(csrf)}
<label for="platform">Platform</label><select id="platform" name="platform">${options}</select>
<label for="days">Days for which it works</label>
<input id="days" name="days" type="number" min="1" max="7" value="1" required>
<div class="actions"><button>Make a link</button></div></form>`;
  return html`<section aria-labelledby="install"><h2 id="install">Links for installing</h2>
<p class="soft">Whoever has such a link can download this one build, without an account.</p>
${list(items, 'There is no link.')}${built.length === 0 ? html`<p class="soft">A link needs a complete build.</p>` : form}</section>`;
}

function participantsSection({ participants }: AppView): Html {
  const items = participants.map(
    ({ person, role, userId }) =>
      html`<li><div class="what">${nameOf(person)}</div><span class="soft">${role}${userId === undefined ? ', invited' : ''}</span></li>`,
  );
  return html`<section aria-labelledby="people"><h2 id="people">Collaborators</h2>${list(items, 'Nobody.')}</section>`;
}

/** Shows a link for installing a build, this once. */
export function installLinkPage({
  app,
  key,
  url,
  ...signedIn
}: SignedIn & {
  readonly app: App;
  readonly key: InstallKey;
  readonly url: string;
}): Html {
  return page(
    { title: shownText(app.title), corner: accountCorner(signedIn) },
    html`<section><p class="note">Copy the link now: it is not shown again.</p>
<dl><dt>Link for ${key.platform}, build ${key.buildNumber}</dt><dd><code>${url}</code></dd>
<dt>Works until</dt><dd>${timeOf(key.expiresAt)}</dd></dl>
<p><a class="button primary" href="/account/apps/${app.id}#install">Done</a></p></section>`,
  );
}
