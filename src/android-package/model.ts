/** Values that packages and their builders share. */

/** The service's data as readonly values. Timestamps are ISO 8601 in UTC, to the second. `expiresAt` is in milliseconds since the epoch. */

/** Phone platforms that the contract names. */
export const MOBILE_PLATFORMS = ['android', 'ios', 'winphone'] as const;

/** Platforms of builds. */
export const PLATFORMS = [...MOBILE_PLATFORMS, 'browser'] as const;

/** A platform of builds. */
export type Platform = (typeof PLATFORMS)[number];

/** A plugin that config.xml names. */
export interface Plugin {
  readonly name: string;
  /** Version, range, or address in config.xml. `null` if it doesn't specify one. */
  readonly version: string | null;
}

/** Kind of key: the owner's, or a test key that the service creates. */
export type SignedWith = 'signing key' | 'test key';

/** Digests of a certificate in the format of Java and Google Play: hexadecimal pairs separated by colons. */
export interface Fingerprints {
  readonly sha1: string;
  readonly sha256: string;
}

/** The fields of an app that its package uses where config.xml doesn't set them. */
export interface AppFields {
  readonly title: string;
  /** The app ID. */
  readonly package: string;
  readonly version: string;
}
