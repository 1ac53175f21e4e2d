/** Limits for reading a folder. They're enforced where data enters. */

/**
 * Maximum size in bytes of a project's configuration file, such as that of a build tool or npm, or of an ignore file.
 * Longer files aren't written by hand. Also limits the characters of a page that are searched for tags.
 */
export const MAX_CONFIGURATION_BYTES = 256 * 1024;
/** Maximum number of tokens of a value in the configuration of a build tool. A longer value is treated as computed. */
export const MAX_VALUE_TOKENS = 60;

/** Maximum size in bytes of any other text file of a project: a page, a script, config.xml. */
export const MAX_FILE_BYTES = 1024 * 1024;

/** Maximum depth of folders when searching for projects. */
export const MAX_SEARCH_DEPTH = 4;
/** Maximum number of folders when searching for projects. */
export const MAX_SEARCHED_FOLDERS = 1_000;
/**
 * Number of bytes in configuration files and pages after which the search for projects ends. A thousand usual projects
 * have a tenth of it. Parsing a million bytes of a hostile folder can last a second.
 */
export const MAX_PROJECT_SEARCH_BYTES = 32_000_000;
/** Maximum number of files and folders of a project to examine, which keeps the search from reading a whole disk. */
export const MAX_ENTRIES = 200_000;
/**
 * Maximum length of a path in bytes. All systems can unpack paths of this length, including the path of the destination
 * folder. Also limits the characters of names, addresses, and rules.
 */
export const MAX_PATH_BYTES = 800;
/**
 * Number of bytes at the start of a file that are searched for secrets. A longer file is data, not code or settings.
 */
export const MAX_SEARCHED_BYTES = 8_000_000;

/**
 * Maximum number of entries that services accept. A package with more entries only causes a warning, because the
 * service decides.
 */
export const MAX_PACKAGE_ENTRIES = 20_000;
/** Maximum number of unpacked bytes that services accept. A larger package only causes a warning. */
export const MAX_PACKAGE_BYTES = 1024 ** 3;

/** Maximum number of findings or paths of one kind that are listed separately. The rest are only counted. */
export const MAX_LISTED = 5;

/** Time that a development server on this computer has to respond, in milliseconds. */
export const DEV_SERVER_TIMEOUT_MS = 1_500;
