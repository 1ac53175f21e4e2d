/** How much the client takes in, and how long it waits. */

/** Bytes of an answer that is read and shown, as sent and unpacked. A larger one can be downloaded. `JSON.parse` takes some milliseconds for it. */
export const MAX_RESOURCE_BYTES = 1024 * 1024;

/** Bytes of an answer that isn't a resource: an error is a sentence, and a web page has its title at the top. */
export const MAX_ERROR_BYTES = 256 * 1024;

/** Members of an object, elements of an array, links, or forms that are read of one resource: more than a user looks through. */
export const MAX_PARTS = 10_000;

/** Levels in which JSON:API linkage is shown as the resource that it stands for. Included resources can link to each other in circles. */
export const MAX_LINKAGE_DEPTH = 3;

/** Characters of an address. The URL parser takes quadratic time for some that are longer. */
export const MAX_ADDRESS_LENGTH = 8 * 1024;

/**
 * Characters of a text of the service in a row or a message, and of a relation and a JSON Pointer: every part of a long list has
 * its own, and with a name of a megabyte in each, they would fill any memory.
 */
export const MAX_TEXT_LENGTH = 500;

/** Characters of a text for the log. The rest is cut off. */
export const MAX_LOGGED_LENGTH = 32 * 1024;

export const MAX_REDIRECTS = 5;
