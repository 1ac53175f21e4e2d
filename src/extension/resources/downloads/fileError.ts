import { BuildServiceError, sentence, type Sentence, withArguments } from '../../../errors/index.ts';

/** Thrown when a file couldn't be read or written. */
export class FileError extends BuildServiceError {
  readonly kind = 'file';
  /** Error code of the file system, such as `ENOSPC`. */
  readonly code: string;

  constructor(code: string, what: Sentence, next: Sentence) {
    super({ what, next, remedy: 'none' });
    this.code = code;
  }
}

/**
 * Returns the error for a file that isn't written because it's a link or isn't a regular file.
 *
 * @param name file name for the message.
 */
export function notPlainFile(name: string): FileError {
  return new FileError(
    'NotPlainFile',
    sentence('{0} is a link or not a regular file, so nothing was written.', name),
    sentence('Replace it with a regular file in this folder, then try again.'),
  );
}

const TOO_LARGE_FOR_MEMORY = 'APP_BUILD_TOO_LARGE';

/** Creates the error for a file larger than `MAX_IN_MEMORY_BYTES`. {@link fileFailure} adds the message. */
export function tooLargeForMemory(): Error {
  return Object.assign(new Error('The file is too large to be held in memory.'), { code: TOO_LARGE_FOR_MEMORY });
}

/**
 * Converts an error of Node's or VS Code's file system to a typed error. Other values pass through unchanged.
 *
 * @param name file name for the message.
 */
export function fileFailure(error: unknown, name: string): unknown {
  const code =
    error instanceof Error && !(error instanceof BuildServiceError) && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') {
    return error;
  }
  const [what, next] = SENTENCES_BY_CODE[code] ?? (/^E[A-Z]+$/.test(code) ? SENTENCES_BY_CODE.other : undefined) ?? [];
  return what === undefined || next === undefined ? error : new FileError(code, withArguments(what, name, code), next);
}

const NO_SPACE = [
  sentence('Not enough disk space for {0}.'),
  sentence('Free some space, or choose another folder.'),
] as const;
const READ_ONLY = [
  sentence('{0} can’t be written because the folder or file is read-only for you.'),
  sentence('Choose another folder.'),
] as const;
const MISSING = [
  sentence('{0} can’t be found.'),
  sentence('The file or its folder may have been moved. Choose it again.'),
] as const;
const IN_USE = [sentence('{0} is in use by another program.'), sentence('Close it there, then try again.')] as const;
const SENTENCES_BY_CODE: Readonly<Record<string, readonly [what: Sentence, next: Sentence]>> = {
  ENOSPC: NO_SPACE,
  EDQUOT: NO_SPACE,
  EFBIG: [sentence('{0} is larger than this file system allows.'), sentence('Choose a folder on another disk.')],
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
  EROFS: READ_ONLY,
  NoPermissions: READ_ONLY,
  ENOENT: MISSING,
  ENOTDIR: MISSING,
  FileNotFound: MISSING,
  FileNotADirectory: MISSING,
  EBUSY: IN_USE,
  ETXTBSY: IN_USE,
  EISDIR: [sentence('{0} is a folder.'), sentence('Choose another name.')],
  FileIsADirectory: [sentence('{0} is a folder.'), sentence('Choose another name.')],
  ENAMETOOLONG: [sentence('The name of {0} is too long.'), sentence('Choose a shorter one.')],
  EEXIST: [sentence('{0} already exists.'), sentence('Choose another name.')],
  FileExists: [sentence('{0} already exists.'), sentence('Choose another name.')],
  Unavailable: [
    sentence('The file system with {0} isn’t available.'),
    sentence('Check its connection, then try again.'),
  ],
  FILE_CHANGED: [sentence('{0} changed while it was being read.'), sentence('Try again once it no longer changes.')],
  [TOO_LARGE_FOR_MEMORY]: [
    sentence('{0} is too large for this type of folder, which accepts at most 64 MB.'),
    sentence('Choose a folder on a disk.'),
  ],
  other: [sentence('{0} couldn’t be read or written ({1}).'), sentence('Choose another folder, or try again.')],
};
