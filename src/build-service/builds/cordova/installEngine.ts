/** Installs the Cordova engine and plugins into the data folder, from the npm registry that the user has configured. */
import { mkdir, mkdtemp, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { isPackageName, NEWEST, type WriteLog } from '../../../android-package/index.ts';
import { INSTALLATION_TIMEOUT_MS } from '../../limits.ts';
import { ProgramError, runProgram, toolFolders, type ProgramCall } from '../runProgram.ts';
import lock from './engine/package-lock.json' with { type: 'json' };
import manifest from './engine/package.json' with { type: 'json' };
import {
  readDependencies,
  engineFolder,
  EngineError,
  pathExists,
  openEngine,
  pluginsFolder,
  readPlugins,
  type RequestedPlugin,
} from './engine.ts';
import { readPlugin, type PluginXml } from './pluginXml.ts';
import { missingRequirements } from './requirements.ts';

/** The input of {@link installEngine}. */
interface EngineInstallation {
  readonly dataFolder: string;
  /** Plugins to install, into the new engine or an installed one. */
  readonly plugins?: readonly RequestedPlugin[];
  /** Called with a line for each step. */
  readonly report: WriteLog;
  /** Cancels the installation. */
  readonly signal: AbortSignal;
  /** npm's environment, with the user's npm configuration. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

const PARTIAL_PREFIX = 'engine-partial-';
/** Matches the folder names that `mkdtemp` creates. Other folders don't belong to the service. */
const PARTIAL_NAME = new RegExp(`^${PARTIAL_PREFIX}[A-Za-z0-9]{6}$`);
const FOLDER_MODE = 0o700;

/**
 * Installs the engine, followed by the plugins. Installs exactly the engine's locked packages, without running their
 * scripts. The folders of the engine and of each plugin are always either complete or missing. The last reported line
 * lists the platforms that can be built.
 *
 * @returns the folder of the engine, which may have been installed before
 * @throws EngineError if the engine can't be installed. The message contains advice for the user
 * @throws the signal's reason when it's aborted
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
  } else if (await pathExists(folder)) {
    throw new EngineError(`${folder} doesn’t contain a Cordova engine. Delete that folder and try again.`);
  }
  if (installed !== undefined && plugins.length === 0) {
    report(await describeBuildTools(folder, env));
    return folder;
  }
  const npm = await findNpm(env, signal);
  await mkdir(dataFolder, { recursive: true, mode: FOLDER_MODE });
  await removeLeftovers(dataFolder);
  const partial = await mkdtemp(path.join(path.resolve(dataFolder), PARTIAL_PREFIX));
  try {
    if (installed === undefined) {
      await installCordova(npm, path.join(partial, 'engine'), folder, report);
    }
    const outcome = await installPlugins(plugins, pluginsFolder(folder), { partial, npm, report });
    report([...outcome, await describeBuildTools(folder, env)].join(' '));
    return folder;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** @param partial temporary folder where the engine is prepared */
async function installCordova(npm: RunNpm, partial: string, folder: string, report: WriteLog): Promise<void> {
  const start = performance.now();
  report(`Installing Cordova ${manifest.dependencies.cordova} into ${folder} (about 50 MB) …`);
  await mkdir(partial, FOLDER_MODE);
  await writeFile(path.join(partial, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(partial, 'package-lock.json'), JSON.stringify(lock));
  await npm(partial, ['ci', '--install-strategy=hoisted'], report).catch((error: unknown) => {
    const advice = 'Check the network and the registry (npm config get registry), then try again.';
    throw error instanceof ProgramError
      ? new EngineError(`npm ${error.message}, so the engine isn’t installed. ${advice}`)
      : error;
  });
  if ((await openEngine(partial)) === undefined) {
    throw new EngineError('npm didn’t install Cordova. Check its configuration (npm config list) and try again.');
  }
  await moveInto(folder, partial);
  report(`Installed Cordova in ${Math.round((performance.now() - start) / 1000)} s.`);
}

/** Lists the missing tools for Android, so that the user learns about them before a build. */
async function describeBuildTools(folder: string, env: Readonly<NodeJS.ProcessEnv>): Promise<string> {
  const engine = await openEngine(folder);
  const missing = engine && (await missingRequirements(engine, env)).android;
  return missing === undefined
    ? 'Builds use Cordova from now on.'
    : `Builds use Cordova from now on. For Android, this computer needs more tools first. ${missing}`;
}

/** Moves a prepared engine to its folder, unless another process has already installed one there. */
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
    // Another installation may be about to finish.
    const found = await stat(leftover).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > INSTALLATION_TIMEOUT_MS) {
      await rm(leftover, { recursive: true, force: true });
    }
  }
}

interface PluginInstallation {
  /** Temporary folder where plugins are prepared. */
  readonly partial: string;
  readonly npm: RunNpm;
  readonly report: WriteLog;
}

/**
 * Installs plugins and their dependencies into a folder. If one can't be installed, keeps its earlier version and
 * continues with the others.
 *
 * @returns a sentence about the installed plugins, and one about those that couldn't be installed
 * @throws the signal's reason when it's aborted
 */
async function installPlugins(
  requested: readonly RequestedPlugin[],
  folder: string,
  installation: PluginInstallation,
): Promise<readonly string[]> {
  const { report } = installation;
  const queue = new Map(requested.map((plugin) => [plugin.name, plugin]));
  const failures: string[] = [];
  // The loop adds dependencies to the queue while it runs.
  for (const plugin of queue.values()) {
    try {
      const { dependencies } = await installPlugin(plugin, folder, installation);
      for (const dependency of dependencies) {
        if (!queue.has(dependency.name)) {
          report(`${plugin.name} needs ${dependency.name}.`);
          queue.set(dependency.name, dependency);
        }
      }
    } catch (error) {
      if (!(error instanceof EngineError)) {
        throw error;
      }
      failures.push(`${plugin.name} (${error.message})`);
      report(`Not installed: ${plugin.name} (${error.message}).`);
    }
  }
  const installed = (await readPlugins(folder)).filter(({ name }) => queue.has(name));
  return [
    ...(installed.length === 0
      ? []
      : [`Plugins: ${installed.map(({ name, version }) => `${name} ${version}`).join(', ')}.`]),
    ...(failures.length === 0 ? [] : [`Not installed: ${failures.join(', ')}.`]),
  ];
}

/**
 * Installs one plugin.
 *
 * @throws EngineError if the plugin can't be installed. The message contains the reason
 */
async function installPlugin(
  { name, range }: RequestedPlugin,
  folder: string,
  installation: PluginInstallation,
): Promise<PluginXml> {
  const { partial, report } = installation;
  if (!isPackageName(name)) {
    throw new EngineError('npm doesn’t allow this name');
  }
  const record = await readDependencies(folder);
  const modules = path.join(folder, 'node_modules');
  const there = await readPlugin(path.join(modules, name));
  if (there !== undefined && Object.hasOwn(record, name) && (range === undefined || record[name] === range)) {
    report(`${name} is already installed.`);
    return there;
  }
  report(`Installing ${name} (${range ?? NEWEST}) …`);
  const fresh = path.join(partial, `plugin-${name.replace('/', '+')}`);
  await fetchPackage(name, range ?? NEWEST, fresh, installation);
  const source = path.join(fresh, 'node_modules', name);
  const plugin = await readPlugin(source);
  if (plugin === undefined) {
    throw new EngineError('it doesn’t have a readable plugin.xml');
  }
  if (plugin.id !== name) {
    throw new EngineError('its plugin.xml has a different ID');
  }
  if (plugin.namesOutside) {
    throw new EngineError('its plugin.xml names a file outside the plugin');
  }
  if (plugin.scripts.length > 0) {
    report(`Build scripts of ${name} are skipped: ${[...new Set(plugin.scripts)].join(', ')}.`);
  }
  await writeFile(path.join(source, 'plugin.xml'), plugin.withoutScripts);
  await replaceFolder(path.join(modules, name), source, path.join(fresh, 'before'));
  await writeRecord(folder, { ...record, [name]: range ?? NEWEST });
  return plugin;
}

/**
 * Fetches a package with its dependencies.
 *
 * @throws EngineError, or the signal's reason when it's aborted
 */
async function fetchPackage(
  name: string,
  range: string,
  folder: string,
  { npm, report }: PluginInstallation,
): Promise<void> {
  await mkdir(folder);
  await writeFile(path.join(folder, 'package.json'), '{"private":true}');
  let code: string | undefined;
  // Install a plugin's dependencies inside the plugin, so that they never replace Cordova's.
  const args =
    'install --install-strategy=nested --legacy-peer-deps --no-bin-links --no-package-lock --omit=dev --'.split(' ');
  const onLine = (line: string): void => {
    code ??= /^npm error code (\w+)/.exec(line)?.[1];
    report(line);
  };
  // Disable Git: when npm installs a package from Git, it runs the programs that the package's .npmrc specifies.
  const env = { npm_config_git: 'git-is-not-used' };
  await npm(folder, [...args, `${name}@${range}`], onLine, env).catch((error: unknown) => {
    if (!(error instanceof ProgramError)) {
      throw error;
    }
    const unknown = `npm ${error.message}${code === undefined ? '' : `: ${code}`}`;
    throw new EngineError(NPM_ERRORS.get(code ?? '') ?? unknown);
  });
}

const NPM_ERRORS: ReadonlyMap<string, string> = new Map([
  ['E404', 'npm has no such package'],
  ['ETARGET', 'npm has no such version'],
  ['ENOENT', 'it needs a package from Git'],
]);

/**
 * Replaces a folder.
 *
 * @param before temporary path of the replaced folder, which is restored on failure
 */
async function replaceFolder(folder: string, by: string, before: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const wasThere = await rename(folder, before).then(
    () => true,
    () => false,
  );
  try {
    await rename(by, folder);
  } catch (error) {
    if (wasThere) {
      await rename(before, folder);
    }
    throw error;
  }
}

/** Records the requested range of each installed plugin. */
async function writeRecord(folder: string, dependencies: Readonly<Record<string, unknown>>): Promise<void> {
  const file = path.join(folder, 'package.json');
  const partial = `${file}.partial`;
  await writeFile(partial, `${JSON.stringify({ private: true, dependencies }, undefined, 2)}\n`);
  await rename(partial, file);
}

/**
 * Installs packages into a folder without running their scripts.
 *
 * @param args an npm command with its options and packages
 * @param log receives the lines that npm prints, except its stack traces
 * @param env added to npm's environment
 * @throws ProgramError, or the signal's reason when it's aborted
 */
type RunNpm = (
  folder: string,
  args: readonly string[],
  log: WriteLog,
  env?: Readonly<NodeJS.ProcessEnv>,
) => Promise<unknown>;

/** Finds npm. @param env npm's environment, with the user's npm configuration @throws EngineError if it isn't found */
async function findNpm(env: Readonly<NodeJS.ProcessEnv>, signal: AbortSignal): Promise<RunNpm> {
  const npm = await findProgram(env);
  if (npm === undefined) {
    throw new EngineError('npm wasn’t found. Install Node.js with npm, add it to PATH, and try again.');
  }
  const options = '--ignore-scripts --no-audit --no-fund --loglevel=error --prefix'.split(' ');
  return (folder, [command = '', ...others], log, ownEnv) =>
    runProgram({
      command: npm.command,
      args: [...npm.args, command, ...options, folder, ...others],
      cwd: folder,
      env: { ...env, ...ownEnv, ELECTRON_RUN_AS_NODE: '1' },
      log: (line) => (line.startsWith('npm error    ') ? undefined : log(line)),
      signal,
    });
}

/**
 * Returns the npm that runs this program, the one next to Node, or the one on PATH. Uses npm's script instead of the
 * command, which is a batch file on Windows.
 */
async function findProgram(
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<Pick<ProgramCall, 'command' | 'args'> | undefined> {
  const { npm_execpath: running = '' } = env;
  const script = path.join('node_modules', 'npm', 'bin', 'npm-cli.js');
  const nodeFolder = path.dirname(process.execPath);
  const candidates = [
    ...(path.basename(running) === 'npm-cli.js' ? [running] : []),
    path.join(nodeFolder, script),
    path.join(nodeFolder, '..', 'lib', script),
    ...toolFolders(env).map((folder) => path.join(folder, process.platform === 'win32' ? script : 'npm')),
  ];
  for (const candidate of candidates) {
    const file = await realpath(candidate).catch(() => undefined);
    if (file !== undefined) {
      return file.endsWith('npm-cli.js') ? { command: process.execPath, args: [file] } : { command: file, args: [] };
    }
  }
  return undefined;
}
