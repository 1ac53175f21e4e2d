/** Timeouts for the local service's program. */

/** Time, in ms, for the program to start. */
export const START_TIMEOUT_MS = 15_000;
/** Time, in ms, to answer a message, or to prove that another window's process serves the same data. */
export const ANSWER_TIMEOUT_MS = 3_000;
/** Time, in ms, for the program to end on its own. An installation first removes its files. */
export const STOP_TIMEOUT_MS = 10_000;
