/** What an app's pages do that its package has to allow, or doesn't have. */
import { httpAddressesIn } from './httpAddresses.ts';
import { type PagePermission, permissionsIn } from './pagePermissions.ts';
import { isLibrary, scriptsIn } from './pageScripts.ts';
import { type DeclaredPlugin, PluginSearch, type PluginUse } from './pluginSearch.ts';
import { TextLines, type TextPosition } from './textLines.ts';

/** Where an app loads something that isn't encrypted. */
export interface HttpUse extends TextPosition {
  readonly path: string;
}

/** Reads the scripts and pages of an app one after the other, and notes the first place of everything. */
export class PageScan {
  readonly #permissions = new Map<PagePermission, string>();
  readonly #http = new Map<string, HttpUse>();
  readonly #plugins: PluginSearch;

  /** @param plugins that the app names */
  constructor(plugins: readonly DeclaredPlugin[]) {
    this.#plugins = new PluginSearch(plugins);
  }

  /** The path of the first file that asks for each, whether it's the app's own or a library. */
  get permissions(): ReadonlyMap<PagePermission, string> {
    return this.#permissions;
  }

  /** What the app's own files load, by origin. */
  get http(): ReadonlyMap<string, HttpUse> {
    return this.#http;
  }

  /** Where the app's own scripts call plugins, by today's names of the plugins. */
  get pluginUses(): ReadonlyMap<string, PluginUse> {
    return this.#plugins.uses;
  }

  /**
   * @param path as the results have it
   * @param pathInPages decides whether it's a library
   */
  read(path: string, text: string, pathInPages = path): void {
    const isOwn = !isLibrary(pathInPages);
    // Taking out the comments takes longest, and few libraries ask for anything.
    if (!isOwn && permissionsIn(text).size === 0) {
      return;
    }
    const script = scriptsIn(path, text);
    for (const permission of permissionsIn(script)) {
      this.#permissions.set(permission, this.#permissions.get(permission) ?? path);
    }
    if (isOwn) {
      const lines = new TextLines(text);
      for (const { origin, index } of httpAddressesIn(path, text, script)) {
        this.#http.set(origin, this.#http.get(origin) ?? { path, ...lines.positionAt(index) });
      }
      this.#plugins.read(path, script);
    }
  }
}
