import { isPackageName, isVersionRange } from '../../../formats/npmPackage.ts';

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

/**
 * Advice for an app whose plugin isn't installed in Cordova.
 *
 * @param version as in config.xml
 */
export function waysToPlugin(name: string, version: string | null): string {
  return isPackageName(name) && (version === null || isVersionRange(version))
    ? 'It has native code, which only Cordova compiles. Run “Install Build Engine…” to get it from npm, or remove the plugin.'
    : 'It has native code, and only plugins from npm can be installed here. Name a version that npm has, or remove the plugin.';
}
