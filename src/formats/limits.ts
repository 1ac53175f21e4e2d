/** The limits of key files. A file is bounded where it enters, and is opened in a process of its own, which has a deadline. */

/** Bytes of a keystore, a certificate or a profile. A larger file isn't read. */
export const MAX_KEY_FILE_BYTES = 1024 * 1024;
/** Milliseconds to open a key. The file decides how often its password is hashed. */
export const OPEN_KEY_TIMEOUT_MS = 10_000;
/** Bytes of an opened key, in base64: more than a key file can hold. */
export const MAX_OPENED_KEY_BYTES = 4 * MAX_KEY_FILE_BYTES;
/** Characters of the name of a certificate's owner. */
export const MAX_SUBJECT_LENGTH = 200;
