import type { Resource } from '../../api/hypermedia/resource.ts';
import { booleanOf, dateOf, isPathBelow, selfUrl, textOf } from './members.ts';

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
  readonly lastUsed: Date | undefined;
  readonly resource: Resource;
}

/** True for a resource that is a signing key by what it says of itself: a title, and an address among the keys or a lock. */
export function isSigningKey(resource: Resource): boolean {
  return (
    textOf(resource, 'title') !== undefined &&
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
    id: textOf(resource, 'id') ?? '',
    platform: textOf(resource, 'platform') ?? (isPathBelow(own, 'keys', 2) ? platformIn(own) : platform),
    title: textOf(resource, 'title') ?? resource.title ?? '',
    isDefault: booleanOf(resource, 'default') === true,
    locked: booleanOf(resource, 'locked'),
    expiresAt: dateOf(resource, 'expires_at'),
    appId: textOf(resource, 'app_id'),
    alias: textOf(resource, 'alias'),
    lastUsed: dateOf(resource, 'last_used'),
    resource,
  };
}

/** The last step but one of the path of a key. */
function platformIn(url: string): string {
  const step = new URL(url).pathname.split('/').at(-2) ?? '';
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** The keys in the answer of a keys link, or of the home: below lists by platform. Never throws. */
export function readSigningKeys(resource: Resource, url: string): readonly SigningKey[] {
  return keysIn(resource, url, '', MAX_DEPTH);
}

/** Of a key in the home: keys, platform, key. */
const MAX_DEPTH = 3;

function keysIn({ embedded }: Resource, url: string, platform: string, depth: number): readonly SigningKey[] {
  return depth === 0
    ? []
    : embedded.flatMap(({ rel, resource }) => {
        const name = rel === 'keys' || rel === 'all' ? platform : rel;
        return isSigningKey(resource) ? [readSigningKey(resource, url, name)] : keysIn(resource, url, name, depth - 1);
      });
}
