/** Limits of the local service: input sizes, lifetimes, and timeouts for programs. */

/** Maximum size of a body without files, in bytes. Needed because parsing the fields blocks all other work. */
export const MAX_FIELDS_BYTES = 256 * 1024;
/**
 * Maximum number of fields and files in a multipart form. Needed because empty fields don't count toward {@link MAX_FIELDS_BYTES}, and
 * every file creates a file on disk.
 */
export const MAX_FORM_PARTS = 500;
/** Maximum size of an icon or of a signing key's file, in bytes. */
export const MAX_SMALL_FILE_BYTES = 4 * 1024 * 1024;
/** Maximum length of a name, title, address, or password, in characters. */
export const MAX_NAME_LENGTH = 255;
/** Maximum length of a description, URL, log line, or message, in characters. */
export const MAX_TEXT_LENGTH = 10_000;

/** Maximum number of connections. Further connections are closed. */
export const MAX_CONNECTIONS = 1024;
/**
 * Maximum number of requests to begin per turn of the event loop. Creating an app takes about 25 turns, so with fewer requests per turn,
 * apps are created sooner, and other requests are answered later.
 */
export const MAX_REQUESTS_PER_TURN = 4;
/** Timeouts for clients, in milliseconds. */
export const CONNECTION_TIMEOUTS = {
  /** Time to receive the headers of a request, from the start of the connection. */
  headersTimeoutMs: 10_000,
  /** Time to receive a whole request, including uploads. */
  requestTimeoutMs: 15 * 60_000,
  /**
   * Time without traffic on a connection. Also limits the work on a request, and the time in which a client must read a
   * response.
   */
  idleTimeoutMs: 5 * 60_000,
};
/**
 * Time for a client to read an error response or to finish sending an unread body, and for a program to exit after it
 * was asked to, in milliseconds.
 */
export const CLOSE_TIMEOUT_MS = 3_000;

/** Lifetime of an authorization code, in milliseconds. RFC 6749 §4.1.2 recommends at most 10 minutes. */
export const CODE_LIFETIME_MS = 60_000;
/** Lifetime of a sign-in ticket, in milliseconds. It's long enough for a browser to start. */
export const TICKET_LIFETIME_MS = 2 * 60_000;
/** Lifetime of a download path, in milliseconds. */
export const DOWNLOAD_LIFETIME_MS = 5 * 60_000;
/** Time after which an unlocked signing key is locked, in milliseconds. */
export const UNLOCKED_KEY_LIFETIME_MS = 60 * 60_000;
/** Time after which a browser must sign in again, in milliseconds. */
export const SESSION_LIFETIME_MS = 12 * 60 * 60_000;

/**
 * Time to wait for another process to finish writing or to announce its address, and for a tool to print its version,
 * in milliseconds.
 */
export const OTHER_PROCESS_TIMEOUT_MS = 12_000;
/** Time for another process to prove that it serves a data folder, before it's asked again. */
export const INSTANCE_TIMEOUT_MS = 3_000;

/**
 * Time that the response to a request for builds waits for their end, in milliseconds. Small apps are built in this time, so clients don't
 * have to ask for the state.
 */
export const BUILD_ANSWER_MS = 200;

/** Maximum unpacked size of a package, in bytes. `--max-upload` limits the upload itself. */
export const MAX_UNPACKED_BYTES = 1024 ** 3;
/** Maximum number of files and folders in a package. */
export const MAX_ENTRIES = 20_000;
/** Maximum length of a path, in UTF-8 bytes. The strictest system allows 1,024, including the path of the destination folder. */
export const MAX_PATH_BYTES = 800;
/** Time to clone a repository, in milliseconds. */
export const CLONE_TIMEOUT_MS = 60_000;

/** Maximum size of a build log, not counting its last lines, in bytes. */
export const MAX_LOG_BYTES = 4 * 1024 ** 2;
/** Maximum size of one part of a log in a response, in bytes. */
export const MAX_LOG_PART_BYTES = 256 * 1024;
/** Number of a program's last lines to search for the cause of its failure. */
export const MAX_OUTPUT_LINES = 200;

/**
 * Time limit for installing the engine, in milliseconds. A partial installation that's older was left by a process that
 * was killed.
 */
export const INSTALLATION_TIMEOUT_MS = 60 * 60_000;
/**
 * Interval between retries of a failed database write, and between checks of a clone's size and of unlocked keys, in
 * milliseconds.
 */
export const CHECK_INTERVAL_MS = 1_000;
