import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { Readable } from 'node:stream';
import { BuildServiceError, CancelledError, Failure, sentence } from '../../errors/index.ts';
import { STOP_TIMEOUT_MS } from './limits.ts';

/**
 * Starts the local service's program with a channel for messages.
 * @param script path of the service's bundle
 * @param report receives each line that the program writes to stderr
 * @returns the process, the reader of these lines, and a function that returns the last line (empty at first)
 */
export function forkService(
  script: string,
  args: readonly string[],
  stdout: 'pipe' | 'ignore',
  report: (line: string) => void,
): { readonly child: ChildProcess; readonly lines: Interface; readonly lastLine: () => string } {
  const child = fork(script, args, {
    stdio: ['ignore', stdout, 'pipe', 'ipc'],
    // Node 22 warns about `node:sqlite`. Without a limit, V8's young generation grows to 130 MB while a bundle of
    // 20,000 files is written.
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'],
    // In VS Code, `process.execPath` may be Electron. The first variable makes Electron behave like Node. With the second one, the C
    // library shares freed memory among threads, which saves 20 MB for an app of 100 MB.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', MALLOC_ARENA_MAX: '1' },
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
  /** Accepted versions. Undefined for the latest version. */
  readonly range: string | undefined;
}

export interface EngineInstallationOptions {
  /** Plugins to install with the engine or into an existing one. */
  readonly plugins?: readonly EnginePlugin[];
  /** Receives each line that the installation and npm print. */
  readonly report: (line: string) => void;
  /** Cancels the installation, which then removes its files. */
  readonly signal: AbortSignal;
}

/**
 * Runs the local service's program to install the engine and plugins into its data folder with this computer's npm.
 * @param script path of the service's bundle
 * @param dataFolder folder of the service's data
 * @returns the program's last line, which lists the installed plugins and the tools that this computer still needs for builds
 * @throws Failure if nothing was installed, with the last line of the installation (the reason and the next step). CancelledError if the
 * signal aborts. In both cases, the new files are removed.
 */
export async function installEngine(
  script: string,
  dataFolder: string,
  { plugins = [], report, signal }: EngineInstallationOptions,
): Promise<string> {
  const requested = plugins.map(({ name, range }) => `--plugin=${range === undefined ? name : `${name}@${range}`}`);
  const args = ['--install-engine', '--data', dataFolder, ...requested];
  const { child, lines, lastLine } = forkService(script, args, 'ignore', report);
  let killing: NodeJS.Timeout | undefined;
  const stop = () => {
    // The program cleans up when its parent is gone. On Windows, a signal would kill it immediately.
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
    // `close` isn't emitted after the channel is disconnected.
    const [[status]] = await Promise.all([once(child, 'exit') as Promise<[number | null]>, once(lines, 'close')]);
    if (status !== 0) {
      throw signal.aborted ? new CancelledError() : notInstalled(lastLine());
    }
    return lastLine();
  } catch (error) {
    // The program couldn't be started.
    throw error instanceof BuildServiceError ? error : notInstalled(error instanceof Error ? error.message : '');
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(killing);
  }
}

function notInstalled(reason: string): Failure {
  const what = sentence('The build engine wasn’t installed. {0}', reason);
  return new Failure('engineInstallation', { what, remedy: 'retry' });
}
