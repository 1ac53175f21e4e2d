import type { Layout } from '../layout.ts';
import { isBelow } from './paths.ts';

/** Where Cordova has the pages of single platforms. */
const MERGES = 'merges';

/**
 * What of a project its package is made of: the pages, config.xml, and the files that this names. Where the project's folder itself
 * is that of the pages, that is all of it.
 */
export class PackageScope {
  /** Whether Cordova makes folders at the top of the project. */
  readonly isCordova: boolean;
  /** Files and folders; undefined for all. */
  readonly #roots: readonly string[] | undefined;

  /** @param named files that config.xml names, below the project */
  constructor({ config, pages }: Pick<Layout, 'config' | 'pages'>, named: readonly string[]) {
    this.isCordova = config !== undefined || pages !== '';
    const own = config === undefined ? [] : [config, MERGES];
    this.#roots = pages === '' ? undefined : [pages, ...own, ...named];
  }

  /** `above`: a folder in which only a part belongs to the package. @param path below the project */
  placeOf(path: string): 'inside' | 'above' | 'outside' {
    if (this.#roots?.some((root) => path === root || isBelow(path, root)) ?? true) {
      return 'inside';
    }
    return this.#roots?.some((root) => isBelow(root, path)) === true ? 'above' : 'outside';
  }
}
