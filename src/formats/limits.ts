/**
 * The limits of key files, of the search in scripts of pages, and of what names an app. A key file is bounded where it enters, and is opened in a process
 * of its own, which has a deadline.
 */

/** Bytes of a keystore, a certificate or a profile. A larger file isn't read. */
export const MAX_KEY_FILE_BYTES = 1024 * 1024;
/** Milliseconds to open a key. The file decides how often its password is hashed. */
export const OPEN_KEY_TIMEOUT_MS = 10_000;

/** Characters before a name or an address in a script, and behind it, that tell what it is. */
export const MAX_CONTEXT = 220;
/** Characters between an object and the call that names it, and of the object. */
export const MAX_DISTANCE = 3_000;
/** A script that calls more undeclared plugins than these has a library of wrappers for all plugins in it. */
export const MAX_UNDECLARED = 8;

/** Characters of the ID of an app: Android allows 223. */
export const MAX_ID_LENGTH = 200;
/** The greatest `android-versionCode`: Google Play takes no more, and Android no more than 2^31 - 1. */
export const MAX_VERSION_CODE = 2_100_000_000;
