/** Running a program of a builder, with all that it starts. */
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { MAX_OUTPUT_LINES, MAX_TEXT_LENGTH, CLOSE_TIMEOUT_MS } from '../limits.ts';
import type { Log } from './builder.ts';

export interface Program {
  /** Path or name of the program; no shell reads it. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Its whole environment; `PWD` is added. See {@link inheritedEnvironment}. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Receives each line of standard output and standard error as soon as it is there. */
  readonly log?: Log | undefined;
  /** Ends the program. */
  readonly signal: AbortSignal;
}

/** The program could not be started, or did not end with status 0. The message is the rest of a sentence about it. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
  /** Its last lines. */
  lines: readonly string[] = [];
  /** The system's name for why it was not started, such as `ENOENT`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The variables of an environment that a program may see. Nothing else is inherited: the environment may hold secrets.
 *
 * @param names their case does not count on Windows
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

/** A PATH of {@link toolFolders}. @param first folders that come before */
export function toolPath(env: Readonly<NodeJS.ProcessEnv>, first: readonly string[] = []): string {
  return [...first, ...toolFolders(env)].join(path.delimiter);
}

/**
 * The folders of PATH in which tools of a build are looked for: absolute ones, and none of a workspace's `node_modules`. npm puts
 * `node_modules/.bin` of the workspace on PATH; a relative folder is one of the workspace, too.
 */
export function toolFolders({ PATH = '' }: Readonly<NodeJS.ProcessEnv>): readonly string[] {
  const folders = PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.filter((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]*$/.test(folder));
}

/**
 * Runs a program with an empty standard input, in a process group of its own, until it ends with status 0. When the promise
 * settles, nothing of the group is left.
 *
 * @returns its last lines, {@link MAX_OUTPUT_LINES} at most
 * @throws ProgramError when it cannot be started or ends in another way; the signal's reason when it is aborted
 */
export async function runProgram(program: Program): Promise<readonly string[]> {
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
  const failure = await failureOf(child);
  signal.removeEventListener('abort', stop);
  clearTimeout(killing);
  signalGroup(child, 'SIGKILL');
  // A program of its own may have left the group, with the pipe open.
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

/** @throws ProgramError where Node refuses at once, as it does a batch file of Windows. What else is wrong is told by an event. */
function start({ command, args, cwd, env }: Program): ChildProcessByStdio<null, Readable, Readable> {
  try {
    return spawn(command, args, {
      cwd,
      // Cordova takes the folder that PWD names for its project, whatever its working directory is.
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

/** Resolves at the end of a program. @returns `undefined` for status 0 */
function failureOf(child: ChildProcess): Promise<ProgramError | undefined> {
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
    // Windows has neither groups nor a polite request that a console program gets: its tree is ended. Where that fails, it alone is.
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
    // Nothing of the group is left.
  }
}

/** Hands over the lines of a stream until it ends or is destroyed. A flood of output waits in the program's pipe. */
async function readLines(stream: NodeJS.ReadableStream, log: Log): Promise<void> {
  stream.setEncoding('utf8');
  let rest = '';
  try {
    for await (const text of stream) {
      const lines = (rest + String(text)).split(/\r?\n|\r(?!$)/);
      // Longer than a line of a log, whose end is cut only after secrets were hidden.
      const cut = (line: string): string => line.slice(0, 8 * MAX_TEXT_LENGTH);
      rest = cut(lines.pop() ?? '');
      lines.forEach((line) => log(cut(line)));
    }
  } catch {
    // Destroyed: the stream does not end any more.
  }
  if (rest !== '') {
    log(rest);
  }
}
