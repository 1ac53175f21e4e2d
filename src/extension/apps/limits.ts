/** Warning period before a signing key expires, in milliseconds. */
export const KEY_WARNING_MS = 7 * 24 * 60 * 60_000;
/** Maximum size of a response with a build log, in bytes. Many services send the whole log in one response. */
export const MAX_LOG_BYTES = 4 * 1024 * 1024;
