/** Finds the Cordova engine: a folder with Apache Cordova and its platforms that isn't part of any project. */
import { access, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

import { isPackageName, isVersionRange, type Platform, PLATFORMS } from '../../../android-package/index.ts';
import type { BuilderPlugin } from '../builder.ts';
import { toolFolders } from '../runProgram.ts';
import { readPluginXml } from './pluginXml.ts';

/** An installed Cordova engine. */
export interface CordovaEngine {
  /** Absolute path of the folder that contains `node_modules`. */
  readonly folder: string;
  /** Version of Cordova. */
  readonly version: string;
  /** Versions of the installed platforms (the `cordova-PLATFORM` packages), keyed by platform. */
  readonly platforms: Readonly<Partial<Record<Platform, string>>>;
  /**
   * Plugins that were installed into the engine, and the plugins among the dependencies in the engine's package.json.
   */
  readonly plugins: readonly BuilderPlugin[];
}

/** A plugin to install. */
export interface RequestedPlugin {
  readonly name: string;
  /** Requested versions. `undefined` keeps an installed version, or installs the latest one. */
  readonly range: string | undefined;
}

/**
 * Parses `NAME@RANGE` or `NAME`.
 *
 * @returns `undefined` if npm wouldn't look up the package in its registry
 */
export function parseWantedPlugin(text: string): RequestedPlugin | undefined {
  const at = text.indexOf('@', 1);
  const [name, range] = at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  return isPackageName(name) && (range === undefined || isVersionRange(range)) ? { name, range } : undefined;
}

/** Thrown when no usable engine was found. The message is for the user. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/**
 * Minimum major version of Cordova. Earlier versions run `hooks/` and `.cordova/hooks`, and fetch platforms
 * differently.
 */
const MIN_CORDOVA_VERSION = 13;

/**
 * Finds the engine. Tries the folder from the command line, the folder in the environment, the engine in the data
 * folder, and `cordova` on PATH. Never uses a workspace's `node_modules`, because workspaces aren't trusted.
 *
 * @param option folder from the command line
 * @param env environment, with the folder in `APP_BUILD_ENGINE` and the folders to search in `PATH`
 * @throws EngineError if the folder from the command line or the environment doesn't contain an engine
 */
export async function findEngine(
  option: string | undefined,
  dataFolder: string | undefined,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<CordovaEngine | undefined> {
  if (option !== undefined) {
    return openNamedEngine('--engine', option);
  }
  const { APP_BUILD_ENGINE: fromEnvironment = '' } = env;
  if (fromEnvironment !== '') {
    return openNamedEngine('APP_BUILD_ENGINE', fromEnvironment);
  }
  const ownEngine = dataFolder === undefined ? undefined : await openEngine(engineFolder(dataFolder));
  return ownEngine ?? findEngineOnPath(env);
}

/** Returns the path of the engine in a data folder. */
export function engineFolder(dataFolder: string): string {
  return path.resolve(dataFolder, 'engine');
}

/**
 * Returns the folder of the plugins that were installed into an engine. That folder's package.json contains the
 * requested ranges.
 */
export function pluginsFolder(engineFolder: string): string {
  return path.join(engineFolder, 'plugins');
}

/** Returns the path of Cordova's command-line script. @param engineFolder folder that contains `node_modules` */
export function cordovaScript(engineFolder: string): string {
  return path.join(engineFolder, 'node_modules', 'cordova', 'bin', 'cordova');
}

/** Reads the engine in a folder. Returns `undefined` if Cordova is missing or too old. */
export async function openEngine(folder: string): Promise<CordovaEngine | undefined> {
  const version = await packageVersion(folder, 'cordova');
  if (version === undefined || Number.parseInt(version, 10) < MIN_CORDOVA_VERSION) {
    return undefined;
  }
  const platforms = PLATFORMS.map(async (name) => [name, await packageVersion(folder, `cordova-${name}`)] as const);
  return {
    folder: await realpath(folder),
    version,
    platforms: Object.fromEntries((await Promise.all(platforms)).filter(([, installed]) => installed !== undefined)),
    plugins: [...(await readPlugins(pluginsFolder(folder))), ...(await readPlugins(folder))],
  };
}

async function openNamedEngine(source: string, folder: string): Promise<CordovaEngine> {
  const engine = await openEngine(path.resolve(folder));
  if (engine === undefined) {
    throw new EngineError(
      `${source} names “${folder}”, which doesn’t contain Cordova ${MIN_CORDOVA_VERSION} or later. ` +
        'Specify a folder that contains node_modules/cordova.',
    );
  }
  return engine;
}

async function findEngineOnPath(env: Readonly<NodeJS.ProcessEnv>): Promise<CordovaEngine | undefined> {
  for (const folder of toolFolders(env)) {
    const found = await findCommandFolder(folder);
    const engine = found === undefined ? undefined : await openEngine(found);
    if (engine !== undefined) {
      return engine;
    }
  }
  return undefined;
}

/** Returns the folder whose `node_modules` contains Cordova, if a folder on PATH contains the `cordova` command. */
async function findCommandFolder(folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') {
    return (await pathExists(path.join(folder, 'cordova.cmd'))) ? folder : undefined;
  }
  const script = await realpath(path.join(folder, 'cordova')).catch(() => '');
  const found = path.resolve(script, '..', '..', '..', '..');
  return script === cordovaScript(found) ? found : undefined;
}

/** Returns the plugins among the dependencies in a folder's package.json. */
export async function readPlugins(folder: string): Promise<readonly BuilderPlugin[]> {
  const plugins: BuilderPlugin[] = [];
  for (const name of Object.keys(await readDependencies(folder)).filter(isPackageName)) {
    const version = await packageVersion(folder, name);
    const xml = await readFile(path.join(folder, 'node_modules', name, 'plugin.xml'), 'utf8').catch(() => undefined);
    if (version !== undefined && xml !== undefined) {
      // Don't report an unreadable plugin.xml, because Cordova reports it during the build.
      plugins.push({ name, version, variables: readPluginXml(xml)?.variables ?? [] });
    }
  }
  return plugins;
}

/** Returns the dependencies in a folder's package.json. */
export async function readDependencies(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const { dependencies } = await readPackage(path.join(folder, 'package.json'));
  return typeof dependencies === 'object' && dependencies !== null ? { ...dependencies } : {};
}

/** Returns the version of an installed package. */
async function packageVersion(folder: string, name: string): Promise<string | undefined> {
  const { version } = await readPackage(path.join(folder, 'node_modules', name, 'package.json'));
  return typeof version === 'string' ? version : undefined;
}

async function readPackage(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof content === 'object' && content !== null ? { ...content } : {};
  } catch {
    return {};
  }
}

/** Reports whether a file or folder exists. @param mode the access mode to check, as for `access` */
export function pathExists(file: string, mode?: number): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  );
}
