/** The limits of this room. */

/** UTF-16 code units of a config.xml, and bytes of the package.json beside it: the rest is not read. Build services refuse a larger file. */
export const MAX_CONFIG_LENGTH = 1024 * 1024;

/** The greatest `android-versionCode` that Google Play takes. */
export const MAX_VERSION_CODE = 2_100_000_000;

/** Characters of an app's id, as build services take it. */
export const MAX_ID_LENGTH = 200;

/** Characters of a value or an address that a message repeats: a whole page may have been pasted into one. */
export const MAX_SHOWN_LENGTH = 120;

/** Milliseconds without a change after which a text that is being typed is checked. */
export const TYPING_PAUSE_MS = 200;
