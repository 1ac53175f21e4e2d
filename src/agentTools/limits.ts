/** The limits of answers to agents. */

/** UTF-16 code units of an answer, as JSON: a model reads all of it. A text in it takes a 50th, unless it has a length of its own. */
export const MAX_REPORT_LENGTH = 30_000;
/** Milliseconds that a question to the user waits for the names in it. */
export const MAX_QUESTION_MS = 2_000;
