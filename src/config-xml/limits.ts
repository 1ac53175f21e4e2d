/**
 * Maximum length of a config.xml in UTF-16 code units, and of the package.json next to it in bytes. Anything beyond
 * that isn't read. Build services reject larger files.
 */
export const MAX_CONFIG_LENGTH = 1024 * 1024;

/**
 * Maximum number of characters of a value or address in a message. Needed because a value may contain a pasted page.
 */
export const MAX_SHOWN_LENGTH = 120;
