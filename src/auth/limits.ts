/** The limits of a sign-in and of the answers that it waits for. */

/** Milliseconds that the user has for a sign-in in the browser. */
export const SIGN_IN_TIMEOUT_MS = 5 * 60_000;
/** Milliseconds that a callback may take to get to the window that it belongs to, and a request to the loopback listener, its answer included. */
export const CALLBACK_LIFETIME_MS = 10_000;
/** UTF-16 code units of a callback's query. Any page can open a callback URL. */
export const MAX_QUERY_LENGTH = 4096;
/** Answers without `state` that may wait for the user at a time. Any page can send one. */
export const MAX_UNCONFIRMED_ANSWERS = 8;
