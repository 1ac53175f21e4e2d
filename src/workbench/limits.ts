/** The limits of texts, rows and waiting in VS Code. */

/** UTF-16 code units of a text. VS Code lays out a longer one at once. */
export const MAX_TEXT_LENGTH = 10_000;
/** Rows that are drawn at once below one row, and parts of one answer that get rows of their own. VS Code becomes slow with more. */
export const MAX_ROWS = 1_000;
/** Names or failures that a question, a notification or the report lists. */
export const MAX_NAMED = 10;
/** UTF-16 code units of a notification that is one line, as it is without a button. */
export const MAX_LINE_LENGTH = 60;
/** Milliseconds that a call to the service may take before its progress shows. */
export const CALL_PROGRESS_DELAY_MS = 1_000;
/** Milliseconds after which a message for the status bar has left this process. */
export const MESSAGE_DELAY_MS = 40;
/** Milliseconds that the status bar shows that something is done. */
export const DONE_MESSAGE_MS = 4_000;
/** Milliseconds that a secret may stay on the clipboard. */
export const CLEAR_CLIPBOARD_MS = 60_000;
/** Milliseconds after which VS Code has reported a write of this window at the latest. */
export const ECHO_TIMEOUT_MS = 10_000;
