/** The interface of the parts of `npm run test:android`. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** A part that runs independently in an empty folder if its tools are installed. */
export interface Part {
  readonly title: string;
  readonly tools: readonly Tool[];
  readonly run: (checks: Checks, folder: string) => Promise<void>;
}

/** A program on PATH or a file, and the Debian package that contains it, if any. */
interface Tool {
  readonly file: string;
  readonly from?: string;
}

export function isMissing({ file }: Tool): boolean {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return !folders.some((folder) => existsSync(path.resolve(folder, file)));
}

/** Counts expectations. */
export class Checks {
  passed = 0;
  /** One sentence per failure. */
  readonly failures: string[] = [];

  is(condition: boolean, failure: string): void {
    if (condition) {
      this.passed += 1;
    } else {
      this.failures.push(failure);
    }
  }
}
