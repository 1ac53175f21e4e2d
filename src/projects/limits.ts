/** The limits of reading a folder, one at each door. The code inside has no limits of its own. */

/**
 * Bytes of a configuration file of a project: of a build tool, of npm, an ignore file. Longer ones aren't written by hand. Of a page,
 * that many characters are read for its tags.
 */
export const MAX_CONFIGURATION_BYTES = 256 * 1024;
/** Words and signs of a value in the configuration of a build tool. Longer ones are computed. */
export const MAX_VALUE_TOKENS = 60;

/** Bytes of any other text of a project that is read: a page, a script, config.xml. */
export const MAX_FILE_BYTES = 1024 * 1024;

/** Levels below a folder, and folders in it, in which projects are searched for. */
export const MAX_SEARCH_DEPTH = 4;
export const MAX_SEARCHED_FOLDERS = 1_000;
/** Files and folders of a project that are looked at, so that a whole disk isn't. */
export const MAX_ENTRIES = 200_000;
/**
 * Bytes of a path that every system can unpack, with some room for the folder that a package is unpacked to. A name, an address, or a
 * rule in a file isn't meant for an app if it has more characters.
 */
export const MAX_PATH_BYTES = 800;
/** Bytes from the beginning of a file that are searched for secrets. A longer file is data, not code or settings. */
export const MAX_SEARCHED_BYTES = 8_000_000;

/** Entries and bytes, unpacked, that services take. More is a warning: it's for the service to refuse it. */
export const MAX_PACKAGE_ENTRIES = 20_000;
export const MAX_PACKAGE_BYTES = 1024 ** 3;
/** Bytes that are sent without a question. */
export const MAX_UNASKED_BYTES = 50_000_000;

/** Findings or paths of one kind that are listed one by one. The others are counted. */
export const MAX_LISTED = 5;
/** Milliseconds that a check waits for a service. What it doesn't answer by then isn't checked. */
export const ANSWER_TIMEOUT_MS = 10_000;
