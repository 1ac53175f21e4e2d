/** The limits of adb, and of what this window shares in the network. */

/** Milliseconds for a call of adb. The first one starts adb's server. */
export const ADB_TIMEOUT_MS = 30_000;
/** Milliseconds for an installation by adb, which copies the package to the phone. */
export const INSTALL_TIMEOUT_MS = 5 * 60_000;
/** Milliseconds that the end of a program's output, or of the last answers of a listener, may take. */
export const CLOSE_TIMEOUT_MS = 1_000;

/** Milliseconds that a share lives. */
export const LIFETIME_MS = 30 * 60_000;
/** Milliseconds after which a connection on which nothing moves is closed. */
export const IDLE_TIMEOUT_MS = 60_000;
/** Connections of a share at a time. */
export const MAX_CONNECTIONS = 64;
/** Requests of a connection, which Node reads before their answers are sent. Then a browser opens another one. */
export const MAX_REQUESTS_PER_CONNECTION = 100;

/** Files in a package that is unpacked for a preview. */
export const MAX_PACKAGE_FILES = 50_000;
/** Bytes of its files together. */
export const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;
/** Bytes of the file in it that says where the app begins. */
export const MAX_SETTINGS_BYTES = 64 * 1024;
/** UTF-16 code units whose QR code a phone's camera reads from a screen. Version 40 of the codes ends at 2,953. */
export const MAX_QR_LENGTH = 800;
