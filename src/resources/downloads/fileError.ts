import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';

/** A file could not be read or written. */
export class FileError extends BuildServiceError {
  readonly kind = 'file';
  /** The file system's own code, such as `ENOSPC`. */
  readonly code: string;

  constructor(code: string, what: Sentence, next: Sentence) {
    super({ what, next, remedy: 'none' });
    this.code = code;
  }
}

/** Code of an error for a file that a file system without streaming cannot take. */
export const tooLargeForMemory = 'APP_BUILD_TOO_LARGE';

/**
 * The typed error for a failure of Node's or VS Code's file system; anything else is returned as it is.
 *
 * @param name file name for the sentence.
 */
export function fileFailure(error: unknown, name: string): unknown {
  const code =
    error instanceof Error && !(error instanceof BuildServiceError) && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') {
    return error;
  }
  const [what, next] = byCode[code] ?? (/^E[A-Z]+$/.test(code) ? byCode.other : undefined) ?? [];
  return what === undefined || next === undefined
    ? error
    : new FileError(code, sentence(what, name, code), sentence(next));
}

const space = ['There is no space left for {0}.', 'Free some space, or choose another folder.'] as const;
const permission = [
  '{0} cannot be written: this folder or file is read-only for you.',
  'Choose another folder.',
] as const;
const missing = ['{0} cannot be found.', 'It, or its folder, may have been moved. Choose it again.'] as const;
const inUse = ['{0} is in use by another program.', 'Close it there, then try again.'] as const;
const byCode: Readonly<Record<string, readonly [what: string, next: string]>> = {
  ENOSPC: space,
  EDQUOT: space,
  EFBIG: ['{0} is larger than this file system allows.', 'Choose a folder on another disk.'],
  EACCES: permission,
  EPERM: permission,
  EROFS: permission,
  NoPermissions: permission,
  ENOENT: missing,
  ENOTDIR: missing,
  FileNotFound: missing,
  FileNotADirectory: missing,
  EBUSY: inUse,
  ETXTBSY: inUse,
  EISDIR: ['{0} is a folder.', 'Choose another name.'],
  FileIsADirectory: ['{0} is a folder.', 'Choose another name.'],
  ENAMETOOLONG: ['The name of {0} is too long.', 'Choose a shorter one.'],
  EEXIST: ['{0} exists already.', 'Choose another name.'],
  FileExists: ['{0} exists already.', 'Choose another name.'],
  Unavailable: ['The file system of {0} is not available.', 'Check its connection, then try again.'],
  FILE_CHANGED: ['{0} changed while it was read.', 'Try again once it no longer changes.'],
  [tooLargeForMemory]: [
    '{0} is too large for this kind of folder, which takes 64 MB at most.',
    'Choose a folder on a disk.',
  ],
  other: ['{0} could not be read or written ({1}).', 'Choose another folder, or try again.'],
};
