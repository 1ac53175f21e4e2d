/** Warning period before a signing key expires, in milliseconds. */
export const KEY_WARNING_MS = 7 * 24 * 60 * 60_000;
/** Maximum size of a build log response, in bytes. Many services send the whole log in one response. */
export const MAX_LOG_BYTES = 4 * 1024 * 1024;
