import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { Readable } from 'node:stream';
import { BuildServiceError, Failure } from '../api/errors/buildServiceError.ts';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { STOP_TIMEOUT_MS } from './limits.ts';

/**
 * Starts the local service's program, with a channel for messages.
 *
 * @param script path of the service's bundle.
 * @param report receives each line that the program writes to stderr.
 * @returns the process, the reader of these lines, and the last one; empty before.
 */
export function forkService(
  script: string,
  args: readonly string[],
  stdout: 'pipe' | 'ignore',
  report: (line: string) => void,
): { readonly child: ChildProcess; readonly lines: Interface; readonly lastLine: () => string } {
  const child = fork(script, args, {
    stdio: ['ignore', stdout, 'pipe', 'ipc'],
    // Node 22 warns of `node:sqlite`.
    // V8 would let short-lived objects have 130 MB while a bundle of 20,000 files is written.
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'],
    // Within VS Code, `process.execPath` may be Electron; this makes it behave as Node.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  let lastLine = '';
  const lines = createInterface({ input: child.stderr ?? Readable.from([]) });
  lines.on('line', (line) => {
    lastLine = line;
    report(line);
  });
  return { child, lines, lastLine: () => lastLine };
}

/** A Cordova plugin to install. */
export interface EnginePlugin {
  readonly name: string;
  /** Acceptable versions; undefined for the latest. */
  readonly range: string | undefined;
}

export interface EngineInstallationOptions {
  /** Plugins to install, with the engine or into an existing one. */
  readonly plugins?: readonly EnginePlugin[];
  /** Receives each line that the installation and npm write. */
  readonly report: (line: string) => void;
  /** Ends the installation, which then leaves nothing behind. */
  readonly signal: AbortSignal;
}

/**
 * Runs the local service's program, which installs the engine and plugins into its data folder with this machine's npm.
 *
 * @param script path of the service's bundle.
 * @param dataFolder where the service keeps its data.
 * @returns the program's last line. It lists the installed plugins, and the tools that this computer still needs for builds.
 * @throws Failure when nothing was installed, with the last line of the installation: why, and what to do. CancelledError when the signal
 *   aborts. Nothing is left behind then.
 */
export async function installEngine(
  script: string,
  dataFolder: string,
  { plugins = [], report, signal }: EngineInstallationOptions,
): Promise<string> {
  const wanted = plugins.map(({ name, range }) => `--plugin=${range === undefined ? name : `${name}@${range}`}`);
  const args = ['--install-engine', '--data', dataFolder, ...wanted];
  const { child, lines, lastLine } = forkService(script, args, 'ignore', report);
  let killing: NodeJS.Timeout | undefined;
  const stop = () => {
    // The program cleans up when its parent is gone. On Windows a signal would end it at once.
    if (child.connected) {
      child.disconnect();
    }
    killing = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) {
    stop();
  }
  try {
    // `close` doesn't come once the channel is left.
    const [[status]] = await Promise.all([once(child, 'exit') as Promise<[number | null]>, once(lines, 'close')]);
    if (status !== 0) {
      throw signal.aborted ? new CancelledError() : notInstalled(lastLine());
    }
    return lastLine();
  } catch (error) {
    // The program could not be started at all.
    throw error instanceof BuildServiceError ? error : notInstalled(error instanceof Error ? error.message : '');
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(killing);
  }
}

function notInstalled(reason: string): Failure {
  const what = sentence('The build engine was not installed. {0}', reason);
  return new Failure('engineInstallation', { what, remedy: 'retry' });
}
