/**
 * Lists the operations on apps that a user's role allows, in the format of Siren's actions
 * (github.com/kevinswiber/siren#actions-1). Also defines the paths of apps.
 */
import { findKeys } from '../store/keys.ts';
import { APP_PLATFORMS, type App, type Participant, type Role, type User } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import { isOwner, mayChange } from './appAccess.ts';
import { SUPPORTED_VERSIONS } from './currentSupport.ts';
import { type Platform, PLATFORMS } from '../../android-package/index.ts';

/** An operation on a resource. Clients fill in the fields and send them to `href`. */
export interface AppAction {
  readonly name: string;
  readonly title: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly href: string;
  /** Media type of the request. */
  readonly type: 'application/x-www-form-urlencoded' | 'multipart/form-data';
  readonly fields: readonly ActionField[];
}

/** An input of an operation. Its type is an HTML input type. */
export interface ActionField {
  readonly name: string;
  readonly type: 'text' | 'email' | 'password' | 'checkbox' | 'radio' | 'file' | 'hidden';
  readonly title: string;
  /** The default value, or the choices of a `radio` input. */
  readonly value?: string | readonly ActionChoice[];
  readonly required?: true;
}

interface ActionChoice {
  readonly title: string;
  readonly value: string;
  readonly selected?: true;
}

/** Creates an operation. It's sent as multipart/form-data if it has a file field, and urlencoded otherwise. */
export function action(
  method: AppAction['method'],
  href: string,
  name: string,
  title: string,
  fields: readonly ActionField[] = [],
): AppAction {
  const hasFile = fields.some((field) => field.type === 'file');
  const type = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return { name, title, method, href, type, fields };
}

/** Creates an input of an operation. */
export function input(
  type: ActionField['type'],
  name: string,
  title: string,
  more: Pick<ActionField, 'value' | 'required'> = {},
): ActionField {
  return { name, type, title, ...more };
}

/** Marks a field as required. */
export const REQUIRED = { required: true } as const;

/** Path of the list of apps. */
export const APPS_LINK = '/api/v1/apps';

/** Returns the path of an app. */
export function appLink(app: App): string {
  return `${APPS_LINK}/${app.id}`;
}

/** Returns the path of an app's builds, or of its build for one platform. */
export function buildLink(app: App, platform?: Platform): string {
  return `${appLink(app)}/build${platform === undefined ? '' : `/${platform}`}`;
}

/** Returns the path of the log of an app's latest build for a platform. */
export function logLink(app: App, platform: Platform): string {
  return `${appLink(app)}/logs/${platform}/build`;
}

const FILE = input('file', 'file', 'A .zip file, or a single index.html', REQUIRED);
const TAG = input('text', 'tag', 'Branch or tag');

/** Returns the operations on the list of apps. */
export function appsActions(): readonly AppAction[] {
  const method = (value: string): ActionField => input('hidden', 'create_method', 'Made from', { value, ...REQUIRED });
  const repository = input('text', 'repo', 'Public repository: owner/name or a URL', REQUIRED);
  const fields = [
    input('text', 'title', 'Title; empty: as in config.xml'),
    ...SETTINGS.map(({ name, title }) => checkbox(name, title, name === 'private')),
  ];
  return [
    action('POST', APPS_LINK, 'create-from-file', 'Create an app from a file', [method('file'), FILE, ...fields]),
    action('POST', APPS_LINK, 'create-from-repository', 'Create an app from a repository', [
      method('remote_repo'),
      repository,
      TAG,
      ...fields,
    ]),
  ];
}

/** Returns the operations that a user may perform on an app. */
export function appActions(store: Store, app: App, user: User): readonly AppAction[] {
  if (!mayChange(app, user)) {
    return [];
  }
  const link = appLink(app);
  const pull = input('hidden', 'pull', 'Pull', { value: 'true', ...REQUIRED });
  return [
    action('PUT', link, 'update', 'Edit the app', [...settings(app), ...keyChoices(store, app, user)]),
    action('PUT', link, 'upload', 'Upload a file', [FILE]),
    ...(app.repo === null ? [] : [action('PUT', link, 'pull', 'Pull from the repository', [pull])]),
    ...buildActions(app, user),
    action('POST', `${link}/icon`, 'upload-icon', 'Upload an icon', [input('file', 'icon', 'A PNG file', REQUIRED)]),
    ...(isOwner(app, user) ? [action('DELETE', link, 'delete', 'Delete the app')] : []),
    ...collaboratorsActions(app, user),
  ];
}

/** Returns the operations that a user may perform on an app's builds, or on its build for one platform. */
export function buildActions(app: App, user: User, only?: Platform): readonly AppAction[] {
  if (!mayChange(app, user)) {
    return [];
  }
  const platforms = only === undefined ? getPlatforms(app) : [only];
  return [
    ...(only === undefined ? [action('POST', buildLink(app), 'build', 'Build for every platform')] : []),
    ...platforms.map((each) => action('POST', buildLink(app, each), `build-${each}`, `Build for ${each}`)),
    ...platforms
      .filter((each) => app.status[each] === 'pending')
      .map((each) => action('DELETE', buildLink(app, each), `cancel-${each}`, `Cancel the build for ${each}`)),
  ];
}

/** Returns an app's platforms: the standard ones, and any others that the app has a build or a key for. */
export function getPlatforms({ status, keys }: App): readonly Platform[] {
  const own = new Set([...APP_PLATFORMS, ...Object.keys(status), ...Object.keys(keys)]);
  return PLATFORMS.filter((platform) => own.has(platform));
}

/** Returns an app's platforms whose packages require a signature. */
export function getSignedPlatforms(app: App): readonly Platform[] {
  return getPlatforms(app).filter((platform) => platform !== 'browser');
}

/** Returns the operations that a user may perform on an app's collaborators. */
export function collaboratorsActions(app: App, user: User): readonly AppAction[] {
  if (!isOwner(app, user)) {
    return [];
  }
  const email = input('email', 'email', 'Email address', REQUIRED);
  const link = `${appLink(app)}/collaborators`;
  return [action('POST', link, 'add-collaborator', 'Add a collaborator', [email, roleField('tester')])];
}

/** Returns the operations that a user may perform on one of an app's collaborators. */
export function collaboratorActions(app: App, participant: Participant, user: User): readonly AppAction[] {
  const link = `${appLink(app)}/collaborators/${participant.id}`;
  if (participant.userId === app.ownerId) {
    return [];
  }
  if (isOwner(app, user)) {
    return [
      action('PUT', link, 'change-role', 'Change the role', [roleField(participant.role)]),
      action('DELETE', link, 'remove-collaborator', 'Remove from the app'),
    ];
  }
  return participant.userId === user.id ? [action('DELETE', link, 'leave', 'Leave the app')] : [];
}

/** Boolean fields of an app. */
const SETTINGS = [
  { name: 'private', title: 'Private' },
  { name: 'share', title: 'Shared' },
  { name: 'debug', title: 'Debug' },
  { name: 'hydrates', title: 'Hydrates' },
] as const;

function settings(app: App): readonly ActionField[] {
  const versions = SUPPORTED_VERSIONS.map((version) =>
    choice(version, version, version === app.phonegapVersion || SUPPORTED_VERSIONS.length === 1),
  );
  return [
    input('text', 'title', 'Title', { value: app.title, ...REQUIRED }),
    input('text', 'description', 'Description', { value: app.description }),
    ...SETTINGS.map(({ name, title }) => checkbox(name, title, app[name])),
    input('radio', 'phonegap_version', 'Version of PhoneGap', { value: versions }),
  ];
}

/**
 * Returns the inputs for choosing an app's keys, if the user owns the app. Skips platforms that the user doesn't have
 * keys for.
 */
function keyChoices(store: Store, app: App, user: User): readonly ActionField[] {
  if (!isOwner(app, user)) {
    return [];
  }
  return getSignedPlatforms(app).flatMap((platform) => {
    const keys = findKeys(store, user.id, platform);
    const chosen = app.keys[platform];
    const value = [
      choice('Default key', '', chosen === undefined),
      ...keys.map(({ id, title }) => choice(title, String(id), id === chosen)),
    ];
    return keys.length === 0 ? [] : [input('radio', `keys[${platform}]`, `Signing key for ${platform}`, { value })];
  });
}

function checkbox(name: string, title: string, value: boolean): ActionField {
  return input('checkbox', name, title, { value: String(value) });
}

function roleField(selected: Role): ActionField {
  const value = [
    choice('Developer', 'dev', selected === 'developer'),
    choice('Tester', 'tester', selected === 'tester'),
  ];
  return input('radio', 'role', 'Role', { value, ...REQUIRED });
}

function choice(title: string, value: string, selected: boolean): ActionChoice {
  return { title, value, ...(selected && { selected }) };
}
