import type { SigningKey } from './signingKey.ts';

/** Why a key cannot sign an app, or will soon no longer. */
export type KeyFault =
  | { readonly kind: 'locked' }
  | { readonly kind: 'expired'; readonly at: Date }
  /** Its profile is for another app. */
  | { readonly kind: 'otherApp'; readonly profileAppId: string; readonly packageId: string }
  /** Within {@link KEY_WARNING_MS}. `days`: whole ones that are left; 0 on its last day. */
  | { readonly kind: 'expiresSoon'; readonly at: Date; readonly days: number };

export const DAY_MS = 86_400_000;

/** How long before its end a person is told that a key expires. */
export const KEY_WARNING_MS = 7 * DAY_MS;

/**
 * What is against a key, what prevents a build first.
 *
 * @param key as the service tells of it, with what is known on this machine (`KeyFactsStore.complete`).
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
    faults.push({ kind: 'expiresSoon', at: expiresAt, days: Math.floor(left / DAY_MS) });
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
