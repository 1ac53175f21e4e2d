/** How long this window waits for the local service's program. */

/** Milliseconds until it has started. */
export const START_TIMEOUT_MS = 15_000;
/** Milliseconds until it has answered a message, or another window's has proved itself. */
export const ANSWER_TIMEOUT_MS = 3_000;
/** Milliseconds until it has ended by itself: an installation removes what it has made. */
export const STOP_TIMEOUT_MS = 10_000;
