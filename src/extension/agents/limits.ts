/** Limits for the results that agents receive. */

/**
 * Maximum length of a result as JSON, in UTF-16 code units. Limited because a model reads all of it. By default, a single string may use
 * 1/50 of it.
 */
export const MAX_REPORT_LENGTH = 30_000;
/** Maximum length of a folder's, device's, or platform's name in a confirmation, in UTF-16 code units. */
export const MAX_NAME_LENGTH = 60;
/** Maximum number of addresses that an agent reads without a question. Each could carry a few characters to the service. */
export const MAX_UNASKED_READS = 20;
/** Maximum time, in ms, that a confirmation waits for the names that it shows. */
export const MAX_QUESTION_MS = 2_000;
