/** Limits of every server. The rooms that start a server choose the others. */

/**
 * Maximum number of requests on one connection that wait for the end of their responses. Clients that don't pipeline
 * have one, and each may hold an open file.
 */
export const MAX_PIPELINED_REQUESTS = 16;
/** Time, in ms, for a client to read a refusal and close its side of the connection. */
export const REFUSAL_TIMEOUT_MS = 3_000;
