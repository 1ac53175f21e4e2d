/** The limits of answers to agents. */

/** UTF-16 code units of an answer, as JSON: a model reads all of it. */
export const MAX_REPORT_LENGTH = 30_000;
/** UTF-16 code units of a text in an answer, unless that text has a longer limit of its own. */
export const MAX_TEXT_LENGTH = 600;
/** Milliseconds that a question to the user waits for the names in it. */
export const MAX_QUESTION_MS = 2_000;
