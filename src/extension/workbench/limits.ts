/** Limits on text, rows, and delays in VS Code. */

/** Maximum length of displayed text in UTF-16 code units. VS Code lays out longer text synchronously. */
export const MAX_TEXT_LENGTH = 10_000;
/**
 * Maximum number of visible rows under one row, and of parts of one response that have their own rows. VS Code becomes
 * slow with more.
 */
export const MAX_ROWS = 1_000;
/** Maximum number of names or failures in a question, a notification, or the report. */
export const MAX_NAMED = 10;
/**
 * Maximum length in UTF-16 code units of a notification that fits on one line. Without a button, only one line is
 * shown.
 */
export const MAX_LINE_LENGTH = 60;
/**
 * Time in ms from a change to the next check, because typing continues and saving or running a tool changes several
 * files.
 */
export const CHANGE_PAUSE_MS = 300;
/** Delay in ms before the progress of a call to the service is shown. */
export const CALL_PROGRESS_DELAY_MS = 1_000;
/** Time in ms after which a status bar message has left this process. */
export const MESSAGE_DELAY_MS = 40;
/** Time in ms that the status bar shows a completion message. */
export const DONE_MESSAGE_MS = 4_000;
/** Time in ms that a secret stays on the clipboard. */
export const CLEAR_CLIPBOARD_MS = 60_000;
/** Number of times that a value in the shared state is written, if other windows write at the same moment. */
export const MAX_STATE_WRITES = 3;
