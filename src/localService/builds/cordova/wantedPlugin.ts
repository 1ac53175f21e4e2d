import { isPackageName, isVersionRange } from '../../../formats/npmPackage.ts';

/** A plugin that is to be installed. */
export interface WantedPlugin {
  readonly name: string;
  /** The versions that will do; `undefined`: any that is there, else the newest. */
  readonly range: string | undefined;
}

/**
 * Reads `NAME@RANGE` or `NAME`.
 *
 * @returns `undefined` for what npm would not take from its registry
 */
export function parseWantedPlugin(text: string): WantedPlugin | undefined {
  const at = text.indexOf('@', 1);
  const [name, range] = at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  return isPackageName(name) && (range === undefined || isVersionRange(range)) ? { name, range } : undefined;
}

/**
 * What one can do about a plugin that Cordova would need and doesn’t have.
 *
 * @param version as the app names it
 */
export function waysToPlugin(name: string, version: string | null): string {
  return isPackageName(name) && (version === null || isVersionRange(version))
    ? 'It has code of its own, which only Cordova compiles: run “Install Build Engine…”, which gets it from npm, or take the plugin out.'
    : 'It has code of its own, and only plugins from npm can be installed here: name a version of it that npm has, or take the plugin out.';
}
