import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { CancelledError } from '../../api/errors/cancelledError.ts';
import { AdbError } from './adbErrors.ts';

export interface AdbOptions {
  /** Milliseconds after which adb is ended. */
  readonly timeoutMs: number;
  /** Ends adb. The server that it may have started goes on. */
  readonly signal: AbortSignal;
}

export interface AdbOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Characters of each stream; what follows is dropped. */
const MAX_OUTPUT_LENGTH = 64 * 1024;
/** For the rest of the output after the end of adb: the server that it has started may hold the pipes open. */
const OUTPUT_TIMEOUT_MS = 500;

/** Variables of VS Code, of Electron and of ours: the server that adb starts outlives the window. */
const OWN_VARIABLE = /^(VSCODE_|ELECTRON_|APP_BUILD_)/i;

/**
 * Runs adb until it ends, whatever its exit code. No shell reads the arguments.
 *
 * @param program its path.
 * @throws CancelledError when the signal aborts; AdbError when it cannot be started or does not end in time
 */
export async function runAdb(
  program: string,
  args: readonly string[],
  { timeoutMs, signal }: AdbOptions,
): Promise<AdbOutput> {
  if (signal.aborted) {
    throw new CancelledError();
  }
  const child = spawn(program, args, {
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN_VARIABLE.test(name))),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  const stop = AbortSignal.any([signal, timeout]);
  // It has nothing to clean up.
  const kill = (): void => void child.kill('SIGKILL');
  stop.addEventListener('abort', kill, { once: true });
  const stdout = new BoundedText(child.stdout);
  const stderr = new BoundedText(child.stderr);
  const closed = once(child, 'close').catch(() => undefined);
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('exit', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => reject(AdbError.notStarted(error.code ?? error.name)));
    });
    await Promise.race([closed, sleep(OUTPUT_TIMEOUT_MS, undefined, { ref: false })]);
    if (exitCode === null && stop.aborted) {
      throw stop.reason === timeout.reason ? AdbError.timeout(timeoutMs / 1000) : new CancelledError();
    }
    return { exitCode, stdout: stdout.text, stderr: stderr.text };
  } finally {
    stop.removeEventListener('abort', kill);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** The beginning of what a stream brings, which is read to its end. */
class BoundedText {
  text = '';

  constructor(stream: Readable) {
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => {
      this.text += piece.slice(0, MAX_OUTPUT_LENGTH - this.text.length);
    });
    stream.on('error', () => undefined);
  }
}
