/** Reads the fields of requests that create and update apps. */
import { MAX_TEXT_LENGTH } from '../limits.ts';
import { HttpError, notFound } from '../http/errors.ts';
import {
  asTitle,
  booleanField,
  integerField,
  isPlainObject,
  lineField,
  objectField,
  textField,
} from '../http/fields.ts';
import type { ReceivedRequest } from '../http/receivedRequest.ts';
import type { AppChanges } from '../store/apps.ts';
import { findKey } from '../store/keys.ts';
import type { App, User } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import type { StoredPackage, PackageSource } from './appPackage.ts';
import { requireSupportedVersion } from './currentSupport.ts';
import { MOBILE_PLATFORMS, type Platform } from '../../android-package/index.ts';

type RequestFields = ReceivedRequest['fields'];

/** Fields that change only who can see an app. They don't require a build. */
const VISIBILITY_FIELDS: readonly string[] = ['private', 'share'] satisfies (keyof AppChanges)[];

/**
 * Returns the changes that a request's fields describe. Fields that are missing, null, or unknown don't change
 * anything.
 *
 * @throws HttpError 400 with the field's name for an invalid value
 */
export function readAppChanges(fields: RequestFields): AppChanges {
  const version = textField(fields, 'phonegap_version') ?? '';
  const changes = {
    title: lineField(fields, 'title') || undefined,
    description: textField(fields, 'description'),
    debug: booleanField(fields, 'debug'),
    private: booleanField(fields, 'private'),
    hydrates: booleanField(fields, 'hydrates'),
    share: booleanField(fields, 'share'),
    phonegapVersion: version === '' ? undefined : requireSupportedVersion(version),
    keys: readKeys(fields),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Reports whether the changes require a new build. */
export function changesBuild(changes: AppChanges): boolean {
  return Object.keys(changes).some((name) => !VISIBILITY_FIELDS.includes(name));
}

/**
 * Returns the changes that result from a package and its config.xml, except for values that the request sets. Shortens
 * strings that are too long. The build will report them.
 *
 * @param app `undefined` for a new app
 */
export function changesByPackage(
  source: PackageSource | undefined,
  { upload, info: { config } }: StoredPackage,
  changes: AppChanges,
  app?: App,
): AppChanges {
  const title = asTitle(config?.name ?? '');
  const description = (config?.description ?? '').slice(0, MAX_TEXT_LENGTH);
  const [id, version] = [asTitle(config?.id ?? ''), asTitle(config?.version ?? '')];
  return {
    ...(title !== '' && app === undefined && { title }),
    ...(description !== '' && { description }),
    ...(id !== '' && { package: id }),
    ...(version !== '' && { version }),
    plugins: (config?.plugins ?? []).map((plugin) => ({
      name: asTitle(plugin.name),
      version: plugin.version === null ? null : asTitle(plugin.version),
    })),
    ...changes,
    ...(source !== undefined && 'url' in source && { repo: source.url, tag: source.tag }),
    upload,
  };
}

/**
 * Checks that a user may sign an app with these keys. The user must own both the app and the keys.
 *
 * @throws HttpError 403 if another user owns the app, 404 for a key that the user doesn't have for its platform
 */
export function requireOwnKeys(store: Store, user: User, ownerId: number, keys: AppChanges['keys']): void {
  if (keys === undefined) {
    return;
  }
  if (ownerId !== user.id) {
    throw new HttpError(403, 'Only the owner of an app can choose its signing keys.');
  }
  for (const [platform, id] of Object.entries(keys)) {
    const key = findKey(store, id);
    if (id !== null && (key?.ownerId !== user.id || key.platform !== platform)) {
      throw notFound(`could not find ${platform} key #${id}`);
    }
  }
}

/**
 * Reads the keys of an app, such as `{"android": 1}` or `{"android": {"id": 1}}`. `{"android": null}` removes the key.
 */
function readKeys(fields: RequestFields): AppChanges['keys'] {
  const keys = Object.entries(objectField(fields, 'keys') ?? {}).map(([name, value]): [Platform, number | null] => {
    const platform = MOBILE_PLATFORMS.find((each) => each === name);
    if (platform === undefined) {
      throw new HttpError(400, `The field keys names "${name}": use ${MOBILE_PLATFORMS.join(', ')}.`);
    }
    const field = `keys[${platform}]`;
    const { id, ...others } = isPlainObject(value) ? value : { id: value };
    if (Object.keys(others).length > 0) {
      const link = `/api/v1/keys/${platform}`;
      throw new HttpError(400, `The field ${field} accepts only the ID of a key. Unlock the key at ${link}.`);
    }
    return [platform, integerField({ [field]: id }, field) ?? null];
  });
  return keys.length === 0 ? undefined : Object.fromEntries(keys);
}
