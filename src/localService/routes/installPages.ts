/** What opens with an install key alone, without an account: the page of one build, and its download. */
import type { Hono } from 'hono';

import { notFound } from '../http/errors.ts';
import { isSecure } from '../http/origin.ts';
import { ICON_PAGE_POLICY } from '../http/security.ts';
import { installManifest } from '../pages/installManifest.ts';
import { installPage } from '../pages/install.ts';
import type { Service } from '../service.ts';
import { findAppOf } from '../store/apps.ts';
import { findBuild } from '../store/builds.ts';
import { findInstallKey, type InstallKey } from '../store/installKeys.ts';
import type { App, Build } from '../store/model.ts';
import { installPath } from './appLinks.ts';
import { absoluteUrl } from './downloadRedirect.ts';
import { createDownloadPath, sendDownload } from './downloads.ts';

/** What an install key opens. */
interface Opened {
  readonly app: App;
  readonly build: Build;
  readonly key: InstallKey;
}

/** Adds the pages. */
export function addInstallPages(site: Hono, service: Service): void {
  const { store, now } = service;

  site.get('/apps/:id/install', async (c) => {
    const value = c.req.query('qr_key') ?? '';
    const { app, build, key } = openInstallKey(service, c.req.param('id'), value);
    const icon = app.icon === null ? undefined : createDownloadPath(store, app, 'icon', now());
    const page = installPage({
      ...{ app, build, icon, now: now(), expiresAt: key.expiresAt },
      downloadUrl: downloadPath(app, build, value),
      manifestUrl: isSecure(c) ? absoluteUrl(c, `${installPath(app)}/manifest?qr_key=${value}`) : undefined,
    });
    return c.html(await page, 200, { 'Content-Security-Policy': ICON_PAGE_POLICY });
  });

  site.get('/apps/:id/install/manifest', async (c) => {
    const value = c.req.query('qr_key') ?? '';
    const { app, build } = openInstallKey(service, c.req.param('id'), value);
    if (build.platform !== 'ios') {
      throw notFound('Only builds for ios have a manifest.');
    }
    const manifest = installManifest(app, absoluteUrl(c, downloadPath(app, build, value)));
    return c.body(String(await manifest), 200, { 'Content-Type': 'application/xml; charset=UTF-8' });
  });

  site.get('/apps/:id/download/:platform', (c) => {
    const { app, build } = openInstallKey(service, c.req.param('id'), c.req.query('qr_key') ?? '');
    if (build.platform !== c.req.param('platform')) {
      throw notFound(ENDED);
    }
    return sendDownload(c, service, app, { download: build.platform, buildNumber: build.number });
  });
}

const ENDED =
  'This link does not work, or not any more: there is a later build, its time is over, or it was revoked. Ask who sent it for another one.';

/**
 * What a key opens: nothing but the build that it was made for, while that is the latest one and who made the key works on the app.
 *
 * @param id of the app, as in a path
 * @throws HttpError 404
 */
function openInstallKey({ store, now }: Service, id: string, value: string): Opened {
  const key = findInstallKey(store, value, now());
  const app = key && findAppOf(store, key.userId, id);
  const build = key && findBuild(store, key.appId, key.platform);
  if (app === undefined || build === undefined || app.id !== key?.appId) {
    throw notFound(ENDED);
  }
  if (build.status !== 'complete' || build.number !== key.buildNumber) {
    throw notFound(ENDED);
  }
  return { app, build, key };
}

function downloadPath(app: App, { platform }: Build, value: string): string {
  return `/apps/${app.id}/download/${platform}?qr_key=${value}`;
}
