/** Cordova plugins whose work the package, or the web itself, does, and what becomes of the others that an app names. */
import {
  currentName,
  HARMLESS_PLUGINS,
  harmlessPlugin,
  namesOf,
  type Harmless,
  isOfCapacitor,
  isOnNpm,
} from '../../../formats/cordovaPlugins.ts';
import { getNativePlugin, NATIVE_PLUGINS, WEB_SQL } from '../../../formats/nativePlugins.ts';
import type { PluginUse } from '../../../formats/pluginSearch.ts';
import { UnsupportedPluginError, type Log } from '../builder.ts';
import type { ConfigFile } from '../packages/packageConfig.ts';
import { plainText } from '../appValues.ts';

/** The plugins that pages can use without their JavaScript: cordova.js, the shell, or the web has them. */
const STAND_INS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'cordova-plugin-geolocation': 'the page asks by navigator.geolocation of the web.',
    'cordova-plugin-network-information':
      'navigator.connection is that of the web, without the constants of Connection.',
    'cordova-plugin-vibration': 'the page uses navigator.vibrate of the web.',
    'cordova-plugin-device': 'device tells the model and the version; uuid and serial are empty.',
    'cordova-plugin-dialogs': 'navigator.notification shows the dialogs of the web, with their own buttons.',
    'cordova-plugin-inappbrowser': 'cordova.InAppBrowser.open opens the browser of the phone, and tells no events.',
    'cordova-plugin-customurlscheme': 'handleOpenURL gets the links; plugins.launchmyapp isn’t available.',
    'cordova-plugin-statusbar':
      'the preferences StatusBarBackgroundColor and StatusBarStyle count; StatusBar isn’t available.',
  }),
);

/** The plugins that an app may name and call, by all names that they have had. */
export const SUPPORTED_PLUGINS: readonly string[] = [
  ...new Set([...NATIVE_PLUGINS, ...HARMLESS_PLUGINS].flatMap(namesOf)),
];

const WHY_HARMLESS: Readonly<Record<Exclude<Harmless, 'builtIn'>, string>> = {
  buildOnly: 'it only helps Cordova build, so the app misses nothing.',
  iosOnly: 'it’s for iOS only, so the app misses nothing.',
  keyboard: 'the phone’s keyboard works without it; Keyboard isn’t available.',
};

/**
 * Says what becomes of an app's plugins.
 *
 * @param uses where the pages call plugins, by the plugins' names of today
 * @param hasScripts whether the package has the JavaScript of its Cordova plugins
 * @param log receives a line for each plugin of which something is different, and for each call that the package lacks
 * @returns the plugins that the app names, by their names of today
 * @throws UnsupportedPluginError for plugins that the pages call, and the package can't have
 */
export function notePlugins(
  config: ConfigFile,
  uses: ReadonlyMap<string, PluginUse>,
  hasScripts: boolean,
  log: Log,
): readonly string[] {
  const declared = new Map(config.plugins.map(({ name }) => [currentName(name), plainText(name)]));
  const unsupported = new Map(
    [...declared].flatMap(([current, name]): [string, string][] => {
      const use = uses.get(current);
      return use === undefined || use.isTested || isSupported(current) ? [] : [[current, `${name} (${placeOf(use)})`]];
    }),
  );
  if (unsupported.size > 0) {
    const otherBuild = [...unsupported.keys()].every(isOnNpm)
      ? 'run “Install Engine…”: Cordova gets the plugin from npm, and compiles it with the Android SDK.'
      : 'build it with Cordova’s own tools.';
    throw new UnsupportedPluginError(
      unsupported,
      'The pages call native code there, ' +
        `which the built-in builder can’t compile. Remove the plugin and its calls from the app, or ${otherBuild}`,
    );
  }
  for (const [current, name] of declared) {
    const note = noteOf(current, uses.get(current), hasScripts);
    if (note !== undefined) {
      log(`Plugin ${name}: ${note}`);
    }
  }
  for (const [plugin, use] of uses) {
    // The shell calls it for links.
    const isThere =
      (use.call === 'handleOpenURL' && config.intentFilters.length > 0) ||
      (hasScripts && declared.has(plugin) && isNative(plugin));
    if (!use.isTested && !isThere && plugin !== WEB_SQL.plugin) {
      log(`Warning: ${placeOf(use)}: the pages use ${use.call} here, which this package doesn’t have (${plugin}).`);
    }
  }
  return [...declared.keys()];
}

function isNative(name: string): boolean {
  return getNativePlugin(name) !== undefined;
}

function isSupported(name: string): boolean {
  return isNative(name) || harmlessPlugin(name) !== undefined;
}

/** @param name of today */
function noteOf(name: string, use: PluginUse | undefined, hasScripts: boolean): string | undefined {
  // A Capacitor plugin's JavaScript is among the scripts of the pages.
  if (isNative(name) && (hasScripts || isOfCapacitor(name))) {
    return 'it’s in the package, with its native code.';
  }
  const why = harmlessPlugin(name);
  if (why === 'builtIn') {
    return undefined;
  }
  const without = why === undefined ? STAND_INS.get(name) : WHY_HARMLESS[why];
  if (isNative(name)) {
    const lack = without ?? 'its native code is in the package, but not its JavaScript.';
    return `${lack} Run “npm install” in the project, and build it again${without === undefined ? '' : ' to get all of it'}.`;
  }
  if (without !== undefined) {
    return without;
  }
  return use === undefined
    ? 'it isn’t in this package. No call of it was found in the pages.'
    : `it isn’t in this package. The pages call it only where it exists (${placeOf(use)}).`;
}

/** A file of the app as its package has it. */
function placeOf({ path, line }: PluginUse): string {
  return `www/${plainText(path)}:${line}`;
}
