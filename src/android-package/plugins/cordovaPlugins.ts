/**
 * Facts about Cordova plugins: their names, the plugins that apps don't need, and the calls that require the others.
 */
import table from './cordovaPlugins.json' with { type: 'json' };

/** Names of plugins from before they moved to npm in 2015, mapped to their npm names. */
const OLD_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(table.currentNames));
/** Matches the earlier names of Cordova's core plugins. */
const OLD_CORE_NAME = /^(?:org\.apache\.cordova(?:\.core)?|com\.phonegap\.plugin)\.([a-z-]{3,40})$/i;

/**
 * Returns the current name of a plugin.
 *
 * @param name any name that the plugin has had
 */
export function currentName(name: string): string {
  const known = OLD_NAMES.get(name.toLowerCase());
  if (known !== undefined) {
    return known;
  }
  const [, core] = OLD_CORE_NAME.exec(name) ?? [];
  return core === undefined ? name : `cordova-plugin-${core.toLowerCase()}`;
}

/** Returns all names of a plugin, the current name first. */
export function getPluginNames(name: string): readonly string[] {
  const current = currentName(name);
  const old = [...OLD_NAMES].filter(([, now]) => now === current).map(([before]) => before);
  const [, core] = /^cordova-plugin-([a-z-]+)$/.exec(current) ?? [];
  return [current, ...old, ...(core === undefined ? [] : [`org.apache.cordova.${core}`])];
}

/** Reason why pages work without a plugin. */
export type HarmlessReason =
  /** Android, WebView, or the shell already provides the plugin's function. */
  | 'builtIn'
  /** The plugin only changes how Cordova builds. */
  | 'buildOnly'
  /** The plugin does nothing on Android. */
  | 'iosOnly'
  /** The phone shows and hides its keyboard without the plugin. */
  | 'keyboard';

const HARMLESS: ReadonlyMap<string, HarmlessReason> = new Map(
  Object.entries(table.harmless satisfies Record<HarmlessReason, string>).flatMap(([why, names]) =>
    names.split(' ').map((name): [string, HarmlessReason] => [name, why as HarmlessReason]),
  ),
);
const BUILD_ONLY_NAME = /(?:-gradle-release|multidex|-cleartext|-swift-support)$/;
const BUILT_IN_NAME = /^cordova-plugin-androidx(?:-|$)/;
const IOS_NAME = /^cordova-plugin-(?:ios|wkwebview)-/;

/** Current names of all plugins that {@link harmlessPlugin} returns a reason for. */
export const HARMLESS_PLUGINS: readonly string[] = [...HARMLESS.keys()];

/**
 * Returns the reason why pages work without a plugin, or undefined if they may need it.
 *
 * @param name the plugin's current name
 */
export function harmlessPlugin(name: string): HarmlessReason | undefined {
  const known = HARMLESS.get(name);
  if (known !== undefined) {
    return known;
  }
  if (BUILT_IN_NAME.test(name)) {
    return 'builtIn';
  }
  return BUILD_ONLY_NAME.test(name) ? 'buildOnly' : IOS_NAME.test(name) ? 'iosOnly' : undefined;
}

/**
 * Reports whether the only purpose of a plugin is to allow unencrypted connections.
 *
 * @param name the plugin's current name
 */
export function isCleartextPlugin(name: string): boolean {
  return /^cordova-plugin-[\w-]{0,40}cleartext\b/.test(name);
}

/**
 * Plugins that cordova.js or the web platform partly replaces. Without such a plugin, a package lacks only some
 * functions.
 */
export const PARTLY_THERE: ReadonlySet<string> = new Set([
  'cordova-plugin-device',
  'cordova-plugin-dialogs',
  'cordova-plugin-geolocation',
  'cordova-plugin-inappbrowser',
  'cordova-plugin-network-information',
  'cordova-plugin-vibration',
]);

/** Matches one part of a version range: `1.2.3`, `^1.2`, `>=1`, `*`, or the `||` or `-` between two parts. */
const RANGE_PART =
  /^(?:\|\||-|(?:[~^=]|[<>]=?)?v?(?:\d{1,9}|[xX*])(?:\.(?:\d{1,9}|[xX*])){0,2}(?:-[\w.-]+)?(?:\+[\w.-]+)?)$/;

/** Range to use if none is specified: the newest version. */
export const NEWEST = 'latest';

/** Reports whether a string can be the name of an npm package, rather than a path, address, or option. */
export function isPackageName(name: string): boolean {
  return /^(?:@[a-z\d][\w.-]*\/)?[A-Za-z\d][\w.-]*$/.test(name);
}

/**
 * Reports whether a string is `latest` or a version range, both of which npm looks up only in its registry. Rejects
 * other tags, and everything that npm would treat as a file, an address, or another package.
 */
export function isVersionRange(range: string): boolean {
  return (
    range === NEWEST ||
    // npm treats a version with such an ending as a file.
    (!/\.(?:tgz|tar|tar\.gz)$/i.test(range) && range.split(/\s+/).every((part) => RANGE_PART.test(part)))
  );
}

/** A name that scripts use to call a plugin. */
export interface PluginCall {
  readonly plugin: string;
  /** Where in a script the name is treated as a call. See {@link PLUGIN_CALLS}. */
  readonly kind: 'anywhere' | 'global' | 'constructor' | 'declared';
  readonly words: readonly string[];
  /** The call as it appears in findings. */
  readonly shown: string;
  /** Whether to ignore case. True for calls that were guessed from the plugin's name. */
  readonly ignoresCase: boolean;
}

/**
 * Calls that work only if the package contains the plugin's native code, keyed by plugin. If cordova.js or the web platform
 * partly replaces a plugin, only the missing calls are listed.
 *
 * Names with dots and the services of ng-cordova (`$x`) match anywhere. Other names match only as global variables, and
 * `new X` only as a constructor. `*x` marks a common word, which matches only after a dot or in quotes, and only if the
 * app declares the plugin. WebSQL isn't a plugin but a former web API. Geolocation has no calls, because the web API
 * has the same name.
 */
export const PLUGIN_CALLS: ReadonlyMap<string, readonly PluginCall[]> = new Map(
  Object.entries(table.calls).map(([plugin, calls]) => [
    plugin,
    calls === '' ? [] : calls.split(/(?<!new) /).map((written) => parseCall(plugin, written)),
  ]),
);

/**
 * Reports whether npm is likely to have a plugin.
 *
 * @param name the plugin's current name
 */
export function isOnNpm(name: string): boolean {
  return PLUGIN_CALLS.has(name) || (isPackageName(name) && /(?:^|[/-])(?:cordova|phonegap)(?:-|$)/i.test(name));
}

/** Reports whether a string is a current or earlier name of a known plugin. */
export function isKnownPlugin(name: string): boolean {
  const current = currentName(name);
  return current !== name || PLUGIN_CALLS.has(current) || harmlessPlugin(current) !== undefined;
}

/** Parses one entry of {@link PLUGIN_CALLS}. */
function parseCall(plugin: string, written: string): PluginCall {
  const shown = written.replace(/^[*~]/, '');
  const words = shown.replace(/^new /, '').split('.');
  const plainKind = words.length > 1 || shown.startsWith('$') ? 'anywhere' : 'global';
  const kind = written.startsWith('*') ? 'declared' : written.startsWith('new ') ? 'constructor' : plainKind;
  return { plugin, kind, words, shown, ignoresCase: written.startsWith('~') };
}

/** Matches global names that don't identify a plugin, because they belong to the web platform or to several plugins. */
const NO_CLOBBER =
  /^(?:|window|navigator|cordova|plugins?|cordova\.plugins?|device|screen|open|alert|console|document|Promise|File|FileReader|Blob|Media|navigator\.(?:geolocation|connection|vibrate|device))$/;

/**
 * Returns the likely calls of a plugin that isn't in the table: the global names in its plugin.xml, or guesses based on
 * its name.
 */
export function guessCalls(name: string, clobbers: readonly string[] = []): readonly PluginCall[] {
  const given = clobbers.map((each) => each.trim().replace(/^window\./, '')).filter((each) => !NO_CLOBBER.test(each));
  return (given.length > 0 ? given : guessedCalls(name)).map((written) => parseCall(currentName(name), written));
}

/**
 * Guesses how scripts call a plugin. `cordova-plugin-foo-bar` becomes `fooBar` or `FooBar`. The guesses also include
 * its words under `plugins`, `cordova`, and `navigator`, ignoring case (`~`).
 */
function guessedCalls(name: string): readonly string[] {
  const last = (name.split('/').at(-1) ?? '').replace(/^(?:[\w-]{1,50}\.){2,9}/, '');
  const words = last
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => !/^(?:|x|cordova|phonegap|ionic|plugin|plugins)$/i.test(word));
  const pascal = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  if (!/^[A-Za-z]\w{2,}$/.test(pascal)) {
    return [];
  }
  const camel = pascal.slice(0, 1).toLowerCase() + pascal.slice(1);
  const parts = words.filter((word) => word.length > 3);
  const below = [pascal, ...parts].map((each) => `~plugins.${each.toLowerCase()}`);
  const elsewhere = ['cordova', 'navigator'].map((parent) => `~${parent}.${pascal.toLowerCase()}`);
  const alone = words.length > 1 ? [camel, pascal] : [];
  return [...new Set([...below, ...elsewhere, ...alone, `$cordova${pascal}`])];
}

/**
 * Reports whether a package is a Capacitor plugin, based on its scope. Cordova can't build with these plugins. Pages
 * use their web code.
 */
export function isCapacitorPlugin(name: string): boolean {
  return /^@capacitor(?:-[a-z]+)?\//.test(name);
}
