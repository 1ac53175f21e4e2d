/** Size and time limits of the client. */

/**
 * Maximum size in bytes of a response that is read and shown, both as sent and after decoding. Larger responses can be
 * downloaded. `JSON.parse` takes a few milliseconds for this size.
 */
export const MAX_RESOURCE_BYTES = 1024 * 1024;

/**
 * Maximum size in bytes of a response that isn't a resource. Large enough for an error message, or for the start of a
 * web page with its title.
 */
export const MAX_ERROR_BYTES = 256 * 1024;

/** Maximum number of members, elements, links, or forms per resource. Users don't scroll through longer lists. */
export const MAX_PARTS = 10_000;

/**
 * Maximum depth at which JSON:API linkage is shown as its target resource. Needed because included resources can link
 * to each other.
 */
export const MAX_LINKAGE_DEPTH = 3;

/** Maximum length of an address in characters. The URL parser takes quadratic time for some longer addresses. */
export const MAX_ADDRESS_LENGTH = 8 * 1024;

/**
 * Maximum length in characters of relations, JSON Pointers, and service texts in rows or messages. Needed because a
 * long list repeats them, so megabyte-long names would exhaust the memory.
 */
export const MAX_TEXT_LENGTH = 500;

/** Maximum length of log text in characters. Longer text is cut off. */
export const MAX_LOGGED_LENGTH = 32 * 1024;

/** Maximum number of redirects per call. */
export const MAX_REDIRECTS = 5;

/**
 * Maximum size of a file name in bytes. Leaves room for the suffix of a temporary file within the usual limit of 255
 * bytes.
 */
export const MAX_NAME_BYTES = 200;

/**
 * Maximum length of a formatted document in characters. Indentation can make a deeply nested document a hundred times
 * larger than the received text.
 */
export const MAX_FORMATTED_LENGTH = 16 * 1024 * 1024;
