/**
 * Apps as the API shows them. Every resource has `link`, a path without host, and every link handed out here is answered
 * by `apps.ts` (contract, General behaviours, 1).
 */
import { roleIn } from '../store/apps.ts';
import { findKey } from '../store/keys.ts';
import { MOBILE_PLATFORMS, PLATFORMS, type App } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import { findUser } from '../store/users.ts';
import { keySummary } from './keyResource.ts';

/** The path of an app's resource. */
export function appLink(app: App): string {
  return `/api/v1/apps/${app.id}`;
}

/** An app as an element of `/apps`, for this user. */
export function appSummary(app: App, userId: number): object {
  const link = appLink(app);
  const built = PLATFORMS.filter((platform) => app.status[platform] === 'complete');
  return {
    id: app.id,
    title: app.title,
    package: app.package,
    version: app.version,
    repo: app.repo,
    description: app.description,
    debug: app.debug,
    private: app.private,
    link,
    build_count: app.buildCount,
    phonegap_version: app.phonegapVersion,
    hydrates: app.hydrates,
    status: app.status,
    download: Object.fromEntries(built.map((platform) => [platform, `${link}/${platform}`])),
    // An object, present even when empty: on an app `error` is not the message of a failed call.
    error: app.error,
    icon: { filename: app.icon, link: `${link}/icon` },
    role: roleIn(app, userId),
  };
}

/** One app with all its details, for this user. */
export function appResource(store: Store, app: App, userId: number): object {
  const keys = MOBILE_PLATFORMS.map((platform): [string, object | null] => {
    const key = findKey(store, app.keys[platform] ?? null);
    // Keys belong to the app's owner; a collaborator could not follow the link.
    return [platform, key?.ownerId === userId ? keySummary(key) : null];
  });
  return {
    ...appSummary(app, userId),
    last_build: app.lastBuild,
    keys: Object.fromEntries<object | null>(keys),
    collaborators: collaboratorsResource(store, app),
  };
}

/** Those who work on an app, and those who were invited to. */
export function collaboratorsResource(store: Store, app: App): object {
  return {
    link: `${appLink(app)}/collaborators`,
    active: app.collaborators.map(({ id }) => collaboratorResource(store, app, id)),
    pending: app.pending,
  };
}

/** One active collaborator; `undefined` when there is none with this ID. `person` is the e-mail address. */
export function collaboratorResource(store: Store, app: App, id: number): object | undefined {
  const collaborator = app.collaborators.find((candidate) => candidate.id === id);
  const person = collaborator && findUser(store, collaborator.userId)?.email;
  return collaborator && { id, person, role: collaborator.role, link: `${appLink(app)}/collaborators/${id}` };
}

/** What a client polls while it waits for a build. */
export function buildStatusResource(app: App): object {
  return {
    id: app.id,
    status: app.status,
    error: app.error,
    completed: !Object.values(app.status).includes('pending'),
    link: `${appLink(app)}/status`,
  };
}
