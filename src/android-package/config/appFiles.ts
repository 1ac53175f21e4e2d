/** Finds the files of an app: its pages and its config.xml. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { malformedConfig, NO_CONFIG, toPagePath, parseConfig, type ConfigFile, PackageError } from './packageConfig.ts';
import { MAX_CONFIG_BYTES } from '../limits.ts';
import type { Platform } from '../model.ts';

/** An app with a start page. Paths are absolute unless noted. */
export interface AppFiles {
  /** Folder that contains all files of the app. */
  readonly folder: string;
  readonly hasConfig: boolean;
  /** Values of config.xml for one platform. Empty if the app doesn't have a config.xml. */
  readonly config: ConfigFile;
  /** Folders to search, in order, for images that config.xml refers to. */
  readonly imageFolders: readonly string[];
  /** Folder of the pages, which becomes the app's `www`. */
  readonly webRoot: string;
  /** Sorted relative paths, with `/`, of the files in the web root except config.xml. */
  readonly webFiles: readonly string[];
}

/** Error message for an app that doesn't have a start page. */
export const NO_START_PAGE =
  'The app doesn’t have an index.html. Put one at the root of the package or in its www folder, ' +
  'or name the start page in <content src> of config.xml.';

/** Matches folders whose pages and configurations don't belong to the app. */
const THIRD_PARTY_FOLDERS = /(?:^|\/)(?:node_modules|__MACOSX|\.[^/]*)\//;

/**
 * Finds the parts of an app. The pages are in the `www` folder next to the topmost config.xml, if that folder contains an
 * index.html. Otherwise, they're in the folder of the topmost index.html, or else in the folder of the start page that
 * config.xml specifies.
 *
 * @param folder folder of an unpacked package
 * @throws PackageError if config.xml can't be read, or the app doesn't have a start page
 */
export async function readAppFiles(folder: string, platform: Platform): Promise<AppFiles> {
  const files = await listFiles(folder);
  const { index, config: configFile } = chooseWebRoot(files);
  const config = configFile === undefined ? NO_CONFIG : await readConfig(path.join(folder, configFile), platform);
  const webRoot = index === undefined ? startPageFolder(files, configFile, config) : getFolder(index);
  if (webRoot === undefined) {
    throw new PackageError(NO_START_PAGE);
  }
  const webFiles = files.filter((file) => file.startsWith(webRoot)).map((file) => file.slice(webRoot.length));
  return {
    ...{ folder, hasConfig: configFile !== undefined, config },
    imageFolders: [...imageFolders(configFile), webRoot].map((each) => path.join(folder, each, '.')),
    webRoot: path.join(folder, webRoot, '.'),
    // Defense in depth: Cordova first reads the config.xml next to `www`, which the service writes.
    webFiles: webFiles.filter((file) => file !== 'config.xml'),
  };
}

async function readConfig(file: string, platform: Platform): Promise<ConfigFile> {
  const { size } = await stat(file);
  if (size > MAX_CONFIG_BYTES) {
    throw malformedConfig('it is larger than 1 MiB');
  }
  return parseConfig(await readFile(file), platform);
}

/**
 * Returns the folder of the start page that config.xml specifies, relative to config.xml's folder or to the `www`
 * folder in it.
 */
function startPageFolder(
  files: readonly string[],
  configFile: string | undefined,
  { contentSrc }: ConfigFile,
): string | undefined {
  if (configFile === undefined) {
    return undefined;
  }
  const folders = [`${getFolder(configFile)}www/`, getFolder(configFile)];
  return folders.find((each) => files.includes(each + toPagePath(contentSrc)));
}

/**
 * Returns the folders that images in config.xml are relative to. As in Cordova, that's the parent folder if config.xml
 * is in `www`.
 */
function imageFolders(configFile: string | undefined): readonly string[] {
  if (configFile === undefined) {
    return [];
  }
  const own = getFolder(configFile);
  return /(?:^|\/)www\/$/.test(own) ? [own.slice(0, -'www/'.length), own] : [own];
}

/** Chooses an app's index.html and config.xml from the relative paths of its files, which use `/`. */
export function chooseWebRoot(paths: readonly string[]): {
  readonly index: string | undefined;
  readonly config: string | undefined;
} {
  const configs = nearestFirst(paths, 'config.xml');
  const [nearest] = configs;
  if (nearest !== undefined) {
    const index = `${getFolder(nearest)}www/index.html`;
    if (paths.includes(index)) {
      return { index, config: nearest };
    }
  }
  const [index] = nearestFirst(paths, 'index.html');
  // Many libraries contain a config.xml. The app's own is next to the start page or in a parent folder.
  return {
    index,
    config: index === undefined ? nearest : configs.find((config) => index.startsWith(getFolder(config))),
  };
}

/** Returns the sorted relative paths of a folder's regular files, with `/`. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, '/'))
    .sort();
}

function nearestFirst(paths: readonly string[], name: string): readonly string[] {
  return paths
    .filter((each) => (each === name || each.endsWith(`/${name}`)) && !THIRD_PARTY_FOLDERS.test(each))
    .map((each) => ({ path: each, folders: each.split('/') }))
    .map(({ path: each, folders }) => ({ each, depth: folders.length, isSource: folders.includes('src') }))
    .sort((a, b) => a.depth - b.depth || Number(a.isSource) - Number(b.isSource) || (a.each < b.each ? -1 : 1))
    .map(({ each }) => each);
}

/** Returns the folder of a file with a trailing `/`, or an empty string for the root. */
function getFolder(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}
