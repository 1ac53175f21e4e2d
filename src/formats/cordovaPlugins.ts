/** Cordova plugins: their names, the plugins that an app does without, and what scripts call of the others. */
import table from './cordovaPlugins.json' with { type: 'json' };

/** Names of plugins before they moved to npm in 2015, and what each is called there. */
const OLD_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(table.currentNames));
/** Cordova's own plugins were called that. */
const OLD_CORE_NAME = /^(?:org\.apache\.cordova(?:\.core)?|com\.phonegap\.plugin)\.([a-z-]{3,40})$/i;

/** The name of a plugin today, by any name that it has had. */
export function currentName(name: string): string {
  const known = OLD_NAMES.get(name.toLowerCase());
  if (known !== undefined) {
    return known;
  }
  const [, core] = OLD_CORE_NAME.exec(name) ?? [];
  return core === undefined ? name : `cordova-plugin-${core.toLowerCase()}`;
}

/** All names of a plugin, today's first. */
export function namesOf(name: string): readonly string[] {
  const current = currentName(name);
  const old = [...OLD_NAMES].filter(([, now]) => now === current).map(([before]) => before);
  const [, core] = /^cordova-plugin-([a-z-]+)$/.exec(current) ?? [];
  return [current, ...old, ...(core === undefined ? [] : [`org.apache.cordova.${core}`])];
}

/** Why pages miss nothing of a plugin. */
export type Harmless =
  /** Android, its WebView or the shell do the same. */
  | 'builtIn'
  /** It only changes how Cordova builds. */
  | 'buildOnly'
  /** It does nothing on Android. */
  | 'iosOnly'
  /** The phone's own keyboard comes and goes by itself. */
  | 'keyboard';

const HARMLESS: ReadonlyMap<string, Harmless> = new Map(
  Object.entries(table.harmless satisfies Record<Harmless, string>).flatMap(([why, names]) =>
    names.split(' ').map((name): [string, Harmless] => [name, why as Harmless]),
  ),
);
const BUILD_ONLY_NAME = /(?:-gradle-release|multidex|-cleartext|-swift-support)$/;
const BUILT_IN_NAME = /^cordova-plugin-androidx(?:-|$)/;
const IOS_NAME = /^cordova-plugin-(?:ios|wkwebview)-/;

/** The plugins that are known by their names, today's names. */
export const HARMLESS_PLUGINS: readonly string[] = [...HARMLESS.keys()];

/** Why pages miss nothing of a plugin; undefined for one that they may miss. @param name today's */
export function harmlessPlugin(name: string): Harmless | undefined {
  const known = HARMLESS.get(name);
  if (known !== undefined) {
    return known;
  }
  if (BUILT_IN_NAME.test(name)) {
    return 'builtIn';
  }
  return BUILD_ONLY_NAME.test(name) ? 'buildOnly' : IOS_NAME.test(name) ? 'iosOnly' : undefined;
}

/** Whether a plugin lets an app load what isn't encrypted, and does nothing else. @param name today's */
export function isCleartextPlugin(name: string): boolean {
  return /^cordova-plugin-[\w-]{0,40}cleartext\b/.test(name);
}

/** Plugins that cordova.js or the web stand in for: a package lacks only a part of them. */
export const PARTLY_THERE: ReadonlySet<string> = new Set([
  'cordova-plugin-device',
  'cordova-plugin-dialogs',
  'cordova-plugin-geolocation',
  'cordova-plugin-inappbrowser',
  'cordova-plugin-network-information',
  'cordova-plugin-vibration',
]);

/** Names and version ranges of npm packages: those that npm takes from its registry, and from nowhere else. */

/** One part of a range: `1.2.3`, `^1.2`, `>=1`, `*`, and `||` or `-` between two. */
const RANGE_PART =
  /^(?:\|\||-|(?:[~^=]|[<>]=?)?v?(?:\d{1,9}|[xX*])(?:\.(?:\d{1,9}|[xX*])){0,2}(?:-[\w.-]+)?(?:\+[\w.-]+)?)$/;

/** The range of a package that was named without one: the newest version. */
export const NEWEST = 'latest';

/** Whether this can be the name of a package: no path, address or option. */
export function isPackageName(name: string): boolean {
  return /^(?:@[a-z\d][\w.-]*\/)?[A-Za-z\d][\w.-]*$/.test(name);
}

/**
 * Whether this is `latest` or a range of versions. Any other tag is refused, and so is what npm would take for a file, an address
 * or another package.
 */
export function isVersionRange(range: string): boolean {
  return (
    range === NEWEST ||
    // npm takes such a version for a file.
    (!/\.(?:tgz|tar|tar\.gz)$/i.test(range) && range.split(/\s+/).every((part) => RANGE_PART.test(part)))
  );
}

/** Something that scripts write to call a plugin. */
export interface Call {
  readonly plugin: string;
  /** Where it counts, see {@link PLUGIN_CALLS}. */
  readonly kind: 'anywhere' | 'global' | 'constructor' | 'declared';
  readonly words: readonly string[];
  /** As findings show it. */
  readonly shown: string;
  /** Whether it's a guess from the plugin's name, which scripts may write in another case. */
  readonly ignoresCase: boolean;
}

/**
 * What scripts call of plugins whose native code isn't in a package. Of plugins that cordova.js or the web stand in for, it's only what
 * they lack.
 *
 * Names with dots, and the services of ng-cordova (`$x`), count wherever they are. Other names count as global variables, and `new X` as
 * the constructor of one. `*x` is a common word: it counts behind a dot or in quotes, and only where the app names the plugin.
 * WebSQL isn't a plugin, but was a part of the web. The web has geolocation under the same name.
 */
export const PLUGIN_CALLS: ReadonlyMap<string, readonly Call[]> = new Map(
  Object.entries(table.calls).map(([plugin, calls]) => [
    plugin,
    calls === '' ? [] : calls.split(/(?<!new) /).map((written) => callOf(plugin, written)),
  ]),
);

/** Whether npm is likely to have a plugin. @param name today's */
export function isOnNpm(name: string): boolean {
  return PLUGIN_CALLS.has(name) || (isPackageName(name) && /(?:^|[/-])(?:cordova|phonegap)(?:-|$)/i.test(name));
}

/** Whether this is a known name of a plugin, today's or an old one. */
export function isKnownPlugin(name: string): boolean {
  const current = currentName(name);
  return current !== name || PLUGIN_CALLS.has(current) || harmlessPlugin(current) !== undefined;
}

/** @param written as {@link PLUGIN_CALLS} has it */
function callOf(plugin: string, written: string): Call {
  const shown = written.replace(/^[*~]/, '');
  const words = shown.replace(/^new /, '').split('.');
  const ofName = words.length > 1 || shown.startsWith('$') ? 'anywhere' : 'global';
  const kind = written.startsWith('*') ? 'declared' : written.startsWith('new ') ? 'constructor' : ofName;
  return { plugin, kind, words, shown, ignoresCase: written.startsWith('~') };
}

/** Names of the web, and those that several plugins share. */
const NO_CLOBBER =
  /^(?:|window|navigator|cordova|plugins?|cordova\.plugins?|device|screen|open|alert|console|document|Promise|File|FileReader|Blob|Media|navigator\.(?:geolocation|connection|vibrate|device))$/;

/** What scripts call of a plugin that isn't in the table: the names that its plugin.xml gives them, or else guesses from its own name. */
export function callsOfUnknown(name: string, clobbers: readonly string[] = []): readonly Call[] {
  const given = clobbers.map((each) => each.trim().replace(/^window\./, '')).filter((each) => !NO_CLOBBER.test(each));
  return (given.length > 0 ? given : guessedCalls(name)).map((written) => callOf(currentName(name), written));
}

/** `cordova-plugin-foo-bar` is called `fooBar` or `FooBar`, and its words are below `plugins`, `cordova` or `navigator`, in any case (`~`). */
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

/** Whether a package is a plugin of Capacitor's, by its scope: Cordova can't build with it, and the pages run its code for the web. */
export function isOfCapacitor(name: string): boolean {
  return /^@capacitor(?:-[a-z]+)?\//.test(name);
}
