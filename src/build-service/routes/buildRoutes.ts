/** Serves the builds of an app: requests, state, logs, and downloads. */
import type { Hono } from 'hono';

import { readBuildLog } from '../builds/buildLog.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { listField, readNumber } from '../http/fields.ts';
import { withReceivedRequest } from '../http/receivedRequest.ts';
import type { Service } from '../service.ts';
import { findBuild } from '../store/builds.ts';
import { timestamp, type App, type Build } from '../store/model.ts';
import { requireDeveloper, withCurrentApp, type WithApp } from './appAccess.ts';
import { appLink, buildActions, buildLink, logLink } from './appActions.ts';
import { answerApp, buildState, bundleLinks } from './appResource.ts';
import { getBuildablePlatforms } from './currentSupport.ts';
import { toAbsoluteUrl, createDownloadPath, redirectToDownload } from './downloads.ts';
import { type Platform, PLATFORMS } from '../../android-package/index.ts';

/** Other names that clients use for platforms. */
const OTHER_NAMES: ReadonlyMap<string, Platform> = new Map([
  ['windows', 'winphone'],
  ['wp8', 'winphone'],
]);

/** Adds the routes for an app's builds. */
export function addBuildRoutes(apps: Hono<WithApp>, service: Service): void {
  const { store, builder, builds } = service;

  // Clients poll this path while they wait for a build.
  apps.get('/status', (c) => {
    const { app } = c.var;
    const link = `${appLink(app)}/status`;
    return c.json({ id: app.id, ...buildState(app), link, links: { app: appLink(app), builds: buildLink(app) } });
  });

  apps.get('/build', (c) => {
    const { app, user } = c.var;
    const found = PLATFORMS.map((platform) => findBuild(store, app.id, platform)).filter(
      (build) => build !== undefined,
    );
    return c.json({
      builds: found.map((build) => buildSummary(app, build.platform, build)),
      link: buildLink(app),
      links: { app: appLink(app), build_status: `${appLink(app)}/status` },
      actions: buildActions(app, user),
    });
  });

  apps.get('/build/:platform', (c) => {
    const { app, user } = c.var;
    const platform = requireBuildPlatform(c.req.param('platform'));
    return c.json({
      ...buildSummary(app, platform, findBuild(store, app.id, platform)),
      links: { app: appLink(app), builds: buildLink(app) },
      actions: buildActions(app, user, platform),
    });
  });

  apps.post('/build', (c) => {
    const { app, user } = c.var;
    requireDeveloper(app, user);
    return withReceivedRequest(c, service, async ({ fields }) => {
      const requested = listField(fields, 'platforms') ?? [];
      const platforms =
        requested.length === 0 ? await getBuildablePlatforms(builder) : [...new Set(requested.map(readPlatform))];
      withCurrentApp(c, store, requireDeveloper, () => builds.request(app.id, platforms));
      await builds.settle(app.id);
      return answerApp(c, store, user, app.id, 202);
    });
  });

  apps.post('/build/:platform', (c) => {
    const { app, user } = c.var;
    const platform = requireBuildPlatform(c.req.param('platform'));
    requireDeveloper(app, user);
    return withReceivedRequest(c, service, async () => {
      withCurrentApp(c, store, requireDeveloper, () => builds.request(app.id, [platform]));
      await builds.settle(app.id);
      return answerApp(c, store, user, app.id, 202);
    });
  });

  apps.delete('/build/:platform', (c) => {
    const { app, user } = c.var;
    const platform = requireBuildPlatform(c.req.param('platform'));
    requireDeveloper(app, user);
    if (!withCurrentApp(c, store, requireDeveloper, () => builds.cancelBuild(app.id, platform))) {
      throw new HttpError(409, `app #${app.id} has no running build for ${platform}`);
    }
    return answerApp(c, store, user, app.id, 202);
  });

  apps.get('/logs/:platform/build', async (c) => {
    const { app } = c.var;
    const requested = c.req.param('platform');
    const build = findBuild(store, app.id, requested);
    if (build === undefined) {
      throw notFound(`app #${app.id} has no build log for ${requested}`);
    }
    const offset = readNumber('offset', c.req.query('offset'));
    const { text, nextOffset, ended } = await readBuildLog(service, build, offset);
    const link = logLink(app, build.platform);
    return c.json({
      log: text,
      offset,
      next_offset: nextOffset,
      completed: ended,
      link: offset === 0 ? link : `${link}?offset=${offset}`,
      // Until the log is complete, `next` is the address of the rest of the log.
      links: { build: buildLink(app, build.platform), ...(!ended && { next: `${link}?offset=${nextOffset}` }) },
    });
  });

  apps.get('/www', (c) => {
    const { app } = c.var;
    if (app.upload === null) {
      throw notFound(`app #${app.id} doesn’t have a package, because nothing was uploaded`);
    }
    const link = `${appLink(app)}/www`;
    return c.json({ www_url: toAbsoluteUrl(c, createDownloadPath(store, app, 'package')), link });
  });

  apps.get('/plugins', (c) => {
    const { app } = c.var;
    return c.json({ plugins: app.plugins, link: `${appLink(app)}/plugins`, links: { app: appLink(app) } });
  });

  apps.get('/android/bundle', (c) => {
    const { app } = c.var;
    if (!findBuild(store, app.id, 'android')?.artifact?.bundle) {
      throw notFound(`app #${app.id} doesn’t have a bundle. Build it with your own signing key`);
    }
    return redirectToDownload(c, createDownloadPath(store, app, 'bundle'));
  });

  apps.get('/:platform', (c) => {
    const { app } = c.var;
    const requested = c.req.param('platform');
    const platform = PLATFORMS.find((each) => each === requested && app.status[each] === 'complete');
    if (platform === undefined) {
      throw notFound(`app #${app.id} download unavailable for ${requested}`);
    }
    return redirectToDownload(c, createDownloadPath(store, app, platform));
  });
}

/**
 * Returns the state of one build.
 *
 * @param build `undefined` before the first build for the platform
 */
function buildSummary(app: App, platform: Platform, build: Build | undefined): object {
  const { status = null, error = null, number = 0, artifact = null } = build ?? {};
  return {
    platform,
    status,
    // This is an object, because clients treat a string as the message of a failed call.
    error: error === null ? {} : { [platform]: error },
    number,
    queued_at: formatTime(build?.queuedAt),
    started_at: formatTime(build?.startedAt),
    finished_at: formatTime(build?.finishedAt),
    builder: artifact?.builder ?? null,
    signed_with: artifact?.signedWith ?? null,
    ...artifact?.fingerprints,
    filename: artifact?.name ?? null,
    size: artifact?.size ?? null,
    download: status === 'complete' ? { [platform]: `${appLink(app)}/${platform}` } : {},
    ...bundleLinks(app, artifact),
    logs: status === null ? {} : { [platform]: logLink(app, platform) },
    link: buildLink(app, platform),
  };
}

function formatTime(milliseconds: number | null = null): string | null {
  return milliseconds === null ? null : timestamp(new Date(milliseconds));
}

/** Returns a platform by any name that clients use. @throws `fault` for an unknown name */
function requireBuildPlatform(name: string, fault = notFound(`no builds for the platform ${name}`)): Platform {
  const platform = PLATFORMS.find((each) => each === name) ?? OTHER_NAMES.get(name);
  if (platform === undefined) {
    throw fault;
  }
  return platform;
}

/**
 * Reads the platform in a request.
 *
 * @throws HttpError 400 for an unknown platform
 */
function readPlatform(name: string): Platform {
  return requireBuildPlatform(
    name,
    new HttpError(400, `The field platforms names "${name}": use ${PLATFORMS.join(', ')}.`),
  );
}
