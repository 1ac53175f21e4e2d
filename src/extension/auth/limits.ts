/** Limits of a sign-in and of the responses that it waits for. */

/** Time limit for a sign-in in the browser, in ms. */
export const SIGN_IN_TIMEOUT_MS = 5 * 60_000;
/**
 * Time limit in ms for relaying a callback to its window, and for a request to the loopback listener, including the
 * response.
 */
export const CALLBACK_LIFETIME_MS = 10_000;
/** Maximum number of simultaneous connections to the loopback listener. A browser opens a few per address. */
export const MAX_CALLBACK_CONNECTIONS = 64;
/** Maximum length of a callback's query in UTF-16 code units. Any page can open a callback URL. */
export const MAX_QUERY_LENGTH = 4096;
/** Maximum number of responses without `state` that wait for the user at the same time. Any page can send one. */
export const MAX_UNCONFIRMED_ANSWERS = 8;
