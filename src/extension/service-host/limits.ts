/** Time limits for the local service's program. */

/** Time limit, in ms, for the program to start. */
export const START_TIMEOUT_MS = 15_000;
/** Time limit, in ms, for responding to a message, or for proving that another window's process serves the same data. */
export const ANSWER_TIMEOUT_MS = 3_000;
/** Time limit, in ms, for the program to exit. An installation removes its files first. */
export const STOP_TIMEOUT_MS = 10_000;
