/** The limits of commands. */

/** Milliseconds: a window that opens later doesn’t show the sample project. */
export const MAX_OPENING_MS = 5 * 60_000;
