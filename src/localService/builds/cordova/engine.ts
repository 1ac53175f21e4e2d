/** The Cordova engine: a folder with Apache Cordova and the platforms that it builds for, apart from every project. */
import { access, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

import { isPackageName, isVersionRange } from '../../../formats/cordovaPlugins.ts';
import { PLATFORMS, type Platform } from '../../store/model.ts';
import type { BuilderPlugin } from '../builder.ts';
import { toolFolders } from '../runProgram.ts';
import { readPluginXml } from './pluginXml.ts';

export interface Engine {
  /** Absolute path of the folder that holds `node_modules`. */
  readonly folder: string;
  /** The version of Cordova. */
  readonly version: string;
  /** The versions of the installed platforms (packages `cordova-PLATFORM`). */
  readonly platforms: Readonly<Partial<Record<Platform, string>>>;
  /** The plugins that were installed into it, and those that its own package.json depends on. */
  readonly plugins: readonly BuilderPlugin[];
}

/** A plugin to install. */
export interface WantedPlugin {
  readonly name: string;
  /** `undefined` keeps an installed version, and otherwise takes the newest one. */
  readonly range: string | undefined;
}

/**
 * Reads `NAME@RANGE` or `NAME`.
 *
 * @returns `undefined` for anything that npm wouldn't look up in its registry
 */
export function parseWantedPlugin(text: string): WantedPlugin | undefined {
  const at = text.indexOf('@', 1);
  const [name, range] = at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  return isPackageName(name) && (range === undefined || isVersionRange(range)) ? { name, range } : undefined;
}

/** There is no engine that can be used. The message is for a person. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/** Earlier ones read `hooks/` and `.cordova/hooks`, and fetch platforms in other ways. */
const MIN_CORDOVA_VERSION = 13;

/**
 * Finds the engine: the folder of the command line, that of the environment, that in the data folder, `cordova` on PATH.
 * `node_modules` of a workspace is never one: its files may be anybody's.
 *
 * @param option the folder that the command line names
 * @param env `APP_BUILD_ENGINE` names a folder; `PATH` is searched for `cordova`
 * @throws EngineError when a folder was named that holds no engine
 */
export async function findEngine(
  option: string | undefined,
  dataFolder: string | undefined,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<Engine | undefined> {
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

/** Where the engine of a data folder is. */
export function engineFolder(dataFolder: string): string {
  return path.resolve(dataFolder, 'engine');
}

/** The folder of the plugins that were installed into an engine, with a package.json of the requested ranges. */
export function pluginsFolder(engineFolder: string): string {
  return path.join(engineFolder, 'plugins');
}

/** The script that is Cordova's command line. @param engineFolder holds `node_modules` */
export function cordovaScript(engineFolder: string): string {
  return path.join(engineFolder, 'node_modules', 'cordova', 'bin', 'cordova');
}

/** Reads what a folder has of an engine; `undefined` when Cordova is missing or too old. */
export async function openEngine(folder: string): Promise<Engine | undefined> {
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

async function openNamedEngine(source: string, folder: string): Promise<Engine> {
  const engine = await openEngine(path.resolve(folder));
  if (engine === undefined) {
    throw new EngineError(
      `${source} names “${folder}”, which holds no Cordova ${MIN_CORDOVA_VERSION} or newer. ` +
        'Name a folder with node_modules/cordova in it.',
    );
  }
  return engine;
}

async function findEngineOnPath(env: Readonly<NodeJS.ProcessEnv>): Promise<Engine | undefined> {
  for (const folder of toolFolders(env)) {
    const found = await folderOfCommand(folder);
    const engine = found === undefined ? undefined : await openEngine(found);
    if (engine !== undefined) {
      return engine;
    }
  }
  return undefined;
}

/** The folder whose `node_modules` has the `cordova` command of a folder on PATH. */
async function folderOfCommand(folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') {
    return (await exists(path.join(folder, 'cordova.cmd'))) ? folder : undefined;
  }
  const script = await realpath(path.join(folder, 'cordova')).catch(() => '');
  const found = path.resolve(script, '..', '..', '..', '..');
  return script === cordovaScript(found) ? found : undefined;
}

/** The plugins among what a folder's package.json depends on. */
export async function readPlugins(folder: string): Promise<readonly BuilderPlugin[]> {
  const plugins: BuilderPlugin[] = [];
  for (const name of Object.keys(await dependenciesOf(folder)).filter(isPackageName)) {
    const version = await packageVersion(folder, name);
    const xml = await readFile(path.join(folder, 'node_modules', name, 'plugin.xml'), 'utf8').catch(() => undefined);
    if (version !== undefined && xml !== undefined) {
      // Cordova reports a plugin.xml that it can't read in the build.
      plugins.push({ name, version, variables: readPluginXml(xml)?.variables ?? [] });
    }
  }
  return plugins;
}

/** The dependencies in the package.json of a folder. */
export async function dependenciesOf(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const { dependencies } = await readPackage(path.join(folder, 'package.json'));
  return typeof dependencies === 'object' && dependencies !== null ? { ...dependencies } : {};
}

/** The version of an installed package. */
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

/** Whether there is a file or folder of this name. @param mode of `access`: what the service must be allowed to do with it */
export function exists(file: string, mode?: number): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  );
}
