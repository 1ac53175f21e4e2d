/** The icon of an app. */
import { open } from 'node:fs/promises';
import type { Hono } from 'hono';

import { PNG_HEAD_BYTES, pngSize } from '../../formats/png.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { withReceivedRequest } from '../http/receivedRequest.ts';
import type { ReceivedFile } from '../http/requestBody.ts';
import type { Service } from '../service.ts';
import { changeApp } from '../store/apps.ts';
import { requireDeveloper, withCurrentApp, type WithApp } from './appAccess.ts';
import { asTitle } from './appFields.ts';
import { removeFiles } from './appPackage.ts';
import { answerApp } from './appResource.ts';
import { everyPlatform } from './currentSupport.ts';
import { createDownloadPath, redirectToDownload } from './downloads.ts';

const MAX_ICON_BYTES = 4 * 1024 * 1024;
/** Pixels on a side. */
const MAX_ICON_SIZE = 4096;

/** Adds `/icon` of an app. */
export function addAppIconRoutes(apps: Hono<WithApp>, service: Service): void {
  const { store, files, builder, builds, now } = service;

  apps.get('/icon', (c) => {
    const { app } = c.var;
    if (app.icon === null) {
      throw notFound(`No icon available for app #${app.id}`);
    }
    return redirectToDownload(c, createDownloadPath(store, app, 'icon', now()));
  });

  apps.post('/icon', (c) => {
    const { app, user } = c.var;
    requireDeveloper(app, user);
    return withReceivedRequest(c, service, async ({ files: { icon } }) => {
      if (icon === undefined) {
        throw new HttpError(400, 'The field icon, with a PNG file, is missing.');
      }
      await requirePng(icon);
      const platforms = await everyPlatform(builder);
      const iconFile = await files.keep(icon.path);
      let replaced: string | null;
      try {
        replaced = withCurrentApp(store, user, app, requireDeveloper, (current) => {
          changeApp(store, current, { icon: asTitle(icon.fileName) || 'icon.png', iconFile });
          builds.request(app.id, platforms);
          return current.iconFile;
        });
      } catch (error) {
        await removeFiles(service, [iconFile]);
        throw error;
      }
      await removeFiles(service, [replaced]);
      return answerApp(c, store, user, app.id, 201);
    });
  });
}

/** @throws HttpError 400 that says what is wrong with the icon */
async function requirePng({ path, size }: ReceivedFile): Promise<void> {
  if (size > MAX_ICON_BYTES) {
    throw new HttpError(400, `The icon is larger than ${MAX_ICON_BYTES} bytes.`);
  }
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PNG_HEAD_BYTES));
    const size = pngSize(buffer.subarray(0, bytesRead));
    if (size === undefined) {
      throw new HttpError(400, 'The icon is no PNG file.');
    }
    if ([size.width, size.height].some((side) => side < 1 || side > MAX_ICON_SIZE)) {
      throw new HttpError(400, `The icon must have 1 to ${MAX_ICON_SIZE} pixels on each side.`);
    }
  } finally {
    await handle.close();
  }
}
