/** Limits of answers to agents. */

/**
 * Maximum length of an answer as JSON, in UTF-16 code units, because a model reads all of it. A single text gets 1/50 of it unless the
 * caller sets another length.
 */
export const MAX_REPORT_LENGTH = 30_000;
/** Maximum time, in ms, that a confirmation waits for the names that it shows. */
export const MAX_QUESTION_MS = 2_000;
