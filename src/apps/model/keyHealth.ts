import type { SigningKey } from './signingKey.ts';

/** Why a key cannot sign an app, or will soon no longer. */
export type KeyFault =
  | { readonly kind: 'locked' }
  | { readonly kind: 'expired'; readonly at: Date }
  /** Within a week. */
  | { readonly kind: 'expiresSoon'; readonly at: Date; readonly days: number }
  /** Its profile is for another app. */
  | { readonly kind: 'otherApp'; readonly profileAppId: string; readonly packageId: string };

/** Days before the end of a key at which a person is told. */
export const KEY_WARNING_DAYS: readonly number[] = [7, 1];

/**
 * What is against a key, what prevents a build first.
 *
 * @param packageId of the app that is built; undefined when only the key itself is looked at.
 */
export function keyFaults(key: SigningKey, packageId: string | undefined, now: Date): readonly KeyFault[] {
  return key.locked === true && packageId !== '' && now.getTime() > 0 ? [{ kind: 'locked' }] : [];
}
