/** Values that packages and their builders share. */

/** Phone platforms in the contract. */
export const MOBILE_PLATFORMS = ['android', 'ios', 'winphone'] as const;

/** Platforms that apps can be built for. */
export const PLATFORMS = [...MOBILE_PLATFORMS, 'browser'] as const;

/** A platform that apps can be built for. */
export type Platform = (typeof PLATFORMS)[number];

/** A plugin that config.xml declares. */
export interface Plugin {
  readonly name: string;
  /** Version, range, or address in config.xml. `null` if missing. */
  readonly version: string | null;
}

/** The kind of key that signed a package: a user's key, or a test key that the service created. */
export type SignedWith = 'signing key' | 'test key';

/** Digests of a certificate in the format that Java and Google Play use: hexadecimal pairs separated by colons. */
export interface Fingerprints {
  readonly sha1: string;
  readonly sha256: string;
}

/** The fields of an app that its package uses if config.xml doesn't specify them. */
export interface AppFields {
  readonly title: string;
  /** The app ID. */
  readonly package: string;
  readonly version: string;
}
