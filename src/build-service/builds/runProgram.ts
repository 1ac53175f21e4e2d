/** Runs a builder's program, and controls all processes that it starts. */
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { MAX_OUTPUT_LINES, MAX_TEXT_LENGTH, CLOSE_TIMEOUT_MS } from '../limits.ts';
import type { WriteLog } from '../../android-package/index.ts';

/** A program to run. */
export interface ProgramCall {
  /** Path or name of the program, which runs without a shell. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Its complete environment, except for `PWD`, which is added. See {@link inheritedEnvironment}. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Receives every line of standard output and standard error immediately. */
  readonly log?: WriteLog | undefined;
  /** Ends the program. */
  readonly signal: AbortSignal;
}

/** The program couldn't be started, or didn't exit with status 0. The message completes a sentence about it. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
  /** Last lines of its output. */
  lines: readonly string[] = [];
  /** System error code if the program wasn't started, such as `ENOENT`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the environment variables that a program can see. Doesn't include others, because the environment may contain secrets.
 *
 * @param names variable names, which aren't case-sensitive on Windows
 */
export function inheritedEnvironment(
  names: readonly string[],
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): Record<string, string> {
  const fold = (name: string): string => (process.platform === 'win32' ? name.toLowerCase() : name);
  const folded = new Set(names.map(fold));
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && folded.has(fold(entry[0])),
    ),
  );
}

/** Returns a PATH with {@link toolFolders}. @param first folders at the start */
export function toolPath(env: Readonly<NodeJS.ProcessEnv>, first: readonly string[] = []): string {
  return [...first, ...toolFolders(env)].join(path.delimiter);
}

/**
 * Returns the PATH folders in which to search for build tools: absolute folders outside any workspace's `node_modules`. npm adds the
 * workspace's `node_modules/.bin` to PATH, and a relative folder can also be in the workspace.
 */
export function toolFolders({ PATH = '' }: Readonly<NodeJS.ProcessEnv>): readonly string[] {
  const folders = PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.filter((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]*$/.test(folder));
}

/**
 * Runs a program until it exits with status 0, with an empty standard input and in a separate process group. When the promise settles, no
 * process of the group is left.
 *
 * @returns its last lines of output, at most {@link MAX_OUTPUT_LINES}
 * @throws ProgramError if it can't be started or ends differently, or the signal's reason when it's aborted
 */
export async function runProgram(program: ProgramCall): Promise<readonly string[]> {
  const { log, signal } = program;
  signal.throwIfAborted();
  const lines: string[] = [];
  const onLine = (line: string): void => {
    if (lines.push(line) > MAX_OUTPUT_LINES) {
      lines.shift();
    }
    log?.(line);
  };
  const child = start(program);
  const output = Promise.all([readLines(child.stdout, onLine), readLines(child.stderr, onLine)]);
  let killing: NodeJS.Timeout | undefined;
  const stop = (): void => {
    signalGroup(child, 'SIGTERM');
    killing = setTimeout(() => signalGroup(child, 'SIGKILL'), CLOSE_TIMEOUT_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  const failure = await waitForExit(child);
  signal.removeEventListener('abort', stop);
  clearTimeout(killing);
  signalGroup(child, 'SIGKILL');
  // A subprocess may have left the group and keep the pipe open.
  await Promise.race([output, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  await output;
  signal.throwIfAborted();
  if (failure !== undefined) {
    failure.lines = lines;
    throw failure;
  }
  return lines;
}

/** @throws ProgramError if Node fails immediately, as it does for a batch file on Windows. An event reports other failures. */
function start({ command, args, cwd, env }: ProgramCall): ChildProcessByStdio<null, Readable, Readable> {
  try {
    return spawn(command, args, {
      cwd,
      // Cordova uses the folder in PWD as its project and ignores its working directory.
      env: { ...env, PWD: cwd },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    throw notStarted(error as NodeJS.ErrnoException);
  }
}

function notStarted({ code = 'unknown error' }: NodeJS.ErrnoException): ProgramError {
  return new ProgramError(`could not be started (${code})`, code);
}

/** Resolves when a program ends. @returns `undefined` for status 0 */
function waitForExit(child: ChildProcess): Promise<ProgramError | undefined> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(notStarted(error)));
    child.once('exit', (status, signal) => {
      const how = status === null ? `was ended by ${signal ?? 'a signal'}` : `ended with status ${status}`;
      resolve(status === 0 ? undefined : new ProgramError(how));
    });
  });
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) {
    return;
  }
  if (process.platform === 'win32') {
    // Windows has no groups and no signal that a console program receives, so this ends the process tree, or only the program if that
    // fails.
    if (signal === 'SIGTERM') {
      const args = ['/pid', String(child.pid), '/t', '/f'];
      spawn('taskkill', args, { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);
    } else {
      child.kill(signal);
    }
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // No process of the group is left.
  }
}

/** Passes on the lines of a stream until it ends or is destroyed. Excess output waits in the program's pipe. */
async function readLines(stream: NodeJS.ReadableStream, log: WriteLog): Promise<void> {
  stream.setEncoding('utf8');
  let rest = '';
  try {
    for await (const text of stream) {
      const lines = (rest + String(text)).split(/\r?\n|\r(?!$)/);
      // Longer than a line of a log, because the log cuts lines after hiding secrets.
      const cut = (line: string): string => line.slice(0, 8 * MAX_TEXT_LENGTH);
      rest = cut(lines.pop() ?? '');
      lines.forEach((line) => log(cut(line)));
    }
  } catch {
    // The stream was destroyed and won't end.
  }
  if (rest !== '') {
    log(rest);
  }
}
