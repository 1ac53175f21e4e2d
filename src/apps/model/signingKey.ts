import type { Resource } from '../../api/hypermedia/resource.ts';
import type { App } from './app.ts';
import { MAX_ROWS } from '../../workbench/limits.ts';
import { KEY_WARNING_MS } from '../limits.ts';
import { booleanOf, dateOf, isPathBelow, readFingerprints, selfUrl, textMember, type Fingerprints } from './members.ts';

/** A signing key at the service. The file itself never comes back. */
export interface SigningKey {
  readonly url: string;
  readonly id: string;
  readonly platform: string;
  readonly title: string;
  readonly isDefault: boolean;
  /** Its password is not there: a build with it fails. Undefined when the service does not say. */
  readonly locked: boolean | undefined;
  readonly expiresAt: Date | undefined;
  /** The identifier that its provisioning profile is for, such as `com.example.app` or `com.example.*`. */
  readonly appId: string | undefined;
  readonly alias: string | undefined;
  /** The fingerprints of its certificate, as far as the service could read it. */
  readonly fingerprints: Fingerprints | undefined;
  readonly lastUsed: Date | undefined;
  readonly resource: Resource;
}

/** True for a resource that is a signing key by what it says of itself: a title, and an address among the keys or a lock. */
export function isSigningKey(resource: Resource): boolean {
  return (
    textMember(resource, 'title') !== undefined &&
    (isPathBelow(selfUrl(resource), 'keys', 2) ||
      (booleanOf(resource, 'locked') !== undefined && booleanOf(resource, 'default') !== undefined))
  );
}

/**
 * Reads a key. Never throws.
 *
 * @param url where it came from; its own link wins.
 * @param platform where neither the resource nor its address says.
 */
export function readSigningKey(resource: Resource, url: string, platform = ''): SigningKey {
  const own = selfUrl(resource) ?? url;
  return {
    url: own,
    id: textMember(resource, 'id') ?? '',
    platform: textMember(resource, 'platform') ?? (isPathBelow(own, 'keys', 2) ? platformIn(own) : platform),
    title: textMember(resource, 'title') ?? resource.title ?? '',
    isDefault: booleanOf(resource, 'default') === true,
    locked: booleanOf(resource, 'locked'),
    expiresAt: dateOf(resource, 'expires_at'),
    appId: textMember(resource, 'app_id'),
    alias: textMember(resource, 'alias'),
    fingerprints: readFingerprints(resource),
    lastUsed: dateOf(resource, 'last_used'),
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
 * The keys in the answer of a keys link, or of the home: below lists by platform. Never throws.
 *
 * @param levels of lists that are looked into. A key in the home is below two: the keys, and those of its platform.
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

/** The signing keys that an app is built with: the ID of each, by platform; none for a platform with the default key. */
export function keyIdsOf({ resource }: Pick<App, 'resource'>): ReadonlyMap<string, string> {
  const keys = resource.embedded.find(({ rel, index }) => rel === 'keys' && index === undefined)?.resource;
  const ids = [
    ...(keys?.embedded ?? []).map(({ rel, resource: key }) => [rel, textMember(key, 'id')] as const),
    // As a client sets them: the ID alone.
    ...(keys?.fields ?? []).map(({ name }) => [name, keys && textMember(keys, name)] as const),
  ];
  return new Map(ids.flatMap(([platform, id]): [string, string][] => (id === undefined ? [] : [[platform, id]])));
}

/** True for an app that is the user's own: no other person chooses its keys. */
export function isOwn({ role }: Pick<App, 'role'>): boolean {
  return role === undefined || role === 'admin' || role === 'owner';
}

/** True for a key whose fingerprints are known, or may be once it's unlocked. */
export function mayShowFingerprints({ fingerprints, locked, platform }: SigningKey): boolean {
  return fingerprints !== undefined || (locked === true && platform === 'android');
}

/** Why a key cannot sign an app, or will soon no longer. */
export type KeyFault =
  | { readonly kind: 'locked' }
  | { readonly kind: 'expired'; readonly at: Date }
  | { readonly kind: 'otherApp'; readonly profileAppId: string; readonly packageId: string }
  /** Within {@link KEY_WARNING_MS}. */
  | { readonly kind: 'expiresSoon'; readonly at: Date };

/**
 * The faults of a key, those that prevent a build first.
 *
 * @param key as the service describes it, completed by `KeyFactsStore.complete`.
 * @param packageId of the app that is built, as it is on the key's platform; undefined when only the key itself is looked at.
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
 * True when a provisioning profile is for an app. Upper and lower case count, as they do when an app is signed.
 *
 * @param profileAppId such as `com.example.app`, `com.example.*` or `*`.
 */
export function isForApp(profileAppId: string, packageId: string): boolean {
  if (!profileAppId.endsWith('*')) {
    return profileAppId === packageId;
  }
  const start = profileAppId.slice(0, -1);
  return packageId.length > start.length && packageId.startsWith(start);
}
