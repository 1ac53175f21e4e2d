/** Limits for key files, for searching scripts, and for app IDs and versions. */

/** Maximum size of a keystore, certificate, or profile in bytes. Larger files aren't read. */
export const MAX_KEY_FILE_BYTES = 1024 * 1024;
/**
 * Time to open a key, in milliseconds. Needed because the file specifies how many times its password is hashed. An ordinary file needs a
 * fraction of a second, but much longer on a busy machine.
 */
export const OPEN_KEY_TIMEOUT_MS = 30_000;

/** Number of characters to examine before and after a name or address in a script. */
export const MAX_CONTEXT = 220;
/**
 * Maximum distance in characters between an object literal and the call that refers to it. Also the maximum length of
 * the object literal.
 */
export const MAX_DISTANCE = 3_000;
/**
 * Maximum number of undeclared plugins that a script may call. A script that calls more is treated as a library of
 * wrappers for all plugins.
 */
export const MAX_UNDECLARED = 8;

/** Maximum length of an app ID in characters. Android allows 223. */
export const MAX_ID_LENGTH = 200;
/** Maximum `android-versionCode` that Google Play accepts. Android's limit is 2^31 - 1. */
export const MAX_VERSION_CODE = 2_100_000_000;

/** Maximum size of a config.xml, in bytes. */
export const MAX_CONFIG_BYTES = 1024 ** 2;

/** Maximum length of a name in a message, a file name, or an app's label, in characters. */
export const MAX_SHOWN_LENGTH = 100;
