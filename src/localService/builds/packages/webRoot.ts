import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Pages and configurations of these folders are not those of the app. */
const FOREIGN_FOLDERS = /(?:^|\/)(?:node_modules|__MACOSX|\.[^/]*)\//;

/** Where the parts of an app are that was unpacked. Paths are absolute. */
export interface WebRoot {
  /** Holds index.html, and what else becomes the app's `www`. */
  readonly folder: string;
  /** config.xml; `undefined` when there is none. */
  readonly configFile: string | undefined;
}

/**
 * Finds what becomes the app's `www`: the folder `www` beside the config.xml that is nearest to the root; without one, the
 * folder of the index.html that is nearest to the root.
 *
 * @param folder holds an unpacked package
 * @returns `undefined` when there is no index.html
 */
export async function findWebRoot(folder: string): Promise<WebRoot | undefined> {
  const { index, config } = chooseWebRoot(await listFiles(folder));
  if (index === undefined) {
    return undefined;
  }
  return {
    folder: join(folder, index, '..'),
    configFile: config === undefined ? undefined : join(folder, config),
  };
}

/**
 * Finds the config.xml of an app.
 *
 * @param folder holds an unpacked package
 * @returns its absolute path
 */
export async function findConfigFile(folder: string): Promise<string | undefined> {
  const { config } = chooseWebRoot(await listFiles(folder));
  return config === undefined ? undefined : join(folder, config);
}

/** Chooses the index.html and the config.xml of an app among the paths of its files, which are relative and have `/`. */
export function chooseWebRoot(paths: readonly string[]): {
  readonly index: string | undefined;
  readonly config: string | undefined;
} {
  const configs = nearestFirst(paths, 'config.xml');
  const [nearest] = configs;
  if (nearest !== undefined) {
    const index = `${folderOf(nearest)}www/index.html`;
    if (paths.includes(index)) {
      return { index, config: nearest };
    }
  }
  const [index] = nearestFirst(paths, 'index.html');
  // Many a library has a config.xml of its own: that of the app is beside its page or above it.
  return {
    index,
    config: index === undefined ? nearest : configs.find((config) => index.startsWith(folderOf(config))),
  };
}

/** The paths of the files of a folder, relative to it, with `/`. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const visit = async (prefix: string): Promise<void> => {
    for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
      if (entry.isDirectory()) {
        await visit(`${prefix}${entry.name}/`);
      } else if (entry.isFile()) {
        paths.push(`${prefix}${entry.name}`);
      }
    }
  };
  await visit('');
  return paths.sort();
}

function nearestFirst(paths: readonly string[], name: string): readonly string[] {
  return paths
    .filter((path) => (path === name || path.endsWith(`/${name}`)) && !FOREIGN_FOLDERS.test(path))
    .sort((a, b) => depthOf(a) - depthOf(b) || Number(isSource(a)) - Number(isSource(b)) || (a < b ? -1 : 1));
}

/** Tools read their pages from there, and write them elsewhere. */
function isSource(path: string): boolean {
  return path.split('/').includes('src');
}

function depthOf(path: string): number {
  return path.split('/').length;
}

/** With a `/` at its end; empty for the root. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
