/** The limits of reading apps, builds and keys. */

/** Milliseconds before a signing key expires: from then on there is a warning. */
export const KEY_WARNING_MS = 7 * 24 * 60 * 60_000;
/** Bytes of a build log in one answer: many services send it as one text. */
export const MAX_LOG_BYTES = 4 * 1024 * 1024;
