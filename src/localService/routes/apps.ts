/** Apps, and what is below them. The contract names apps and leaves their fields and routes open. */
import type { Context, Hono } from 'hono';

import type { Authenticated } from '../http/authentication.ts';
import { notFound } from '../http/errors.ts';
import type { Service } from '../service.ts';
import { findAppOf, findApps } from '../store/apps.ts';
import { PLATFORMS, type App, type Platform } from '../store/model.ts';
import {
  appLink,
  appResource,
  appSummary,
  buildStatusResource,
  collaboratorResource,
  collaboratorsResource,
} from './appResource.ts';
import { createDownloadPath } from './downloads.ts';

/** Adds `/apps` and what is below it. */
export function addAppRoutes(api: Hono<Authenticated>, { store, now }: Service): void {
  /** The app of the path; 404 for an app of somebody else as for one that does not exist. */
  const requireApp = (c: Context<Authenticated, '/apps/:id'>): App => {
    const id = c.req.param('id');
    const app = findAppOf(store, c.var.user.id, id);
    if (app === undefined) {
      throw notFound(`app #${id} not available`);
    }
    return app;
  };

  api.get('/apps', (c) => {
    const { id } = c.var.user;
    return c.json({ apps: findApps(store, id).map((app) => appSummary(app, id)), link: '/api/v1/apps' });
  });
  api.get('/apps/:id', (c) => c.json(appResource(store, requireApp(c), c.var.user.id)));
  api.get('/apps/:id/collaborators', (c) => c.json(collaboratorsResource(store, requireApp(c))));
  api.get('/apps/:id/collaborators/:collaborator', (c) => {
    const collaborator = c.req.param('collaborator');
    const resource = collaboratorResource(store, requireApp(c), Number(collaborator));
    if (resource === undefined) {
      throw notFound(`could not find collaborator #${collaborator}`);
    }
    return c.json(resource);
  });
  api.get('/apps/:id/status', (c) => c.json(buildStatusResource(requireApp(c))));
  api.get('/apps/:id/icon', (c) => {
    const app = requireApp(c);
    if (app.icon === null) {
      throw notFound(`No icon available for app #${app.id}`);
    }
    return redirectToDownload(c, createDownloadPath(store, app, 'icon', now()));
  });
  api.get('/apps/:id/logs/:platform/build', (c) => {
    const app = requireApp(c);
    const wanted = c.req.param('platform');
    const platform = PLATFORMS.find((each) => each === wanted && each in app.status);
    if (platform === undefined) {
      throw notFound(`app #${app.id} has no build log for ${wanted}`);
    }
    return c.json({ log: buildLog(app, platform), link: `${appLink(app)}/logs/${platform}/build` });
  });
  api.get('/apps/:id/:platform', (c) => {
    const app = requireApp(c);
    const wanted = c.req.param('platform');
    const platform = PLATFORMS.find((each) => each === wanted && app.status[each] === 'complete');
    if (platform === undefined) {
      throw notFound(`app #${app.id} download unavailable for ${wanted}`);
    }
    return redirectToDownload(c, createDownloadPath(store, app, platform, now()));
  });
}

/** The redirect to a binary, with the target in the body too: some clients read only that. */
function redirectToDownload(c: Context, path: string): Response {
  const location = new URL(path, c.req.url).href;
  return Response.json({ location }, { status: 302, headers: { Location: location } });
}

function buildLog(app: App, platform: Platform): string {
  const outcome = app.error[platform] ?? app.status[platform] ?? 'No signing key was chosen for this platform.';
  return [`Building ${app.title} ${app.version} for ${platform}`, `Package ${app.package}`, outcome, ''].join('\n');
}
