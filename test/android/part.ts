/** What `npm run test:android` consists of. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** A part that runs on its own, in an empty folder, where its tools are there. */
export interface Part {
  readonly title: string;
  readonly tools: readonly Tool[];
  readonly run: (checks: Checks, folder: string) => Promise<void>;
}

/** A program on the path or a file, and the Debian package that has it, if one does. */
export interface Tool {
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
  /** A sentence for each. */
  readonly failures: string[] = [];

  is(condition: boolean, failure: string): void {
    if (condition) {
      this.passed += 1;
    } else {
      this.failures.push(failure);
    }
  }
}
