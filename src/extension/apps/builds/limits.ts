/** Interval between the first two requests for a build's state, in milliseconds. It doubles up to {@link MIN_POLL_MS}. */
export const FIRST_POLL_MS = 100;
/** Minimum interval between two requests for a log, and for the state of a build that takes longer than a second, in milliseconds. */
export const MIN_POLL_MS = 1_000;
/** Maximum interval, in milliseconds, unless a build takes much longer than usual. */
export const MAX_POLL_MS = 15_000;
/** Age in milliseconds after which a build without a known end is forgotten. */
export const MAX_WATCH_AGE_MS = 24 * 60 * 60_000;

/**
 * Maximum length of the log text in memory, in UTF-16 code units. The beginning of longer logs is dropped. The local service's logs are
 * shorter.
 */
export const MAX_LOG_LENGTH = 5_000_000;
/** Maximum number of file names in a log that are looked up on the disk. */
export const MAX_LOG_REFERENCES = 5_000;

/** Maximum difference between the clock and the timestamp of a file, in milliseconds. FAT rounds to two seconds. */
export const MAX_TIMESTAMP_ERROR_MS = 2_000;
/**
 * Maximum size in bytes of a package that a service on this computer receives uncompressed. The local service accepts
 * 250 MB by default. A larger package is compressed, so that it may still fit.
 */
export const MAX_STORED_BYTES = 200_000_000;
