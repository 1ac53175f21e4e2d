import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** What `npm run test:android` runs on its own, and what Debian has for it. */
export interface Part {
  readonly title: string;
  readonly tools: readonly Tool[];
  /** Runs where all tools are there, in an empty folder. */
  readonly run: (folder: string) => Promise<Counts>;
}

export interface Counts {
  readonly passed: number;
  /** A sentence for each. */
  readonly failures: readonly string[];
}

export interface Tool {
  readonly name: string;
  /** The Debian package that has it. */
  readonly from: string;
  readonly isThere: () => Promise<boolean>;
}

const run = promisify(execFile);

/** @returns what a program printed on standard output */
export async function outputOf(command: string, ...args: readonly string[]): Promise<string> {
  return (await run(command, args, { maxBuffer: 64 * 1024 * 1024 })).stdout;
}

/** A program on the path, whatever it says to being called without arguments. */
export function program(name: string, from: string): Tool {
  const isThere = async (): Promise<boolean> => {
    try {
      await outputOf(name);
    } catch (error) {
      return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
    }
    return true;
  };
  return { name, from, isThere };
}

/** What is there where a file is. */
export function file(name: string, from: string, place: string): Tool {
  return { name, from, isThere: () => Promise.resolve(existsSync(place)) };
}

export async function missingTools({ tools }: Part): Promise<readonly Tool[]> {
  const areThere = await Promise.all(tools.map((tool) => tool.isThere()));
  return tools.filter((_tool, index) => areThere[index] === false);
}

/** Counts expectations. */
export class Checks {
  passed = 0;
  readonly failures: string[] = [];

  is(condition: boolean, failure: string): void {
    if (condition) {
      this.passed += 1;
    } else {
      this.failures.push(failure);
    }
  }
}
