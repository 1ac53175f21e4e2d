/**
 * Resources as the API shows them. Every one has `link`, a path without host, and every link handed out here is
 * answered by `api.ts` (contract, General behaviours, 1).
 */
import {
  keyPlatforms,
  platforms,
  type App,
  type KeyPlatform,
  type Role,
  type SigningKey,
  type State,
  type User,
} from './store/state.ts';

const root = '/api/v1';

/** The apps that a user owns or works on. */
export function appsOf(state: State, user: User): readonly App[] {
  return state.apps.filter(
    (app) => app.ownerId === user.id || app.collaborators.some(({ userId }) => userId === user.id),
  );
}

/** The signing keys of a user, all or for one platform. */
export function keysOf(state: State, user: User, platform?: string): readonly SigningKey[] {
  return state.keys.filter((key) => key.ownerId === user.id && (platform === undefined || key.platform === platform));
}

export function userResource(state: State, user: User): object {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    link: `${root}/me`,
    apps: {
      link: `${root}/apps`,
      all: appsOf(state, user).map((app) => ({ title: app.title, role: roleIn(app, user), link: appLink(app) })),
    },
    keys: keysByPlatform(state, user),
  };
}

/** `{link, <platform>: {link, all}}`, as in the user resource and in `/keys`. */
export function keysByPlatform(state: State, user: User): object {
  const entries = keyPlatforms.map((platform): [string, object] => [
    platform,
    { link: keysLink(platform), all: keysOf(state, user, platform).map(keySummary) },
  ]);
  return { link: `${root}/keys`, ...Object.fromEntries<object>(entries) };
}

export function keyList(state: State, user: User, platform: KeyPlatform): object {
  return { keys: keysOf(state, user, platform).map(keyResource), link: keysLink(platform) };
}

export function keyResource(key: SigningKey): object {
  return { ...keySummary(key), platform: key.platform, locked: key.locked, created_at: key.createdAt };
}

function keySummary(key: SigningKey): object {
  return { id: key.id, default: key.default, title: key.title, link: `${keysLink(key.platform)}/${key.id}` };
}

/** An app as an element of `/apps`. */
export function appSummary(app: App, user: User): object {
  const link = appLink(app);
  const built = platforms.filter((platform) => app.status[platform] === 'complete');
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
    role: roleIn(app, user),
  };
}

/** One app with all its details. */
export function appResource(state: State, app: App, user: User): object {
  const keys = platforms.map((platform): [string, object | null] => {
    const key = state.keys.find(({ id }) => id === app.keys[platform]);
    // Keys belong to the app's owner; a collaborator could not follow the link.
    return [platform, key?.ownerId === user.id ? keySummary(key) : null];
  });
  return {
    ...appSummary(app, user),
    last_build: app.lastBuild,
    keys: Object.fromEntries<object | null>(keys),
    collaborators: collaboratorsResource(state, app),
  };
}

export function collaboratorsResource(state: State, app: App): object {
  return {
    link: `${appLink(app)}/collaborators`,
    active: app.collaborators.map(({ id }) => collaboratorResource(state, app, id)),
    pending: app.pending,
  };
}

/** One active collaborator, or `undefined`. `person` is the e-mail address. */
export function collaboratorResource(state: State, app: App, id: number): object | undefined {
  const collaborator = app.collaborators.find((candidate) => candidate.id === id);
  const person = state.users.find((user) => user.id === collaborator?.userId)?.email;
  return collaborator && { id, person, role: collaborator.role, link: `${appLink(app)}/collaborators/${id}` };
}

/** What a build poll reads. */
export function buildStatus(app: App): object {
  return {
    id: app.id,
    status: app.status,
    error: app.error,
    completed: !Object.values(app.status).includes('pending'),
    link: `${appLink(app)}/status`,
  };
}

function roleIn(app: App, user: User): Role {
  return app.collaborators.find(({ userId }) => userId === user.id)?.role ?? 'tester';
}

function appLink(app: App): string {
  return `${root}/apps/${app.id}`;
}

function keysLink(platform: KeyPlatform): string {
  return `${root}/keys/${platform}`;
}
