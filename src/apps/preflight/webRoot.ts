/** Which files of a package a service takes for the app's pages and configuration. */
export interface WebRoot {
  /** The index.html whose folder becomes the app's `www`; undefined when there is none. */
  readonly index: string | undefined;
  readonly config: string | undefined;
}

/** Pages and configurations of these folders are not those of the app. */
const FOREIGN_FOLDER = /(?:^|\/)(?:node_modules|__MACOSX|\.[^/]*)\//;

/**
 * Chooses the config.xml that is nearest to the top, with the page in its folder `www`; without such a page, the nearest
 * index.html, and the config.xml beside it or above it.
 *
 * @param paths of the files that are sent, with `/`
 */
export function webRootOf(paths: ReadonlySet<string>): WebRoot {
  const configs = nearestFirst(paths, 'config.xml');
  const [nearest] = configs;
  const page = nearest === undefined ? undefined : `${folderOf(nearest)}www/index.html`;
  if (page !== undefined && paths.has(page)) {
    return { index: page, config: nearest };
  }
  const [index] = nearestFirst(paths, 'index.html');
  return {
    index,
    config: index === undefined ? nearest : configs.find((config) => index.startsWith(folderOf(config))),
  };
}

/** The folder of a file, with `/` at its end; empty for the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function nearestFirst(paths: ReadonlySet<string>, name: string): readonly string[] {
  return [...paths]
    .filter((path) => (path === name || path.endsWith(`/${name}`)) && !FOREIGN_FOLDER.test(path))
    .sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
}

function depthOf(path: string): number {
  return path.split('/').length;
}
