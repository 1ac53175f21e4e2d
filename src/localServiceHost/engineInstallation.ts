import { once } from 'node:events';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { STOP_TIMEOUT_MS } from './limits.ts';
import { forkService } from './serviceProgram.ts';

/** The build engine of the local service was not installed. Nothing of it is left behind. */
export class EngineInstallationError extends BuildServiceError {
  readonly kind = 'engineInstallation';

  /** @param reason the last line of the installation: why, and what to do. */
  constructor(reason: string) {
    super({ what: sentence('The build engine was not installed. {0}', reason), remedy: 'retry' });
  }
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
 * @throws EngineInstallationError; CancelledError when the signal aborts.
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
    // There is no `close` once the channel is left.
    const [[status]] = await Promise.all([once(child, 'exit') as Promise<[number | null]>, once(lines, 'close')]);
    if (status !== 0) {
      throw signal.aborted ? new CancelledError() : new EngineInstallationError(lastLine());
    }
    return lastLine();
  } catch (error) {
    // The program could not be started at all.
    throw error instanceof BuildServiceError
      ? error
      : new EngineInstallationError(error instanceof Error ? error.message : '');
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(killing);
  }
}
