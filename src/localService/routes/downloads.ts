/**
 * The binaries that downloads redirect to. Their paths are signed and short-lived, so that no credentials are needed: a
 * client drops them when it follows a redirect to another origin, as a service with its own storage makes it.
 */
import { createHash } from 'node:crypto';

import type { Hono } from 'hono';

import { notFound } from '../http/errors.ts';
import type { Service } from '../service.ts';
import { findApp } from '../store/apps.ts';
import { PLATFORMS, type App, type Platform } from '../store/model.ts';
import { secretsEqual } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';

/** During which a download path works. */
const DOWNLOAD_LIFETIME_MS = 5 * 60_000;

/** What can be downloaded of an app. */
const DOWNLOADS = [...PLATFORMS, 'icon'] as const;
type Download = (typeof DOWNLOADS)[number];

const PACKAGES: Readonly<Record<Platform, { readonly extension: string; readonly type: string }>> = {
  android: { extension: 'apk', type: 'application/vnd.android.package-archive' },
  ios: { extension: 'ipa', type: 'application/octet-stream' },
  winphone: { extension: 'xap', type: 'application/x-silverlight-app' },
  browser: { extension: 'zip', type: 'application/zip' },
};

/** One picture, 32 × 32 pixels, PNG. */
const ICON = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAARElEQVR42mPgjllLU8QwasGoBaMWEG3Bf2yAOhb8JwQosuA/cWCwWvCfFDBqwa' +
    'gFA2PB0M9o9CiL6FGajtZooxYMfwsABLjA9cOyHnYAAAAASUVORK5CYII=',
  'base64',
);

/** The path from which something of an app can be fetched for five minutes. `now` in milliseconds since the epoch. */
export function createDownloadPath(store: Store, app: App, download: Download, now: number): string {
  const expiresAt = now + DOWNLOAD_LIFETIME_MS;
  const signature = signDownload(store, app.id, download, expiresAt);
  return `/downloads/${app.id}/${download}/${expiresAt}/${signature}/${fileName(app, download)}`;
}

/** Adds the download paths. */
export function addDownloadRoutes(app: Hono, { store, now }: Service): void {
  app.get('/downloads/:id/:download/:expiresAt/:signature/:file', (c) => {
    const { id, download: wanted, expiresAt, signature } = c.req.param();
    const found = findApp(store, id);
    const download = DOWNLOADS.find((each) => each === wanted);
    if (
      found === undefined ||
      download === undefined ||
      !secretsEqual(signature, signDownload(store, found.id, download, Number(expiresAt))) ||
      Number(expiresAt) < now()
    ) {
      throw notFound('This download has expired. Ask the API for it again.');
    }
    return c.body(download === 'icon' ? ICON : createPackage(found, download), 200, {
      'Content-Type': download === 'icon' ? 'image/png' : PACKAGES[download].type,
      'Content-Disposition': `attachment; filename="${fileName(found, download)}"`,
    });
  });
}

function signDownload(store: Store, appId: number, download: Download, expiresAt: number): string {
  return store.sign('download', `${appId} ${download} ${expiresAt}`);
}

/** The title reduced to characters that every file system takes. */
function fileName(app: App, download: Download): string {
  const name = app.title.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'app';
  return download === 'icon' ? `${name}.png` : `${name}.${PACKAGES[download].extension}`;
}

/** A zip archive without entries, as all three package formats are zip archives; its comment gives it some size. */
function createPackage(app: App, platform: Platform): Buffer<ArrayBuffer> {
  const seed = createHash('sha512').update(`${app.id} ${platform} ${app.version} ${app.buildCount}`).digest('hex');
  const comment = Buffer.from(seed.repeat(400));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, comment]);
}
