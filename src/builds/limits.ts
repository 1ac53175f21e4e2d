/** The limits of builds that are watched, their logs and their tasks. */

/** Milliseconds between two questions about a build, or for its log: the shortest time. */
export const MIN_POLL_MS = 1_000;
/** Milliseconds: the longest time, unless a build takes much longer than builds usually do. */
export const MAX_POLL_MS = 15_000;
/** Milliseconds after which a build that hasn't been seen to end is forgotten. */
export const MAX_WATCH_AGE_MS = 24 * 60 * 60_000;

/** UTF-16 code units of a build log that are kept: its end. The local service's logs are shorter. */
export const MAX_LOG_LENGTH = 5_000_000;
/** Names of files in a log that are looked up in the folder. Each is looked up on the disk. */
export const MAX_LOG_REFERENCES = 5_000;
