/** The limits of the local service: of what enters it, of how long things live, and of the programs that it waits for. */

/** Bytes of a body without files: nothing else runs while its fields are read. */
export const MAX_FIELDS_BYTES = 256 * 1024;
/** Fields and files of a multipart form. An empty field takes no bytes of {@link MAX_FIELDS_BYTES}, and each file is one on the disk. */
export const MAX_FORM_PARTS = 500;
/** Bytes of an icon, or of a file of a signing key. */
export const MAX_SMALL_FILE_BYTES = 4 * 1024 * 1024;
/** Characters of a name, a title, an address or a password. */
export const MAX_NAME_LENGTH = 255;
/** Characters of a description, a URL, a line of a log or a message. */
export const MAX_TEXT_LENGTH = 10_000;

/** Connections at once; further ones are closed. */
export const MAX_CONNECTIONS = 1024;
/** Milliseconds that Node waits for a client. */
export const CONNECTION_TIMEOUTS = {
  /** For a request's headers, from the start of the connection. */
  headersTimeoutMs: 10_000,
  /** For a whole request, an upload too. */
  requestTimeoutMs: 15 * 60_000,
  /** While nothing is sent or taken: an answer that isn't read, and all work on a request. */
  idleTimeoutMs: 5 * 60_000,
};
/** Milliseconds in which a client may read the refusal, or end a body that isn't read, and in which a program may end when it's asked to. */
export const CLOSE_TIMEOUT_MS = 3_000;

/** During which an authorization code can be exchanged (RFC 6749 §4.1.2 asks for at most 10 minutes). */
export const CODE_LIFETIME_MS = 60_000;
/** During which a sign-in ticket works: long enough for a browser that has to start first. */
export const TICKET_LIFETIME_MS = 2 * 60_000;
/** During which a download path works. */
export const DOWNLOAD_LIFETIME_MS = 5 * 60_000;
/** After which an unlocked signing key locks itself. */
export const UNLOCKED_KEY_LIFETIME_MS = 60 * 60_000;
/** After which a browser has to sign in again. */
export const SESSION_LIFETIME_MS = 12 * 60 * 60_000;

/** For which a process waits for another one: to finish its write, to announce its address, and for a tool to print its version. */
export const OTHER_PROCESS_TIMEOUT_MS = 12_000;

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

/** Bytes of a build's log, without its last lines. */
export const MAX_LOG_BYTES = 4 * 1024 ** 2;
/** Bytes of a part in which a log is answered. */
export const MAX_LOG_PART_BYTES = 256 * 1024;
/** The last lines of a program in which the reason of its failure is looked for. */
export const MAX_OUTPUT_LINES = 200;

/** Milliseconds after which an installation of the engine is over. An older folder of one was left by a process that was killed. */
export const INSTALLATION_TIMEOUT_MS = 60 * 60_000;
/** Milliseconds until a database that refused a write is tried again, and until the size of a clone and the time of unlocked keys are checked again. */
export const CHECK_INTERVAL_MS = 1_000;

/** Characters of a name in a message, a file's name or the label of an app. */
export const MAX_SHOWN_LENGTH = 100;
