/** Limits of adb and of network sharing. */

/** Timeout of an adb call, in ms. Installations get ten times as long. The first call starts adb's server. */
export const ADB_TIMEOUT_MS = 30_000;
/** Maximum time, in ms, to wait for the rest of a program's output or for a listener's last responses. */
export const CLOSE_TIMEOUT_MS = 1_000;

/** Lifetime of a share, in ms. */
export const LIFETIME_MS = 30 * 60_000;
/** Time, in ms, after which an idle connection is closed. */
export const IDLE_TIMEOUT_MS = 60_000;
/** Maximum number of simultaneous connections per share. */
export const MAX_CONNECTIONS = 64;
/**
 * Maximum size, in bytes, of a request's headers. Cookies ignore ports, so a browser sends those of every app that was
 * previewed on this address. With Node's 16 KiB, a few long ones would lock it out.
 */
export const MAX_HEADER_BYTES = 64 * 1024;
/** Maximum size on disk, in bytes, of a package that is unpacked for a preview. */
export const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;

/** Delay, in ms, between a saved file and its preview, because saves and tools often change several files. */
export const SAVE_PAUSE_MS = 60;
/** Delay, in ms, before a preview's problems are shown, because a page often misses several files. */
export const PROBLEM_PAUSE_MS = 100;
/** Maximum number of missing files that a preview reports. */
export const MAX_PREVIEW_PROBLEMS = 20;
/** Maximum length, in UTF-16 code units, of an error or a path that a preview reports. */
export const MAX_PROBLEM_LENGTH = 300;
/**
 * Lifetime, in ms, of a preview in the editor: the longest time that a timer supports. Closing the panel ends it
 * earlier.
 */
export const PANEL_LIFETIME_MS = 2 ** 31 - 1;
