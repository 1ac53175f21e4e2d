/**
 * Creates the JSON representations of apps. Every resource has `link`, a path without a host, and links and operations
 * in `links` and `actions` (contract, General behaviours, 1).
 */
import type { Context } from 'hono';

import { roleIn } from '../store/apps.ts';
import { findBuild } from '../store/builds.ts';
import { findKey } from '../store/keys.ts';
import type { App, Artifact, BuildStatus, Participant, User } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import { appActions, appLink, APPS_LINK, buildLink, logLink, getPlatforms, getSignedPlatforms } from './appActions.ts';
import { requireApp } from './appAccess.ts';
import { keySummary } from './keyRoutes.ts';
import { type Platform, PLATFORMS } from '../../android-package/index.ts';

/** Returns an app as an element of `/apps`. */
export function appSummary(app: App, userId: number): object {
  const link = appLink(app);
  return {
    id: app.id,
    title: app.title,
    package: app.package,
    version: app.version,
    repo: app.repo,
    tag: app.tag,
    description: app.description,
    debug: app.debug,
    private: app.private,
    share: app.share,
    link,
    build_count: app.buildCount,
    last_build: app.lastBuild,
    phonegap_version: app.phonegapVersion,
    hydrates: app.hydrates,
    ...buildState(app),
    download: getBuildLinks(
      app,
      (status) => status === 'complete',
      (platform) => `${link}/${platform}`,
    ),
    icon: { filename: app.icon, link: `${link}/icon` },
    // Real clients read this field. It's always null, because phones can't reach this service.
    install_url: null,
    role: roleIn(app, userId),
  };
}

/** Returns an app with all details. */
function appResource(store: Store, app: App, user: User): object {
  const link = appLink(app);
  const keys = getSignedPlatforms(app).map((platform): [string, object | null] => {
    const key = findKey(store, app.keys[platform] ?? null);
    // Keys belong to the app's owner. Omit them for collaborators, who can't open the link to a key.
    return [platform, key?.ownerId === user.id ? keySummary(key) : null];
  });
  return {
    ...appSummary(app, user.id),
    ...bundleLinks(app, findBuild(store, app.id, 'android')?.artifact),
    keys: Object.fromEntries<object | null>(keys),
    collaborators: collaboratorsSummary(app),
    logs: getBuildLinks(
      app,
      (status) => status !== null,
      (platform) => logLink(app, platform),
    ),
    links: {
      build_status: `${link}/status`,
      builds: buildLink(app),
      plugins: `${link}/plugins`,
      ...(app.upload !== null && { www: `${link}/www` }),
      collection: APPS_LINK,
      signing_keys: '/api/v1/keys',
      current_support: '/api/v1/current_support',
    },
    actions: appActions(store, app, user),
  };
}

/** Responds with the current state of an app. */
export function answerApp(c: Context, store: Store, user: User, id: number, status: 200 | 201 | 202 = 200): Response {
  return c.json(appResource(store, requireApp(store, user, String(id)), user), status);
}

/** Returns the users who work on an app, including invited ones. */
export function collaboratorsSummary(app: App): object {
  const summaries = (isActive: boolean): readonly object[] =>
    app.participants
      .filter(({ userId }) => (userId !== null) === isActive)
      .map((each) => collaboratorSummary(app, each));
  return { link: `${appLink(app)}/collaborators`, active: summaries(true), pending: summaries(false) };
}

/** Returns a collaborator of an app. */
export function collaboratorSummary(app: App, { id, person, role }: Participant): object {
  return { id, person, role, link: `${appLink(app)}/collaborators/${id}` };
}

/**
 * Returns the state of an app's builds. Every platform has a status, because clients wait for all of them. `error` is
 * always an object, because clients treat a string as the message of a failed call. Clients use `queued_at` to
 * distinguish a new build from an earlier one.
 */
export function buildState(app: App): object {
  const status: Readonly<Partial<Record<Platform, BuildStatus>>> = {
    ...Object.fromEntries(getPlatforms(app).map((platform) => [platform, null])),
    ...app.status,
  };
  const queuedAt = Object.entries(app.queuedAt).map(([name, time]): [string, string] => [
    name,
    new Date(time).toISOString(),
  ]);
  return {
    status,
    error: app.error,
    queued_at: Object.fromEntries<string>(queuedAt),
    completed: !Object.values(status).includes('pending'),
  };
}

/**
 * Returns the path of the app bundle, if any. It isn't in `download`, because real clients treat every property of
 * `download` as a platform.
 */
export function bundleLinks(app: App, artifact: Artifact | null = null): object {
  return artifact?.bundle ? { bundle: { android: `${appLink(app)}/android/bundle` } } : {};
}

/** Returns the paths of the builds with a certain status, keyed by platform. */
function getBuildLinks(
  app: App,
  isWanted: (status: BuildStatus) => boolean,
  link: (platform: Platform) => string,
): Readonly<Record<string, string>> {
  const platforms = PLATFORMS.filter((platform) => isWanted(app.status[platform] ?? null));
  return Object.fromEntries(platforms.map((platform) => [platform, link(platform)]));
}
