/** The pages of apps: what a user has, how builds go, downloads, and links for installing. */
import type { Context, Hono } from 'hono';

import { readBuildLog } from '../builds/buildLog.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { ParameterReader } from '../http/parameters.ts';
import { ICON_PAGE_POLICY } from '../http/security.ts';
import { readSignedIn, readSignedInForm } from '../http/sessions.ts';
import { appPage, installLinkPage } from '../pages/app.ts';
import { appsPage, type BuilderView } from '../pages/apps.ts';
import { buildLogPage } from '../pages/buildLog.ts';
import { REFRESH_SECONDS, type Following } from '../pages/following.ts';
import type { Html, SignedIn } from '../pages/layout.ts';
import type { Service } from '../service.ts';
import { findApps } from '../store/apps.ts';
import { findBuild, findUnfinishedBuilds } from '../store/builds.ts';
import { findParticipants } from '../store/collaborators.ts';
import { findInstallKeysOf } from '../store/installKeys.ts';
import { PLATFORMS, type App, type Build, type Platform } from '../store/model.ts';
import { isOwner, mayChange, requireApp, requireDeveloper, withCurrentApp } from './appAccess.ts';
import { removeApp } from './apps.ts';
import { everyPlatform } from './currentSupport.ts';
import { absoluteUrl } from './downloadRedirect.ts';
import { createDownloadPath } from './downloads.ts';
import { installUrlOf, makeInstallKey, mayRevoke, revokeInstallKey } from './installKeys.ts';
import { redirectToSignIn } from './signIn.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Parameter of a page that is to be loaded again until its builds have ended. */
const FOLLOW = 'follow';

/** A user and an app of theirs. */
interface OnApp extends SignedIn {
  readonly app: App;
}

type AppContext = Context<object, '/account/apps/:id'>;

/** Adds the pages of apps. */
export function addAppPages(site: Hono, service: Service): void {
  const { store, builder, builds, now } = service;
  /** Builds of the demo data, which never end, are nobody's work. */
  const unfinishedBuildsOf = (apps: readonly App[]) =>
    findUnfinishedBuilds(store).filter(({ appId }) => apps.some(({ id }) => id === appId));
  const describeBuilder = async (): Promise<BuilderView> => {
    const platforms = await builder.platforms();
    return { name: builder.name, platforms };
  };
  /** Answers with what `show` makes for the user and the app of the path. */
  const showApp = async (c: AppContext, show: (on: OnApp) => Promise<Response>): Promise<Response> => {
    const signedIn = readSignedIn(c, store, now());
    return signedIn === undefined
      ? redirectToSignIn(c, c.req.path)
      : show({ ...signedIn, app: requireApp(store, signedIn.user, c.req.param('id')) });
  };
  /** The form that was sent, and the app of the path. */
  const readForm = async (c: AppContext): Promise<OnApp & { readonly form: ParameterReader }> => {
    const read = await readSignedInForm(c, store, now());
    return { ...read, app: requireApp(store, read.user, c.req.param('id')) };
  };
  const build = ({ user, app }: OnApp, platforms: readonly Platform[]): void =>
    withCurrentApp(store, user, app, requireDeveloper, () => builds.request(app.id, platforms));

  site.get('/account/apps', async (c) => {
    const signedIn = readSignedIn(c, store, now());
    if (signedIn === undefined) {
      return redirectToSignIn(c, c.req.path);
    }
    const apps = findApps(store, signedIn.user.id);
    const following = follow(c, unfinishedBuildsOf(apps).length > 0);
    return c.html(appsPage({ ...signedIn, apps, builder: await describeBuilder(), following }));
  });

  site.get('/account/apps/:id', (c) =>
    showApp(c, async ({ user, csrf, app }) => {
      const unfinished = unfinishedBuildsOf([app]).map(({ platform }) => platform);
      return showPage(
        c,
        appPage({
          ...{ user, csrf, app, now: now() },
          icon: app.icon === null ? undefined : createDownloadPath(store, app, 'icon', now()),
          builds: buildsOf(service, app),
          unfinished,
          participants: findParticipants(store, app),
          builder: await describeBuilder(),
          installKeys: findInstallKeysOf(store, app.id, now()).map((key) => {
            return { key, mayRevoke: mayRevoke(app, user, key) };
          }),
          following: follow(c, unfinished.length > 0),
          mayChange: mayChange(app, user),
          isOwner: isOwner(app, user),
        }),
      );
    }),
  );

  site.get('/account/apps/:id/download/:platform', (c) =>
    showApp(c, ({ app }) => {
      const platform = requirePlatform(c.req.param('platform'));
      if (app.status[platform] !== 'complete') {
        throw notFound('There is no complete build for this platform.');
      }
      return Promise.resolve(c.redirect(createDownloadPath(store, app, platform, now()), 303));
    }),
  );

  site.get('/account/apps/:id/log/:platform', (c) =>
    showApp(c, async ({ user, csrf, app }) => {
      const platform = requirePlatform(c.req.param('platform'));
      const found = findBuild(store, app.id, platform);
      if (found === undefined) {
        throw notFound('Nobody has asked for a build for this platform.');
      }
      const part = await readBuildLog(service, found, readOffset(c.req.query('offset')));
      const { text } = await readBuildLog(service, found, part.nextOffset);
      const hasNext = text !== '';
      const following = follow(c, !part.ended && !hasNext);
      return showPage(c, buildLogPage({ user, csrf, app, platform, part, hasNext, following }));
    }),
  );

  site.post('/account/apps/:id/build', async (c) => {
    const on = await readForm(c);
    build(on, await everyPlatform(builder));
    return c.redirect(`/account/apps/${on.app.id}`, 303);
  });

  site.post('/account/apps/:id/build/:platform', async (c) => {
    const on = await readForm(c);
    build(on, [requirePlatform(c.req.param('platform'))]);
    return c.redirect(`/account/apps/${on.app.id}`, 303);
  });

  site.post('/account/apps/:id/cancel/:platform', async (c) => {
    const { user, app } = await readForm(c);
    const platform = requirePlatform(c.req.param('platform'));
    // One that has ended in the meantime needs no cancelling: the page says how.
    withCurrentApp(store, user, app, requireDeveloper, () => builds.cancelBuild(app.id, platform));
    return c.redirect(`/account/apps/${app.id}`, 303);
  });

  site.post('/account/apps/:id/share', async (c) => {
    const { user, csrf, app, form } = await readForm(c);
    const platform = requirePlatform(form('platform'));
    if (!/^[1-7]$/.test(form('days'))) {
      throw new HttpError(400, 'A link works from one to seven days.');
    }
    const { key, value } = makeInstallKey(service, app, user, { platform, lifetimeMs: Number(form('days')) * DAY_MS });
    return showPage(c, installLinkPage({ user, csrf, app, key, url: absoluteUrl(c, installUrlOf(app, value)) }));
  });

  site.post('/account/apps/:id/share/:key/revoke', async (c) => {
    const { user, app } = await readForm(c);
    const key = findInstallKeysOf(store, app.id, now()).find(({ id }) => id === c.req.param('key'));
    if (key !== undefined) {
      revokeInstallKey(service, app, user, key);
    }
    return c.redirect(`/account/apps/${app.id}#install`, 303);
  });

  site.post('/account/apps/:id/delete', async (c) => {
    const { user, app } = await readForm(c);
    await removeApp(service, user, app);
    return c.redirect('/account/apps', 303);
  });
}

async function showPage(c: Context, page: Html): Promise<Response> {
  return c.html(await page, 200, { 'Content-Security-Policy': ICON_PAGE_POLICY });
}

/** How a page follows builds that have not ended; the browser is told to load it again where somebody has asked for it. */
function follow(c: Context, isBuilding: boolean): Following | undefined {
  if (!isBuilding) {
    return undefined;
  }
  const { pathname, searchParams } = new URL(c.req.url);
  const isFollowing = searchParams.get(FOLLOW) === 'on';
  if (isFollowing) {
    c.header('Refresh', String(REFRESH_SECONDS));
  }
  searchParams.delete(FOLLOW);
  const path = searchParams.size === 0 ? pathname : `${pathname}?${searchParams.toString()}`;
  searchParams.set(FOLLOW, 'on');
  return { path, followingPath: `${pathname}?${searchParams.toString()}`, isFollowing };
}

function buildsOf({ store }: Service, app: App): readonly Build[] {
  return PLATFORMS.map((platform) => findBuild(store, app.id, platform)).filter((build) => build !== undefined);
}

/** @throws HttpError 404 */
function requirePlatform(name: string): Platform {
  const platform = PLATFORMS.find((each) => each === name);
  if (platform === undefined) {
    throw notFound(`Apps are not built for the platform ${name}.`);
  }
  return platform;
}

/** Where a part of a log begins. @throws HttpError 400 */
function readOffset(text = '0'): number {
  if (!/^\d{1,12}$/.test(text)) {
    throw new HttpError(400, 'The offset must be a number of bytes.');
  }
  return Number(text);
}
