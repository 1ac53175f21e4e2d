/** The limits of the tree, of downloads and of uploads. */

/**
 * Milliseconds until VS Code has surely taken the rows that it has asked for. A row that is drawn again in the same moment makes
 * it forget those below, which it shows: they would not open, and their commands would not know them.
 */
export const ROWS_TAKEN_MS = 500;
/** Bytes of a file name. Leaves room for the suffix of a temporary file in the 255 bytes that file systems allow. */
export const MAX_NAME_BYTES = 200;
/** Milliseconds in the dialog after which a download is started again: servers close connections that are not read. */
export const MAX_DIALOG_MS = 20_000;
/** Bytes of a file that is read or written as a whole, where a file system cannot stream. */
export const MAX_IN_MEMORY_BYTES = 64 * 1024 * 1024;
/** Characters of a formatted document. With many lines at many levels it would be a hundred times as large as it was sent. */
export const MAX_FORMATTED_LENGTH = 16 * 1024 * 1024;
