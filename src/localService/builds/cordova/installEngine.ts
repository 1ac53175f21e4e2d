/** Brings the Cordova engine into the data folder, from the npm registry that this machine is set up with. */
import { mkdir, mkdtemp, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { isToolFolder, ProgramError, runProgram, type Program } from '../runProgram.ts';
import lock from './engine/package-lock.json' with { type: 'json' };
import manifest from './engine/package.json' with { type: 'json' };
import { engineFolder, EngineError, exists, openEngine } from './engine.ts';

export interface EngineInstallation {
  readonly dataFolder: string;
  /** Receives a line for each step. */
  readonly report: (line: string) => void;
  /** Ends the installation. */
  readonly signal: AbortSignal;
  /** The environment of npm, which has the person's configuration of it. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

/** A program and the arguments that come before others. */
type Command = Pick<Program, 'command' | 'args'>;

const PARTIAL_PREFIX = 'engine-partial-';
/** The names that `mkdtemp` gives. Other folders are not the service's. */
const PARTIAL_NAME = new RegExp(`^${PARTIAL_PREFIX}[A-Za-z0-9]{6}$`);
/** An installation is over by then: its folder is what a process has left that was killed. */
const PARTIAL_TIMEOUT_MS = 60 * 60_000;
const FOLDER_MODE = 0o700;

/**
 * Installs the engine, with exactly the packages of its lock file and without running their scripts. The folder is there
 * whole or not at all.
 *
 * @returns the folder of the engine, also of one that was installed already
 * @throws EngineError that says what to do; the signal's reason when it is aborted
 */
export async function installEngine({ dataFolder, report, signal, env }: EngineInstallation): Promise<string> {
  const folder = engineFolder(dataFolder);
  const installed = await openEngine(folder);
  if (installed !== undefined) {
    report(`Cordova ${installed.version} is installed already, in ${folder}.`);
    return folder;
  }
  if (await exists(folder)) {
    throw new EngineError(`${folder} holds no Cordova engine. Remove that folder, and try again.`);
  }
  const npm = await findNpm(env);
  if (npm === undefined) {
    throw new EngineError('npm was not found. Install Node.js with npm, put it on PATH, and try again.');
  }
  await mkdir(dataFolder, { recursive: true, mode: FOLDER_MODE });
  await removeLeftovers(dataFolder);
  const partial = await mkdtemp(path.join(path.resolve(dataFolder), PARTIAL_PREFIX));
  try {
    const start = performance.now();
    report(`Installing Cordova ${manifest.dependencies.cordova} into ${folder} (about 50 MB) …`);
    await writeFile(path.join(partial, 'package.json'), toText(manifest));
    await writeFile(path.join(partial, 'package-lock.json'), toText(lock));
    await runNpmCi(npm, partial, { report, signal, env });
    if ((await openEngine(partial)) === undefined) {
      throw new EngineError(
        'npm has installed no Cordova. Look at its configuration (npm config list), and try again.',
      );
    }
    await moveInto(folder, partial);
    report(`Installed in ${Math.round((performance.now() - start) / 1000)} s. Builds use it from now on.`);
    return folder;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function runNpmCi(
  { command, args }: Command,
  folder: string,
  { report, signal, env }: Omit<EngineInstallation, 'dataFolder'>,
): Promise<void> {
  const own = 'ci --ignore-scripts --no-audit --no-fund --loglevel=error --install-strategy=hoisted --prefix'.split(
    ' ',
  );
  try {
    await runProgram({
      command,
      args: [...args, ...own, folder],
      cwd: folder,
      env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
      // Without the stack of npm's own program.
      log: (line) => (/^npm error {4}/.test(line) ? undefined : report(line)),
      signal,
    });
  } catch (error) {
    if (error instanceof ProgramError) {
      throw new EngineError(
        `npm ${error.message}, and the engine is not installed. ` +
          'Check the network and the registry (npm config get registry), and try again.',
      );
    }
    throw error;
  }
}

/** Another process may have been quicker: then its engine stays. */
async function moveInto(folder: string, partial: string): Promise<void> {
  try {
    await rename(partial, folder);
  } catch (error) {
    if ((await openEngine(folder)) === undefined) {
      throw error;
    }
  }
}

/** The npm that runs this program, that beside Node, or that on PATH; as a script, because Windows has a batch file there. */
async function findNpm(env: Readonly<NodeJS.ProcessEnv>): Promise<Command | undefined> {
  const nodeFolder = path.dirname(process.execPath);
  const scripts = [
    env.npm_execpath ?? '',
    path.join(nodeFolder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(nodeFolder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  for (const script of scripts) {
    if (path.basename(script) === 'npm-cli.js' && (await exists(script))) {
      return { command: process.execPath, args: [script] };
    }
  }
  for (const folder of (env.PATH ?? '').split(path.delimiter).filter(isToolFolder)) {
    const npm = await npmOf(folder);
    if (npm !== undefined) {
      return npm;
    }
  }
  return undefined;
}

async function npmOf(folder: string): Promise<Command | undefined> {
  const script = path.join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
  if (process.platform === 'win32') {
    return (await exists(script)) ? { command: process.execPath, args: [script] } : undefined;
  }
  const command = await realpath(path.join(folder, 'npm')).catch(() => undefined);
  if (command === undefined) {
    return undefined;
  }
  return command.endsWith('npm-cli.js') ? { command: process.execPath, args: [command] } : { command, args: [] };
}

async function removeLeftovers(dataFolder: string): Promise<void> {
  for (const name of (await readdir(dataFolder)).filter((each) => PARTIAL_NAME.test(each))) {
    const leftover = path.join(dataFolder, name);
    // Another installation may be ending.
    const found = await stat(leftover).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > PARTIAL_TIMEOUT_MS) {
      await rm(leftover, { recursive: true, force: true });
    }
  }
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
