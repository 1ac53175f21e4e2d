/** Limits of the tree, downloads, and uploads. */

/**
 * Time in ms until VS Code has processed the rows that it requested. Redrawing a row earlier makes VS Code forget its
 * visible child rows: they don't open, and commands don't recognize them.
 */
export const ROWS_TAKEN_MS = 500;
/**
 * Maximum time, in ms, that a dialog may be open before its download is restarted, because servers close idle
 * connections.
 */
export const MAX_DIALOG_MS = 20_000;
/** Maximum size in bytes of a file that is read or written as a whole because its file system can't stream. */
export const MAX_IN_MEMORY_BYTES = 64 * 1024 * 1024;
