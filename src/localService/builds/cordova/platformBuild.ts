import { stat } from 'node:fs/promises';

import { BuildError, type BuildJob } from '../builder.ts';
import type { Engine } from './engine.ts';
import type { ProjectConfig } from './projectConfig.ts';

/** A program that a build runs in its project. */
export interface RunOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** What is added to the environment of Cordova. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** What a platform works with. */
export interface PlatformBuild {
  readonly job: BuildJob;
  /** The work folder of the job, without links in its path. */
  readonly workFolder: string;
  /** The Cordova project. */
  readonly folder: string;
  readonly config: ProjectConfig;
  readonly engine: Engine;
  /** The environment of the service, in which tools are looked for. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  /**
   * Runs a program.
   *
   * @returns the last lines of what it has printed
   * @throws BuildError when it fails; the signal's reason when it is aborted
   */
  readonly run: (step: string, options: RunOptions) => Promise<readonly string[]>;
  /** Runs Cordova: a command, a platform, and options. */
  readonly cordova: (step: string, args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<unknown>;
}

/**
 * Makes sure that a build has made a file or folder: Cordova's status 0 is no proof.
 *
 * @param since milliseconds since the epoch
 * @throws BuildError
 */
export async function requireMade(path: string, since: number): Promise<string> {
  const made = await stat(path).catch(() => undefined);
  // File systems keep times in steps of up to two seconds.
  if (made === undefined || made.mtimeMs < since - 2000) {
    throw new BuildError('Cordova has ended without an error, and has made no app. The log may say why.');
  }
  return path;
}
