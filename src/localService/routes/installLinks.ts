/**
 * Links by which a person without an account installs one build: making, listing and revoking them, and the page and the
 * download that they open.
 */
import type { Hono } from 'hono';

import { HttpError, notFound } from '../http/errors.ts';
import { integerField, textField } from '../http/fields.ts';
import { withReceivedRequest, type ReceivedRequest } from '../http/receivedRequest.ts';
import { ICON_PAGE_POLICY } from '../http/security.ts';
import { installPage } from '../pages/install.ts';
import type { Service } from '../service.ts';
import { findAppOf } from '../store/apps.ts';
import { findBuild } from '../store/builds.ts';
import {
  createInstallKey,
  deleteInstallKey,
  findInstallKey,
  findInstallKeysOf,
  MAX_INSTALL_KEY_LIFETIME_MS,
  type InstallKey,
} from '../store/installKeys.ts';
import { PLATFORMS, timestamp, type App, type Build, type Platform, type User } from '../store/model.ts';
import { isOwner, type WithApp } from './appAccess.ts';
import { action, appLink, installPath, shareActions, shareLink } from './appActions.ts';
import { absoluteUrl, createDownloadPath, sendDownload } from './downloads.ts';

/** For how long a link works unless a request says it. */
const DEFAULT_INSTALL_KEY_LIFETIME_MS = 24 * 60 * 60_000;

/** Adds `/share` of an app. Every user who may download an app may hand it on, and so make links. */
export function addInstallKeyRoutes(apps: Hono<WithApp>, service: Service): void {
  const { store, now } = service;
  const requireKey = (app: App, id: string): InstallKey => {
    const key = findInstallKeysOf(store, app.id, now()).find((each) => each.id === id);
    if (key === undefined) {
      throw notFound(`could not find install key #${id}`);
    }
    return key;
  };

  apps.get('/share', (c) => {
    const { app } = c.var;
    return c.json({
      install_keys: findInstallKeysOf(store, app.id, now()).map((key) => installKeySummary(app, key)),
      link: shareLink(app),
      links: { app: appLink(app) },
      actions: shareActions(app),
    });
  });

  apps.post('/share', (c) => {
    const { app, user } = c.var;
    return withReceivedRequest(c, service, ({ fields }) => {
      const platform = readPlatform(fields, app);
      const lifetimeMs = readLifetime(fields);
      const build = findBuild(store, app.id, platform);
      if (build?.status !== 'complete') {
        throw notFound(`app #${app.id} download unavailable for ${platform}`);
      }
      const { key, value } = createInstallKey(store, build, { userId: user.id, lifetimeMs, now: now() });
      return c.json(
        {
          ...installKeyResource(app, user, key),
          qr_key: value,
          install_url: absoluteUrl(c, `${installPath(app)}?qr_key=${value}`),
        },
        201,
      );
    });
  });

  apps.get('/share/:key', (c) => {
    const { app, user } = c.var;
    return c.json(installKeyResource(app, user, requireKey(app, c.req.param('key'))));
  });

  apps.delete('/share/:key', (c) => {
    const { app, user } = c.var;
    const key = requireKey(app, c.req.param('key'));
    if (!mayRevoke(app, user, key)) {
      throw new HttpError(403, 'Only who has made a link and the owner of the app can revoke it.');
    }
    deleteInstallKey(store, key);
    return c.json({ success: `install key ${key.id} revoked` }, 202);
  });
}

function mayRevoke(app: App, user: User, key: InstallKey): boolean {
  return key.userId === user.id || isOwner(app, user);
}

function installKeyResource(app: App, user: User, key: InstallKey): object {
  const revoke = action('DELETE', `${shareLink(app)}/${key.id}`, 'revoke', 'Revoke');
  return {
    ...installKeySummary(app, key),
    links: { app: appLink(app), share: shareLink(app) },
    actions: mayRevoke(app, user, key) ? [revoke] : [],
  };
}

function installKeySummary(app: App, { id, platform, buildNumber, createdAt, expiresAt }: InstallKey): object {
  return {
    id,
    platform,
    number: buildNumber,
    created_at: createdAt,
    expires_at: timestamp(new Date(expiresAt)),
    link: `${shareLink(app)}/${id}`,
  };
}

/** The platform that a request names; of an app that is built for one, it needs none. @throws HttpError 400 */
function readPlatform(fields: ReceivedRequest['fields'], app: App): Platform {
  const wanted = textField(fields, 'platform') ?? '';
  const built = PLATFORMS.filter((platform) => app.status[platform] === 'complete');
  const platform = wanted === '' && built.length === 1 ? built[0] : PLATFORMS.find((each) => each === wanted);
  if (platform === undefined) {
    throw new HttpError(400, `The field platform must be one of these: ${PLATFORMS.join(', ')}.`);
  }
  return platform;
}

/** @throws HttpError 400 */
function readLifetime(fields: ReceivedRequest['fields']): number {
  const seconds = integerField(fields, 'expires_in') ?? DEFAULT_INSTALL_KEY_LIFETIME_MS / 1000;
  const max = MAX_INSTALL_KEY_LIFETIME_MS / 1000;
  if (seconds < 1 || seconds > max) {
    throw new HttpError(400, `The field expires_in must be from 1 to ${max} seconds, which is a week.`);
  }
  return seconds * 1000;
}

interface SharedBuild {
  readonly app: App;
  readonly build: Build;
  readonly key: InstallKey;
}

/** Adds the pages that open with an install key alone, without an account. */
export function addInstallPages(site: Hono, service: Service): void {
  const { store, now } = service;

  site.get('/apps/:id/install', async (c) => {
    const value = c.req.query('qr_key') ?? '';
    const { app, build, key } = openInstallKey(service, c.req.param('id'), value);
    const icon = app.icon === null ? undefined : createDownloadPath(store, app, 'icon', now());
    const downloadUrl = `/apps/${app.id}/download/${build.platform}?qr_key=${value}`;
    const page = await installPage({ app, build, icon, downloadUrl, expiresAt: key.expiresAt });
    return c.html(page, 200, { 'Content-Security-Policy': ICON_PAGE_POLICY });
  });

  site.get('/apps/:id/download/:platform', (c) => {
    const { app, build } = openInstallKey(service, c.req.param('id'), c.req.query('qr_key') ?? '');
    // A second wall: what is sent is the build of the key, whatever platform the address names.
    if (build.platform !== c.req.param('platform')) {
      throw linkEnded();
    }
    return sendDownload(c, service, app, { download: build.platform, buildNumber: build.number });
  });
}

/**
 * A key opens only the build that it was made for, while that is the latest one and the user who made the key works on the app.
 *
 * @param id of the app, as in a path
 * @throws HttpError 404
 */
function openInstallKey({ store, now }: Service, id: string, value: string): SharedBuild {
  const key = findInstallKey(store, value, now());
  const app = key && findAppOf(store, key.userId, id);
  const build = key && findBuild(store, key.appId, key.platform);
  if (app === undefined || build?.status !== 'complete' || app.id !== key?.appId || build.number !== key.buildNumber) {
    throw linkEnded();
  }
  return { app, build, key };
}

function linkEnded(): HttpError {
  return notFound(
    'This link does not work, or not any more: there is a later build, its time is over, or it was revoked. Ask who sent it for another one.',
  );
}
