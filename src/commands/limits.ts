/** The limits of commands. */

/** Names, or failures, that a question or a notification lists. */
export const MAX_NAMED = 10;
/** Milliseconds: a window that opens later doesn’t show the sample project. */
export const MAX_OPENING_MS = 5 * 60_000;
