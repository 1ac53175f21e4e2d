import { resultCodeOf } from './database.ts';

/** The system's names for: no space, over the quota, over the size that a file may have. */
const FILE_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];
/** SQLITE_FULL. */
const SQLITE_FULL = 13;
/** SQLITE_IOERR of writing, flushing and enlarging (sqlite.org/rescode.html): how a full disk shows in its companion files. */
const SQLITE_WRITE_ERRORS: readonly unknown[] = [778, 1034, 1290, 1546, 4874];

/** Tells whether something could not be written because there is no room for it, in a file or in the database. */
export function isDiskFull(error: unknown): boolean {
  return (
    error instanceof Error &&
    (('code' in error && FILE_CODES.includes(error.code)) ||
      resultCodeOf(error) === SQLITE_FULL ||
      ('errcode' in error && SQLITE_WRITE_ERRORS.includes(error.errcode)))
  );
}
