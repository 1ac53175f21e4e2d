import type { Resource } from '../../../service-client/index.ts';
import type { App } from './app.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';
import { KEY_WARNING_MS } from '../limits.ts';
import {
  getBoolean,
  getDate,
  isPathBelow,
  readFingerprints,
  selfUrl,
  textMember,
  type Fingerprints,
} from './members.ts';

/** A signing key at the service. Services never return its file. */
export interface SigningKey {
  readonly url: string;
  readonly id: string;
  readonly platform: string;
  readonly title: string;
  readonly isDefault: boolean;
  /** True if the service doesn't have the password, so that builds with the key fail. Undefined if it doesn't report this. */
  readonly locked: boolean | undefined;
  readonly expiresAt: Date | undefined;
  /** App ID of the provisioning profile, such as `com.example.app` or `com.example.*`. */
  readonly appId: string | undefined;
  readonly alias: string | undefined;
  /** Fingerprints of the certificate. Undefined if the service couldn't read it. */
  readonly fingerprints: Fingerprints | undefined;
  readonly lastUsed: Date | undefined;
  readonly resource: Resource;
}

/** Reports whether a resource is a signing key: it has a title, and either an address under `keys` or the members of a key. */
export function isSigningKey(resource: Resource): boolean {
  return (
    textMember(resource, 'title') !== undefined &&
    (isPathBelow(selfUrl(resource), 'keys', 2) ||
      (getBoolean(resource, 'locked') !== undefined && getBoolean(resource, 'default') !== undefined))
  );
}

/**
 * Reads a key. Never throws.
 *
 * @param url address that the resource was read from. The resource's self link takes precedence.
 * @param platform used if neither the resource nor its address contains the platform.
 */
export function readSigningKey(resource: Resource, url: string, platform = ''): SigningKey {
  const own = selfUrl(resource) ?? url;
  return {
    url: own,
    id: textMember(resource, 'id') ?? '',
    platform: textMember(resource, 'platform') ?? (isPathBelow(own, 'keys', 2) ? platformIn(own) : platform),
    title: textMember(resource, 'title') ?? resource.title ?? '',
    isDefault: getBoolean(resource, 'default') === true,
    locked: getBoolean(resource, 'locked'),
    expiresAt: getDate(resource, 'expires_at'),
    appId: textMember(resource, 'app_id'),
    alias: textMember(resource, 'alias'),
    fingerprints: readFingerprints(resource),
    lastUsed: getDate(resource, 'last_used'),
    resource,
  };
}

function platformIn(url: string): string {
  const step = new URL(url).pathname.split('/').at(-2) ?? '';
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/**
 * Reads the keys in a list of keys, in lists by platform, or in the API's home. Never throws.
 *
 * @param levels how many levels of nested lists to read. In the home, keys are two levels deep: all keys, then one list per
 * platform.
 */
export function readSigningKeys({ embedded }: Resource, url: string, platform = '', levels = 2): readonly SigningKey[] {
  return embedded.slice(0, MAX_ROWS).flatMap(({ rel, resource }) => {
    const name = rel === 'keys' || rel === 'all' ? platform : rel;
    if (isSigningKey(resource)) {
      return [readSigningKey(resource, url, name)];
    }
    return levels === 0 ? [] : readSigningKeys(resource, url, name, levels - 1);
  });
}

/** Returns the IDs of the signing keys that an app is built with, by platform. A platform with the default key isn't in the map. */
export function getKeyIds({ resource }: Pick<App, 'resource'>): ReadonlyMap<string, string> {
  const keys = resource.embedded.find(({ rel, index }) => rel === 'keys' && index === undefined)?.resource;
  const ids = [
    ...(keys?.embedded ?? []).map(({ rel, resource: key }) => [rel, textMember(key, 'id')] as const),
    // The form in which clients set them: only the ID.
    ...(keys?.fields ?? []).map(({ name }) => [name, keys && textMember(keys, name)] as const),
  ];
  return new Map(ids.flatMap(([platform, id]): [string, string][] => (id === undefined ? [] : [[platform, id]])));
}

/** Reports whether the user owns the app, and therefore chooses its keys. */
export function isOwn({ role }: Pick<App, 'role'>): boolean {
  return role === undefined || role === 'admin' || role === 'owner';
}

/** Reports whether the fingerprints of a key are known, or may become known when it's unlocked. */
export function mayShowFingerprints({ fingerprints, locked, platform }: SigningKey): boolean {
  return fingerprints !== undefined || (locked === true && platform === 'android');
}

/** Reason why a key can't sign an app, or soon won't be able to. */
export type KeyFault =
  | { readonly kind: 'locked' }
  | { readonly kind: 'expired'; readonly at: Date }
  | { readonly kind: 'otherApp'; readonly profileAppId: string; readonly packageId: string }
  /** Expires within {@link KEY_WARNING_MS}. */
  | { readonly kind: 'expiresSoon'; readonly at: Date };

/**
 * Returns a key's faults, starting with those that make a build fail.
 *
 * @param key the key, completed by `KeyFactsStore.complete`.
 * @param packageId ID of the app to build, in the form for the key's platform. Undefined to check only the key.
 */
export function keyFaults(
  { locked, expiresAt, appId }: Pick<SigningKey, 'locked' | 'expiresAt' | 'appId'>,
  packageId: string | undefined,
  now: Date,
): readonly KeyFault[] {
  const left = expiresAt === undefined ? undefined : expiresAt.getTime() - now.getTime();
  const faults: KeyFault[] = [];
  if (locked === true) {
    faults.push({ kind: 'locked' });
  }
  if (expiresAt !== undefined && left !== undefined && left <= 0) {
    faults.push({ kind: 'expired', at: expiresAt });
  }
  if (appId !== undefined && packageId !== undefined && !isForApp(appId, packageId)) {
    faults.push({ kind: 'otherApp', profileAppId: appId, packageId });
  }
  if (expiresAt !== undefined && left !== undefined && left > 0 && left <= KEY_WARNING_MS) {
    faults.push({ kind: 'expiresSoon', at: expiresAt });
  }
  return faults;
}

/**
 * Reports whether a provisioning profile is for an app. The comparison is case-sensitive, as in signing.
 *
 * @param profileAppId such as `com.example.app`, `com.example.*`, or `*`.
 */
export function isForApp(profileAppId: string, packageId: string): boolean {
  if (!profileAppId.endsWith('*')) {
    return profileAppId === packageId;
  }
  const start = profileAppId.slice(0, -1);
  return packageId.length > start.length && packageId.startsWith(start);
}
