/** The files of an app: its pages, and its config.xml. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { MAX_CONFIG_BYTES } from '../../limits.ts';
import type { Platform } from '../../store/model.ts';
import { PackageError } from './archiveContents.ts';
import { malformedConfig, NO_CONFIG, pageOfContent, parseConfig, type ConfigFile } from './packageConfig.ts';

/** An app with a page to begin with. Paths are absolute unless noted. */
export interface AppFiles {
  /** Holds all files. */
  readonly folder: string;
  readonly hasConfig: boolean;
  /** The values of config.xml for one platform. Without one, they are empty. */
  readonly config: ConfigFile;
  /** Where images may be that config.xml names, the first that counts first. */
  readonly imageFolders: readonly string[];
  /** The folder of the pages, which becomes the app's `www`. */
  readonly webRoot: string;
  /** The files of the web root but config.xml: relative to it, with `/`, sorted. */
  readonly webFiles: readonly string[];
}

export const NO_START_PAGE =
  'App has no index.html: put one at the root of the package or in its www folder, ' +
  'or name the first page in <content src> of config.xml.';

/** Pages and configurations of these folders are not those of the app. */
const FOREIGN_FOLDERS = /(?:^|\/)(?:node_modules|__MACOSX|\.[^/]*)\//;

/**
 * Finds the parts of an app: the folder `www` beside the config.xml that is nearest to the root; without one, the folder of the
 * index.html that is nearest to the root; without that, the folder of the page that config.xml begins with.
 *
 * @param folder holds an unpacked package
 * @throws PackageError for a config.xml that cannot be read, and if there's no start page
 */
export async function readAppFiles(folder: string, platform: Platform): Promise<AppFiles> {
  const files = await listFiles(folder);
  const { index, config: configFile } = chooseWebRoot(files);
  const config = configFile === undefined ? NO_CONFIG : await readConfig(path.join(folder, configFile), platform);
  const webRoot = index === undefined ? startPageFolder(files, configFile, config) : folderOfFile(index);
  if (webRoot === undefined) {
    throw new PackageError(NO_START_PAGE);
  }
  const webFiles = files.filter((file) => file.startsWith(webRoot)).map((file) => file.slice(webRoot.length));
  return {
    ...{ folder, hasConfig: configFile !== undefined, config },
    imageFolders: [...imageFolders(configFile), webRoot].map((each) => path.join(folder, each, '.')),
    webRoot: path.join(folder, webRoot, '.'),
    // A second wall: Cordova reads the config.xml beside www first, which the service writes.
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

/** The folder of the page that config.xml names, which is below it or in `www`. */
function startPageFolder(
  files: readonly string[],
  configFile: string | undefined,
  { contentSrc }: ConfigFile,
): string | undefined {
  if (configFile === undefined) {
    return undefined;
  }
  const folders = [`${folderOfFile(configFile)}www/`, folderOfFile(configFile)];
  return folders.find((each) => files.includes(each + pageOfContent(contentSrc)));
}

/** As Cordova does, images of a config.xml among the pages in `www` are taken from the folder above. */
function imageFolders(configFile: string | undefined): readonly string[] {
  if (configFile === undefined) {
    return [];
  }
  const own = folderOfFile(configFile);
  return /(?:^|\/)www\/$/.test(own) ? [own.slice(0, -'www/'.length), own] : [own];
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
