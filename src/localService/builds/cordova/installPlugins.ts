/** Installs Cordova plugins from npm into the engine. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { isPackageName, NEWEST } from '../../../formats/cordovaPlugins.ts';
import { ProgramError } from '../runProgram.ts';
import { dependenciesOf, EngineError, pluginsFolder, readPlugins, type WantedPlugin } from './engine.ts';
import type { Npm } from './npm.ts';
import { readPluginXml, type PluginXml } from './pluginXml.ts';

interface PluginInstallation {
  readonly engineFolder: string;
  /** A folder in which plugins are prepared before they move into the engine. */
  readonly partial: string;
  readonly npm: Npm;
  readonly report: (line: string) => void;
}

/**
 * Installs plugins and their dependencies. When one can't be installed, the others are, and its installed version stays.
 *
 * @returns a sentence about the plugins that are installed, and one about those that couldn't be installed
 * @throws the signal's reason when it is aborted
 */
export async function installPlugins(
  wanted: readonly WantedPlugin[],
  installation: PluginInstallation,
): Promise<readonly string[]> {
  const { engineFolder, report } = installation;
  const folder = pluginsFolder(engineFolder);
  const queue = new Map(wanted.map((plugin) => [plugin.name, plugin]));
  const failures: string[] = [];
  // Dependencies are added in the loop.
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

/** @throws EngineError with the reason why the plugin can't be installed */
async function installPlugin(
  { name, range }: WantedPlugin,
  folder: string,
  installation: PluginInstallation,
): Promise<PluginXml> {
  const { partial, report } = installation;
  if (!isPackageName(name)) {
    throw new EngineError('npm allows no such name');
  }
  const record = await dependenciesOf(folder);
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
    throw new EngineError('it has no readable plugin.xml');
  }
  if (plugin.id !== name) {
    throw new EngineError('its plugin.xml has a different ID');
  }
  if (plugin.namesOutside) {
    throw new EngineError('its plugin.xml names a file outside the plugin');
  }
  if (plugin.scripts.length > 0) {
    report(`Build scripts of ${name} are left out: ${[...new Set(plugin.scripts)].join(', ')}.`);
  }
  await writeFile(path.join(source, 'plugin.xml'), plugin.withoutScripts);
  await replaceFolder(path.join(modules, name), source, path.join(fresh, 'before'));
  await writeRecord(folder, { ...record, [name]: range ?? NEWEST });
  return plugin;
}

/** @throws EngineError; the signal's reason when it is aborted */
async function fetchPackage(
  name: string,
  range: string,
  folder: string,
  { npm, report }: PluginInstallation,
): Promise<void> {
  await mkdir(folder);
  await writeFile(path.join(folder, 'package.json'), '{"private":true}');
  let code: string | undefined;
  // The packages that a plugin depends on stay inside it, so that they never replace those of Cordova.
  const args =
    'install --install-strategy=nested --legacy-peer-deps --no-bin-links --no-package-lock --omit=dev --'.split(' ');
  try {
    const onLine = (line: string): void => {
      code ??= /^npm error code (\w+)/.exec(line)?.[1];
      report(line);
    };
    // For a package from Git, npm would run programs that the .npmrc of that package names.
    await npm(folder, [...args, `${name}@${range}`], onLine, { npm_config_git: 'git-is-not-used' });
  } catch (error) {
    if (error instanceof ProgramError) {
      throw new EngineError(
        NPM_ERRORS.get(code ?? '') ?? `npm ${error.message}${code === undefined ? '' : `: ${code}`}`,
      );
    }
    throw error;
  }
}

const NPM_ERRORS: ReadonlyMap<string, string> = new Map([
  ['E404', 'npm has no such package'],
  ['ETARGET', 'npm has no such version'],
  ['ENOENT', 'it needs a package from Git'],
]);

async function readPlugin(folder: string): Promise<PluginXml | undefined> {
  const xml = await readFile(path.join(folder, 'plugin.xml'), 'utf8').catch(() => undefined);
  return xml === undefined ? undefined : readPluginXml(xml);
}

/** @param before keeps the replaced folder, which is put back when the new one can't be moved */
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

/** Records the range with which each plugin was installed. */
async function writeRecord(folder: string, dependencies: Readonly<Record<string, unknown>>): Promise<void> {
  const file = path.join(folder, 'package.json');
  const partial = `${file}.partial`;
  await writeFile(partial, `${JSON.stringify({ private: true, dependencies }, undefined, 2)}\n`);
  await rename(partial, file);
}
