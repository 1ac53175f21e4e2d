/** The limits of this room. */

/** UTF-16 code units of a config.xml, and bytes of the package.json beside it: the rest is not read. Build services refuse a larger file. */
export const MAX_CONFIG_LENGTH = 1024 * 1024;

/** Characters of a value or an address that a message repeats: a whole page may have been pasted into one. */
export const MAX_SHOWN_LENGTH = 120;

/** Milliseconds between a change and the check that follows it: typing goes on, and a save, or a tool, changes several files. */
export const CHANGE_PAUSE_MS = 300;
