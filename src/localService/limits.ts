/** The limits of the local service: of what enters it, and of the programs that it waits for. */

/** Bytes of a package, unpacked. An upload has a limit of its own, which `--max-upload` sets. */
export const MAX_UNPACKED_BYTES = 1024 ** 3;
/** Files and folders of a package. */
export const MAX_ENTRIES = 20_000;
/** Bytes of a path in UTF-8. The shortest limit among the systems is 1,024, and the folder that it's unpacked to takes a part. */
export const MAX_PATH_BYTES = 800;
/** Bytes of a config.xml. */
export const MAX_CONFIG_BYTES = 1024 ** 2;
/** Milliseconds to clone a repository. */
export const CLONE_TIMEOUT_MS = 60_000;
/** Milliseconds between two looks at the size of a clone: git has no limit of its own. */
export const CLONE_CHECK_INTERVAL_MS = 250;

/** Bytes of a build's log, without its last lines. */
export const MAX_LOG_BYTES = 4 * 1024 ** 2;
/** Bytes of a part in which a log is answered. */
export const MAX_LOG_PART_BYTES = 1024 ** 2;
/** Characters of a line of a log, and of a message. */
export const MAX_LINE_LENGTH = 8_192;
/** The last lines of a program in which the reason of its failure is looked for. */
export const MAX_OUTPUT_LINES = 200;

/** Milliseconds for a program to end after a polite request, and for the rest of its output after its end. */
export const PROGRAM_END_TIMEOUT_MS = 1_000;
/** Milliseconds for a tool of a platform to name its version. */
export const TOOL_TIMEOUT_MS = 20_000;
/** Milliseconds after which an installation of the engine is over. An older folder of one was left by a process that was killed. */
export const INSTALLATION_TIMEOUT_MS = 60 * 60_000;
/** Milliseconds until a write that the database refused is tried again. */
export const RETRY_INTERVAL_MS = 1_000;

/** Characters of the ID of an app: Android allows 223. */
export const MAX_ID_LENGTH = 200;
/** Characters of a name in a message, a file's name or the label of an app. */
export const MAX_SHOWN_LENGTH = 100;
