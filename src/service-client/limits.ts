/** Size and time limits of the client. */

/**
 * Maximum size in bytes of a response that is read and shown, both as sent and after decoding. A larger one can be
 * downloaded. `JSON.parse` takes a few milliseconds for this size.
 */
export const MAX_RESOURCE_BYTES = 1024 * 1024;

/**
 * Maximum size in bytes of a response that isn't a resource. An error is one sentence, and a web page has its title
 * near the top.
 */
export const MAX_ERROR_BYTES = 256 * 1024;

/** Maximum number of members, elements, links, or forms per resource. Users don't look at more. */
export const MAX_PARTS = 10_000;

/**
 * Maximum depth at which JSON:API linkage is shown as its target resource. Included resources can link to each other in
 * circles.
 */
export const MAX_LINKAGE_DEPTH = 3;

/** Maximum length of an address in characters. The URL parser takes quadratic time for some longer addresses. */
export const MAX_ADDRESS_LENGTH = 8 * 1024;

/**
 * Maximum length in characters of relations, JSON Pointers, and service texts in rows or messages. Every part of a long
 * list has its own, so megabyte-long names would exhaust the memory.
 */
export const MAX_TEXT_LENGTH = 500;

/** Maximum length of a log text in characters. The rest is cut off. */
export const MAX_LOGGED_LENGTH = 32 * 1024;

/** Maximum number of redirects per call. */
export const MAX_REDIRECTS = 5;

/**
 * Maximum size of a file name in bytes. Leaves room for the suffix of a temporary file within the usual limit of 255
 * bytes.
 */
export const MAX_NAME_BYTES = 200;

/**
 * Maximum length of a formatted document in characters. Many deeply nested lines could make it a hundred times larger
 * than the original.
 */
export const MAX_FORMATTED_LENGTH = 16 * 1024 * 1024;
