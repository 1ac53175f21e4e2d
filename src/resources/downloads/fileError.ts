import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';

/** A file could not be read or written. */
export class FileError extends BuildServiceError {
  readonly kind = 'file';
  /** Code of the file system's error, such as `ENOSPC`. */
  readonly code: string;

  constructor(code: string, what: Sentence, next: Sentence) {
    super({ what, next, remedy: 'none' });
    this.code = code;
  }
}

/** Bytes of a file that may be read or written as a whole, where a file system cannot stream. */
export const MAX_IN_MEMORY_BYTES = 64 * 1024 * 1024;

const TOO_LARGE_FOR_MEMORY = 'APP_BUILD_TOO_LARGE';

/** Error for a file of more than {@link MAX_IN_MEMORY_BYTES}; {@link fileFailure} has its sentence. */
export function tooLargeForMemory(): Error {
  return Object.assign(new Error('The file is too large to be held in memory.'), { code: TOO_LARGE_FOR_MEMORY });
}

/**
 * Makes a typed error of one that Node's or VS Code's file system has thrown; returns any other value as it is.
 *
 * @param name of the file, for the sentence.
 */
export function fileFailure(error: unknown, name: string): unknown {
  const code =
    error instanceof Error && !(error instanceof BuildServiceError) && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') {
    return error;
  }
  const [what, next] = SENTENCES_BY_CODE[code] ?? (/^E[A-Z]+$/.test(code) ? SENTENCES_BY_CODE.other : undefined) ?? [];
  return what === undefined || next === undefined
    ? error
    : new FileError(code, sentence(what, name, code), sentence(next));
}

const NO_SPACE = ['There is no space left for {0}.', 'Free some space, or choose another folder.'] as const;
const READ_ONLY = [
  '{0} cannot be written: this folder or file is read-only for you.',
  'Choose another folder.',
] as const;
const MISSING = ['{0} cannot be found.', 'It, or its folder, may have been moved. Choose it again.'] as const;
const IN_USE = ['{0} is in use by another program.', 'Close it there, then try again.'] as const;
const SENTENCES_BY_CODE: Readonly<Record<string, readonly [what: string, next: string]>> = {
  ENOSPC: NO_SPACE,
  EDQUOT: NO_SPACE,
  EFBIG: ['{0} is larger than this file system allows.', 'Choose a folder on another disk.'],
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
  EISDIR: ['{0} is a folder.', 'Choose another name.'],
  FileIsADirectory: ['{0} is a folder.', 'Choose another name.'],
  ENAMETOOLONG: ['The name of {0} is too long.', 'Choose a shorter one.'],
  EEXIST: ['{0} exists already.', 'Choose another name.'],
  FileExists: ['{0} exists already.', 'Choose another name.'],
  Unavailable: ['The file system of {0} is not available.', 'Check its connection, then try again.'],
  FILE_CHANGED: ['{0} changed while it was read.', 'Try again once it no longer changes.'],
  [TOO_LARGE_FOR_MEMORY]: [
    '{0} is too large for this kind of folder, which takes 64 MB at most.',
    'Choose a folder on a disk.',
  ],
  other: ['{0} could not be read or written ({1}).', 'Choose another folder, or try again.'],
};
