/** The read API under /api/v1: endpoints 1 and 2 of the contract and the resources that they link to. */
import { Hono } from 'hono';

import { authenticate } from '../authentication.ts';
import { notFound } from '../errors.ts';
import { downloadPath } from './downloads.ts';
import {
  appResource,
  appsOf,
  appSummary,
  buildStatus,
  collaboratorResource,
  collaboratorsResource,
  keyList,
  keyResource,
  keysByPlatform,
  keysOf,
  userResource,
} from '../representation.ts';
import { keyPlatforms, platforms, type App, type State, type User } from '../store/state.ts';
import type { Store } from '../store/store.ts';

interface ApiContext {
  Variables: { user: User; state: State };
}

/** Adds the read API. `now` is the clock, milliseconds since the epoch. */
export function addApi(app: Hono, store: Store, now: () => number): void {
  const api = new Hono<ApiContext>();

  api.use(async (c, next) => {
    const { state } = store;
    c.set('user', await authenticate(c, state));
    c.set('state', state);
    await next();
  });

  for (const path of ['/', '/me']) {
    api.get(path, (c) => c.body(userText(c.var.state, c.var.user), 200, { 'content-type': 'application/json' }));
  }

  api.get('/apps', (c) =>
    c.json({ apps: appsOf(c.var.state, c.var.user).map((each) => appSummary(each, c.var.user)), link: '/api/v1/apps' }),
  );
  api.get('/apps/:id', (c) => c.json(appResource(c.var.state, findApp(c.var, c.req.param('id')), c.var.user)));
  api.get('/apps/:id/collaborators', (c) =>
    c.json(collaboratorsResource(c.var.state, findApp(c.var, c.req.param('id')))),
  );
  api.get('/apps/:id/collaborators/:collaborator', (c) => {
    const { id, collaborator } = c.req.param();
    const resource = collaboratorResource(c.var.state, findApp(c.var, id), Number(collaborator));
    if (resource === undefined) {
      throw notFound(`could not find collaborator #${collaborator}`);
    }
    return c.json(resource);
  });
  api.get('/apps/:id/status', (c) => c.json(buildStatus(findApp(c.var, c.req.param('id')))));
  api.get('/apps/:id/icon', (c) => {
    const found = findApp(c.var, c.req.param('id'));
    if (found.icon === null) {
      throw notFound(`No icon available for app #${found.id}`);
    }
    return redirectTo(new URL(downloadPath(c.var.state, found, 'icon', now()), c.req.url).href);
  });
  api.get('/apps/:id/logs/:platform/build', (c) => {
    const { id, platform } = c.req.param();
    const found = findApp(c.var, id);
    const name = platforms.find((each) => each === platform && each in found.status);
    if (name === undefined) {
      throw notFound(`app #${found.id} has no build log for ${platform}`);
    }
    return c.json({ log: buildLog(found, name), link: `/api/v1/apps/${found.id}/logs/${name}/build` });
  });
  api.get('/apps/:id/:platform', (c) => {
    const { id, platform } = c.req.param();
    const found = findApp(c.var, id);
    const name = platforms.find((each) => each === platform && found.status[each] === 'complete');
    if (name === undefined) {
      throw notFound(`app #${found.id} download unavailable for ${platform}`);
    }
    return redirectTo(new URL(downloadPath(c.var.state, found, name, now()), c.req.url).href);
  });

  api.get('/keys', (c) => c.json({ keys: keysByPlatform(c.var.state, c.var.user), link: '/api/v1/keys' }));
  api.get('/keys/:platform', (c) => {
    const platform = keyPlatforms.find((each) => each === c.req.param('platform'));
    if (platform === undefined) {
      throw notFound(`no keys for the platform ${c.req.param('platform')}`);
    }
    return c.json(keyList(c.var.state, c.var.user, platform));
  });
  api.get('/keys/:platform/:id', (c) => {
    const { platform, id } = c.req.param();
    const key = keysOf(c.var.state, c.var.user, platform).find((each) => String(each.id) === id);
    if (key === undefined) {
      throw notFound(`could not find ${platform} key #${id}`);
    }
    return c.json(keyResource(key));
  });

  app.route('/api/v1', api);
}

/** The user resource as JSON. A state never changes, so that it is the same until there is a new one. */
function userText(state: State, user: User): string {
  let texts = userTexts.get(state);
  if (texts === undefined) {
    texts = new Map();
    userTexts.set(state, texts);
  }
  let text = texts.get(user.id);
  if (text === undefined) {
    text = JSON.stringify(userResource(state, user));
    texts.set(user.id, text);
  }
  return text;
}

const userTexts = new WeakMap<State, Map<number, string>>();

/** @throws ServiceError 404, for an app of somebody else as for one that does not exist */
function findApp({ state, user }: { readonly state: State; readonly user: User }, id: string): App {
  const found = appsOf(state, user).find((app) => String(app.id) === id);
  if (found === undefined) {
    throw notFound(`app #${id} not available`);
  }
  return found;
}

/** The redirect to a binary, with the target in the body too: some clients read only that. */
function redirectTo(location: string): Response {
  return Response.json({ location }, { status: 302, headers: { Location: location } });
}

function buildLog(app: App, platform: (typeof platforms)[number]): string {
  const outcome = app.error[platform] ?? app.status[platform] ?? 'No signing key was chosen for this platform.';
  return [`Building ${app.title} ${app.version} for ${platform}`, `Package ${app.package}`, outcome, ''].join('\n');
}
