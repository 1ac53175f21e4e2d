/** The limits of adb, and of what this window shares in the network. */

/** Milliseconds for a call of adb, ten times as many for an installation. The first one starts adb's server. */
export const ADB_TIMEOUT_MS = 30_000;
/** Milliseconds that the end of a program's output, or of the last answers of a listener, may take. */
export const CLOSE_TIMEOUT_MS = 1_000;

/** Milliseconds that a share lives. */
export const LIFETIME_MS = 30 * 60_000;
/** Milliseconds after which a connection on which nothing moves is closed. */
export const IDLE_TIMEOUT_MS = 60_000;
/** Connections of a share at a time. */
export const MAX_CONNECTIONS = 64;
/** Bytes on the disk of the files of a package that is unpacked for a preview. */
export const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;

/** Milliseconds between a saved file and the preview of it: a save, or a tool, changes several. */
export const SAVE_PAUSE_MS = 60;
/** Milliseconds that a preview in the editor is served: the longest that a timer waits. Its panel ends it. */
export const PANEL_LIFETIME_MS = 2 ** 31 - 1;
/** Milliseconds that a development server on this machine has to answer. */
export const DEV_SERVER_TIMEOUT_MS = 1_500;
