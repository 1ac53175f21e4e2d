import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { MAX_CONFIG_BYTES } from '../../limits.ts';
import { PackageError } from './archiveContents.ts';
import { malformedConfig, pageOfContent, readConfig, type ConfigFile } from './packageConfig.ts';

/** The files of an app, and what was found among them. Paths are absolute unless noted. */
export interface AppFiles {
  /** Holds the files. */
  readonly folder: string;
  /** All plain files: relative to the folder, with `/`, sorted. */
  readonly files: readonly string[];
  /** The folder of the first page, which becomes the app's `www`; `undefined` when there is no such page. */
  readonly webRoot: string | undefined;
  /** config.xml; `undefined` when there is none. */
  readonly configFile: string | undefined;
  /** The contents of config.xml, or why it cannot be read: not every builder needs one. */
  readonly config: ConfigFile | PackageError | undefined;
}

/** Pages and configurations of these folders are not those of the app. */
const FOREIGN_FOLDERS = /(?:^|\/)(?:node_modules|__MACOSX|\.[^/]*)\//;

/**
 * Finds the parts of an app: the folder `www` beside the config.xml that is nearest to the root; without one, the folder of the
 * index.html that is nearest to the root; without that, the folder of the page that config.xml begins with.
 *
 * @param folder holds an unpacked package
 */
export async function readAppFiles(folder: string): Promise<AppFiles> {
  const files = await listFiles(folder);
  const found = chooseWebRoot(files);
  const configFile = found.config === undefined ? undefined : path.join(folder, found.config);
  const config = configFile === undefined ? undefined : await readConfigFile(configFile);
  const webRoot = found.index === undefined ? startPageFolder(files, found.config, config) : folderOfFile(found.index);
  return { folder, files, webRoot: webRoot === undefined ? undefined : path.join(folder, webRoot), configFile, config };
}

async function readConfigFile(file: string): Promise<ConfigFile | PackageError> {
  const { size } = await stat(file);
  return size > MAX_CONFIG_BYTES ? malformedConfig('it is larger than 1 MiB') : readConfig(await readFile(file));
}

/** The folder of the page that config.xml names, which is below it or in `www`. */
function startPageFolder(
  files: readonly string[],
  configFile: string | undefined,
  config: AppFiles['config'],
): string | undefined {
  if (configFile === undefined || config === undefined || config instanceof PackageError) {
    return undefined;
  }
  const page = pageOfContent(config.contentSrc);
  const folders = [`${folderOfFile(configFile)}www/`, folderOfFile(configFile)];
  return folders.find((each) => files.includes(each + page));
}

/** Chooses the index.html and the config.xml of an app among the paths of its files, which are relative and have `/`. */
export function chooseWebRoot(paths: readonly string[]): {
  readonly index: string | undefined;
  readonly config: string | undefined;
} {
  const configs = nearestFirst(paths, 'config.xml');
  const [nearest] = configs;
  if (nearest !== undefined) {
    const index = `${folderOfFile(nearest)}www/index.html`;
    if (paths.includes(index)) {
      return { index, config: nearest };
    }
  }
  const [index] = nearestFirst(paths, 'index.html');
  // Many a library has a config.xml of its own: that of the app is beside its page or above it.
  return {
    index,
    config: index === undefined ? nearest : configs.find((config) => index.startsWith(folderOfFile(config))),
  };
}

/** The paths of the plain files of a folder, relative to it, with `/`, sorted. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, '/'))
    .sort();
}

function nearestFirst(paths: readonly string[], name: string): readonly string[] {
  return paths
    .filter((each) => (each === name || each.endsWith(`/${name}`)) && !FOREIGN_FOLDERS.test(each))
    .map((each) => ({ path: each, folders: each.split('/') }))
    .map(({ path: each, folders }) => ({ each, depth: folders.length, isSource: folders.includes('src') }))
    .sort((a, b) => a.depth - b.depth || Number(a.isSource) - Number(b.isSource) || (a.each < b.each ? -1 : 1))
    .map(({ each }) => each);
}

/** With a `/` at its end; empty for the root. */
function folderOfFile(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}
