/** Lists, creates, reads, updates, and deletes apps. The contract mentions these operations but doesn't define them. */
import { Hono } from 'hono';

import { PNG_HEAD_BYTES, pngSize, readBytes } from '../../android-package/index.ts';
import type { Authenticated } from '../http/authentication.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { asTitle, readNumber } from '../http/fields.ts';
import { withReceivedRequest } from '../http/receivedRequest.ts';
import type { ReceivedFile } from '../http/requestBody.ts';
import { MAX_SMALL_FILE_BYTES } from '../limits.ts';
import type { Service } from '../service.ts';
import { addApp, changeApp, deleteApp, findApps } from '../store/apps.ts';
import { provideApp, requireDeveloper, requireOwner, withCurrentApp, type WithApp } from './appAccess.ts';
import { APPS_LINK, appsActions } from './appActions.ts';
import { changesBuild, changesByPackage, readAppChanges, requireOwnKeys } from './appFields.ts';
import {
  storeFiles,
  getSourceName,
  removeFiles,
  getCreationSource,
  getUpdateSource,
  usePackage,
  type StoredPackage,
} from './appPackage.ts';
import { answerApp, appSummary } from './appResource.ts';
import { addBuildRoutes } from './buildRoutes.ts';
import { addCollaboratorRoutes } from './collaborators.ts';
import { DEFAULT_VERSION, getBuildablePlatforms } from './currentSupport.ts';
import { createDownloadPath, redirectToDownload } from './downloads.ts';

/** Adds `/apps` and its subpaths. */
export function addAppRoutes(api: Hono<Authenticated>, service: Service): void {
  const { store, builder, builds } = service;

  api.get('/apps', (c) => {
    const { id } = c.var.user;
    const { apps, hasMore } = findApps(store, id, readNumber('after', c.req.query('after')));
    const last = apps.at(-1);
    return c.json({
      apps: apps.map((app) => appSummary(app, id)),
      link: APPS_LINK,
      ...(hasMore && last !== undefined && { links: { next: `${APPS_LINK}?after=${last.id}` } }),
      actions: appsActions(),
    });
  });

  api.post('/apps', (c) =>
    withReceivedRequest(c, service, async (request) => {
      const { user } = c.var;
      const changes = readAppChanges(request.fields);
      const source = getCreationSource(request);
      const platforms = await getBuildablePlatforms(builder);
      const id = await usePackage(c, service, source, (stored) =>
        store.transaction(() => {
          requireOwnKeys(store, user, user.id, changes.keys);
          const added = addApp(store, user.id, {
            title: getSourceName(source) || 'app',
            phonegapVersion: DEFAULT_VERSION,
            ...changesByPackage(source, stored, changes),
          });
          builds.request(added, platforms);
          return added;
        }),
      );
      await builds.settle(id);
      return answerApp(c, store, user, id, 201);
    }),
  );

  const apps = new Hono<WithApp>();
  apps.use(provideApp(store));
  apps.get('/', (c) => answerApp(c, store, c.var.user, c.var.app.id));

  apps.put('/', (c) => {
    const { app, user } = c.var;
    requireDeveloper(app, user);
    return withReceivedRequest(c, service, async (request) => {
      const changes = readAppChanges(request.fields);
      const source = getUpdateSource(request, app);
      const isBuilt = source !== undefined || changesBuild(changes);
      const platforms = await getBuildablePlatforms(builder);
      const save = (stored?: StoredPackage): string | undefined =>
        withCurrentApp(c, store, requireDeveloper, (current) => {
          requireOwnKeys(store, user, current.ownerId, changes.keys);
          changeApp(
            store,
            current,
            stored === undefined ? changes : changesByPackage(source, stored, changes, current),
          );
          if (isBuilt) {
            builds.request(app.id, platforms);
          }
          return stored && current.upload?.file;
        });
      const replaced = source === undefined ? save() : await usePackage(c, service, source, save);
      await removeFiles(service, [replaced]);
      if (isBuilt) {
        await builds.settle(app.id);
      }
      return answerApp(c, store, user, app.id);
    });
  });

  apps.delete('/', async (c) => {
    const { app } = c.var;
    const files = withCurrentApp(c, store, requireOwner('delete it'), (current) => {
      builds.cancel(app.id);
      return deleteApp(store, current);
    });
    await removeFiles(service, files);
    return c.json({ success: `app ${app.id} deleted` }, 202);
  });

  addAppIconRoutes(apps, service);
  addCollaboratorRoutes(apps, service);
  // Must be last, because it treats any other name under an app as a platform.
  addBuildRoutes(apps, service);
  api.route('/apps/:id', apps);
}

/** Adds the routes for an app's icon. */
function addAppIconRoutes(apps: Hono<WithApp>, service: Service): void {
  const { store, builder, builds } = service;

  apps.get('/icon', (c) => {
    const { app } = c.var;
    if (app.icon === null) {
      throw notFound(`No icon available for app #${app.id}`);
    }
    return redirectToDownload(c, createDownloadPath(store, app, 'icon'));
  });

  apps.post('/icon', (c) => {
    const { app, user } = c.var;
    requireDeveloper(app, user);
    return withReceivedRequest(c, service, async ({ files: { icon } }) => {
      if (icon === undefined) {
        throw new HttpError(400, 'The field icon, with a PNG file, is missing.');
      }
      await requirePng(icon);
      const platforms = await getBuildablePlatforms(builder);
      const replaced = await storeFiles(service, [icon.path], ([iconFile = '']) =>
        withCurrentApp(c, store, requireDeveloper, (current) => {
          changeApp(store, current, { icon: asTitle(icon.fileName) || 'icon.png', iconFile });
          builds.request(app.id, platforms);
          return current.iconFile;
        }),
      );
      await removeFiles(service, [replaced]);
      await builds.settle(app.id);
      return answerApp(c, store, user, app.id, 201);
    });
  });
}

/**
 * Checks an uploaded icon.
 *
 * @throws HttpError 400 unless it's a PNG file
 */
async function requirePng({ path, size }: ReceivedFile): Promise<void> {
  if (size > MAX_SMALL_FILE_BYTES) {
    throw new HttpError(400, `The icon is larger than ${MAX_SMALL_FILE_BYTES} bytes.`);
  }
  if (pngSize(await readBytes(path, PNG_HEAD_BYTES)) === undefined) {
    throw new HttpError(400, 'The icon isn’t a PNG file.');
  }
}
