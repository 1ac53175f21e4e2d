/** The fields with which clients create and update apps. */
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
import { MOBILE_PLATFORMS, type App, type Platform, type User } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import type { KeptPackage, PackageSource } from './appPackage.ts';
import { requireSupportedVersion } from './currentSupport.ts';

type Fields = ReceivedRequest['fields'];

/** Fields that change only who sees an app, and need no build. */
const VISIBILITY_FIELDS: readonly string[] = ['private', 'share'] satisfies (keyof AppChanges)[];

/**
 * The changes that the fields of a request ask for. A field that is absent or null changes nothing; so does an unknown one.
 *
 * @throws HttpError 400 that names a field with a wrong value
 */
export function readAppChanges(fields: Fields): AppChanges {
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

/** Whether these changes need a new build. */
export function changesBuild(changes: AppChanges): boolean {
  return Object.keys(changes).some((name) => !VISIBILITY_FIELDS.includes(name));
}

/**
 * The changes by a package and its config.xml, as far as the request has no value of its own. Texts that are too long are cut: the build,
 * which reads config.xml again, reports them.
 *
 * @param app `undefined` for one that is created
 */
export function changesByPackage(
  source: PackageSource | undefined,
  { upload, info: { config } }: KeptPackage,
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
 * Checks that a user may sign an app with these keys: both are their own.
 *
 * @throws HttpError 403 for an app of another user, 404 for a key that they do not have for its platform
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

/** `{"android": 1}`, `{"android": {"id": 1}}` or, to have none, `{"android": null}`. */
function readKeys(fields: Fields): AppChanges['keys'] {
  const keys = Object.entries(objectField(fields, 'keys') ?? {}).map(([name, value]): [Platform, number | null] => {
    const platform = MOBILE_PLATFORMS.find((each) => each === name);
    if (platform === undefined) {
      throw new HttpError(400, `The field keys names "${name}": use ${MOBILE_PLATFORMS.join(', ')}.`);
    }
    const field = `keys[${platform}]`;
    const { id, ...others } = isPlainObject(value) ? value : { id: value };
    if (Object.keys(others).length > 0) {
      const link = `/api/v1/keys/${platform}`;
      throw new HttpError(400, `The field ${field} takes the ID of a key alone. Unlock the key at ${link}.`);
    }
    return [platform, integerField({ [field]: id }, field) ?? null];
  });
  return keys.length === 0 ? undefined : Object.fromEntries(keys);
}
