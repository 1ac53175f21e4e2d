/**
 * Maximum length of config.xml in UTF-16 code units, and of the package.json next to it in bytes. The rest isn't read.
 * Build services reject a larger file.
 */
export const MAX_CONFIG_LENGTH = 1024 * 1024;

/** Maximum number of characters of a value or address in a message, because the value may contain a pasted page. */
export const MAX_SHOWN_LENGTH = 120;

/**
 * Milliseconds from a change to the next check, because typing continues and saving or running a tool changes several
 * files.
 */
export const CHANGE_PAUSE_MS = 300;
