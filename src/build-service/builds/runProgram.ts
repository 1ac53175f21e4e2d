/** Runs a builder's program, and controls all processes that it starts. */
import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { MAX_OUTPUT_LINES, MAX_TEXT_LENGTH, CLOSE_TIMEOUT_MS } from '../limits.ts';
import type { WriteLog } from '../../android-package/index.ts';

/** A program to run. */
export interface ProgramCall {
  /** Path or name of the program. It runs without a shell. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment, except for `PWD`, which is added. See {@link inheritedEnvironment}. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Receives each line of standard output and standard error immediately. */
  readonly log?: WriteLog | undefined;
  /** Stops the program. */
  readonly signal: AbortSignal;
}

/**
 * Thrown when a program couldn't be started or didn't exit with status 0. The message completes a sentence that begins
 * with the program's name.
 */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
  /** Last lines of the program's output. */
  lines: readonly string[] = [];
  /** System error code, such as `ENOENT`, if the program couldn't be started. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the environment variables with these names. Excludes all others, because they may contain secrets.
 *
 * @param names names of variables. On Windows, their case is ignored
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

/**
 * Returns a PATH that consists of {@link toolFolders}.
 *
 * @param first folders to add at the start
 */
export function toolPath(env: Readonly<NodeJS.ProcessEnv>, first: readonly string[] = []): string {
  return [...first, ...toolFolders(env)].join(path.delimiter);
}

/**
 * Returns the folders on PATH that are searched for build tools. Skips relative folders and `node_modules/.bin`, which
 * npm adds to PATH, because they may be in the workspace.
 */
export function toolFolders({ PATH = '' }: Readonly<NodeJS.ProcessEnv>): readonly string[] {
  const folders = PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.filter((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]*$/.test(folder));
}

/**
 * Runs a program and waits until it exits. Its standard input is empty, and it runs in a separate process group. By the
 * time the promise settles, all processes in the group have exited.
 *
 * @returns the last lines of its output, at most {@link MAX_OUTPUT_LINES}
 * @throws ProgramError if it can't be started or doesn't exit with status 0, or the signal's reason when it's aborted
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
  // Without a free file descriptor, Node creates neither the process nor its streams.
  const streams = [child.stdout, child.stderr].flatMap((stream) => stream ?? []);
  const output = Promise.all(streams.map((stream) => readLines(stream, onLine)));
  // It can reject long before the program exits, when nothing awaits it yet.
  output.catch(() => undefined);
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
  // A subprocess that has left the group may keep the pipe open.
  await Promise.race([output, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  streams.forEach((stream) => stream.destroy());
  await output;
  signal.throwIfAborted();
  if (failure !== undefined) {
    failure.lines = lines;
    throw failure;
  }
  return lines;
}

/**
 * Starts a program. The `error` event reports most failures.
 *
 * @throws ProgramError if Node fails synchronously, as it does for a batch file on Windows
 */
function start({ command, args, cwd, env }: ProgramCall): ChildProcess {
  try {
    return spawn(command, args, {
      cwd,
      // Cordova uses the folder in PWD, not the working directory, as its project.
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

/** Resolves when a program exits. @returns `undefined` for status 0 */
function waitForExit(child: ChildProcess): Promise<ProgramError | undefined> {
  return new Promise((resolve) => {
    // The event can occur again if the program can't be killed.
    child.on('error', (error) => resolve(notStarted(error)));
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
    // Windows has neither process groups nor signals for console programs. Kill the process tree, or only the program
    // if that fails.
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
    // All processes in the group have already exited.
  }
}

/**
 * Passes the lines of a stream to `log` until the stream ends or is destroyed. If the program prints faster than its
 * lines are read, its output waits in the pipe.
 */
async function readLines(stream: NodeJS.ReadableStream, log: WriteLog): Promise<void> {
  stream.setEncoding('utf8');
  let rest = '';
  try {
    for await (const text of stream) {
      const lines = (rest + String(text)).split(/\r?\n|\r(?!$)/);
      // Keep more of a line than the log shows, because the log hides secrets before it shortens lines.
      const cut = (line: string): string => line.slice(0, 8 * MAX_TEXT_LENGTH);
      rest = cut(lines.pop() ?? '');
      lines.forEach((line) => log(cut(line)));
    }
  } catch {
    // The stream was destroyed.
  }
  if (rest !== '') {
    log(rest);
  }
}
