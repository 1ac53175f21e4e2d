/** Brings the Cordova engine into the data folder, from the npm registry that this machine is set up with. */
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { INSTALLATION_TIMEOUT_MS } from '../../limits.ts';
import { ProgramError } from '../runProgram.ts';
import lock from './engine/package-lock.json' with { type: 'json' };
import manifest from './engine/package.json' with { type: 'json' };
import { engineFolder, EngineError, exists, openEngine, type WantedPlugin } from './engine.ts';
import { installPlugins } from './installPlugins.ts';
import { findNpm, type Npm } from './npm.ts';
import { missingRequirements } from './requirements.ts';

export interface EngineInstallation {
  readonly dataFolder: string;
  /** The plugins to install with the engine, or into an installed one. */
  readonly plugins?: readonly WantedPlugin[];
  /** Receives a line for each step. */
  readonly report: (line: string) => void;
  /** Ends the installation. */
  readonly signal: AbortSignal;
  /** The environment of npm, with the user's npm configuration. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

const PARTIAL_PREFIX = 'engine-partial-';
/** The names that `mkdtemp` gives. Other folders are not the service's. */
const PARTIAL_NAME = new RegExp(`^${PARTIAL_PREFIX}[A-Za-z0-9]{6}$`);
const FOLDER_MODE = 0o700;

/**
 * Installs the engine, with exactly the packages of its lock file and without running their scripts, and then the plugins. The folders of
 * the engine and of each plugin are complete or missing, never in between. The last line reports what can be built.
 *
 * @returns the folder of the engine, also of one that was installed already
 * @throws EngineError that says what to do; the signal's reason when it is aborted
 */
export async function installEngine({
  dataFolder,
  plugins = [],
  report,
  signal,
  env,
}: EngineInstallation): Promise<string> {
  const folder = engineFolder(dataFolder);
  const installed = await openEngine(folder);
  if (installed !== undefined) {
    report(`Cordova ${installed.version} is already installed in ${folder}.`);
  } else if (await exists(folder)) {
    throw new EngineError(`${folder} holds no Cordova engine. Remove that folder, and try again.`);
  }
  if (installed !== undefined && plugins.length === 0) {
    report(await whatBuilds(folder, env));
    return folder;
  }
  const npm = await findNpm(env, signal);
  if (npm === undefined) {
    throw new EngineError('npm was not found. Install Node.js with npm, put it on PATH, and try again.');
  }
  await mkdir(dataFolder, { recursive: true, mode: FOLDER_MODE });
  await removeLeftovers(dataFolder);
  const partial = await mkdtemp(path.join(path.resolve(dataFolder), PARTIAL_PREFIX));
  try {
    if (installed === undefined) {
      await installCordova(npm, path.join(partial, 'engine'), folder, report);
    }
    const outcome = await installPlugins(plugins, { engineFolder: folder, partial, npm, report });
    report([...outcome, await whatBuilds(folder, env)].join(' '));
    return folder;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** @param partial where it's prepared before it moves to `folder` */
async function installCordova(
  npm: Npm,
  partial: string,
  folder: string,
  report: (line: string) => void,
): Promise<void> {
  const start = performance.now();
  report(`Installing Cordova ${manifest.dependencies.cordova} into ${folder} (about 50 MB) …`);
  await mkdir(partial, FOLDER_MODE);
  await writeFile(path.join(partial, 'package.json'), toText(manifest));
  await writeFile(path.join(partial, 'package-lock.json'), toText(lock));
  try {
    await npm(partial, ['ci', '--install-strategy=hoisted'], report);
  } catch (error) {
    if (error instanceof ProgramError) {
      throw new EngineError(
        `npm ${error.message}, and the engine is not installed. ` +
          'Check the network and the registry (npm config get registry), and try again.',
      );
    }
    throw error;
  }
  if ((await openEngine(partial)) === undefined) {
    throw new EngineError('npm has installed no Cordova. Look at its configuration (npm config list), and try again.');
  }
  await moveInto(folder, partial);
  report(`Installed Cordova in ${Math.round((performance.now() - start) / 1000)} s.`);
}

/** Prints the parts that this machine lacks for Android, so that the user doesn't have to find out in a build. */
async function whatBuilds(folder: string, env: Readonly<NodeJS.ProcessEnv>): Promise<string> {
  const engine = await openEngine(folder);
  const missing = engine && (await missingRequirements(engine, env)).android;
  return missing === undefined
    ? 'Builds use Cordova from now on.'
    : `Builds use Cordova from now on, but for Android this computer needs more first. ${missing}`;
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

async function removeLeftovers(dataFolder: string): Promise<void> {
  for (const name of (await readdir(dataFolder)).filter((each) => PARTIAL_NAME.test(each))) {
    const leftover = path.join(dataFolder, name);
    // Another installation may be ending.
    const found = await stat(leftover).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > INSTALLATION_TIMEOUT_MS) {
      await rm(leftover, { recursive: true, force: true });
    }
  }
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
