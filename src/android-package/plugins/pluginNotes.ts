/** Decides how each plugin that an app declares is packaged or replaced, and logs the result. */
import {
  currentName,
  HARMLESS_PLUGINS,
  harmlessPlugin,
  getPluginNames,
  type HarmlessReason,
  isCapacitorPlugin,
  isOnNpm,
} from './cordovaPlugins.ts';
import { getNativePlugin, NATIVE_PLUGINS, WEB_SQL } from './nativePlugins.ts';
import type { PluginUse } from './pluginSearch.ts';
import type { ConfigFile } from '../config/packageConfig.ts';
import { removeUnsafeCharacters } from '../config/appValues.ts';
import { UnsupportedPluginError, type WriteLog } from '../buildError.ts';

/**
 * Descriptions of what replaces a plugin if cordova.js, the shell, or the web platform provides its functions without
 * its JavaScript.
 */
const STAND_INS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'cordova-plugin-geolocation': 'pages use the web’s navigator.geolocation.',
    'cordova-plugin-network-information':
      'pages use the web’s navigator.connection, without the constants of Connection.',
    'cordova-plugin-vibration': 'pages use the web’s navigator.vibrate.',
    'cordova-plugin-device': 'device reports the model and the version. uuid and serial are empty.',
    'cordova-plugin-dialogs': 'navigator.notification shows the web’s dialogs with their own buttons.',
    'cordova-plugin-inappbrowser': 'cordova.InAppBrowser.open opens the phone’s browser and doesn’t send events.',
    'cordova-plugin-customurlscheme': 'handleOpenURL receives the links. plugins.launchmyapp isn’t available.',
    'cordova-plugin-statusbar':
      'the preferences StatusBarBackgroundColor and StatusBarStyle apply. StatusBar isn’t available.',
  }),
);

/** All current and earlier names of the plugins that an app can declare and call. */
export const SUPPORTED_PLUGINS: readonly string[] = [
  ...new Set([...NATIVE_PLUGINS, ...HARMLESS_PLUGINS].flatMap(getPluginNames)),
];

const WHY_HARMLESS: Readonly<Record<Exclude<HarmlessReason, 'builtIn'>, string>> = {
  buildOnly: 'it only supports Cordova’s build, so the app doesn’t need it.',
  iosOnly: 'it’s only for iOS, so the app doesn’t need it.',
  keyboard: 'the phone’s keyboard works without it. Keyboard isn’t available.',
};

/**
 * Logs how an app's plugins are handled.
 *
 * @param uses calls to plugins in the pages, keyed by the plugins' current names
 * @param hasScripts whether the package contains the JavaScript of its Cordova plugins
 * @param log receives a line for each plugin that works differently, and for each call that the package doesn't support
 * @returns current names of the declared plugins
 * @throws UnsupportedPluginError if the pages call plugins that the package can't include
 */
export function logPlugins(
  config: ConfigFile,
  uses: ReadonlyMap<string, PluginUse>,
  hasScripts: boolean,
  log: WriteLog,
): readonly string[] {
  const declared = new Map(config.plugins.map(({ name }) => [currentName(name), removeUnsafeCharacters(name)]));
  const unsupported = new Map(
    [...declared].flatMap(([current, name]): [string, string][] => {
      const use = uses.get(current);
      return use === undefined || use.isTested || isSupported(current)
        ? []
        : [[current, `${name} (${formatLocation(use)})`]];
    }),
  );
  if (unsupported.size > 0) {
    const otherBuild = [...unsupported.keys()].every(isOnNpm)
      ? 'run “Install Engine…” to install the plugin from npm and compile it with the Android SDK.'
      : 'build it with Cordova’s own tools.';
    throw new UnsupportedPluginError(
      unsupported,
      'The pages call native code there, ' +
        `which the built-in builder can’t compile. Remove the plugin and its calls from the app, or ${otherBuild}`,
    );
  }
  for (const [current, name] of declared) {
    const note = getNote(current, uses.get(current), hasScripts);
    if (note !== undefined) {
      log(`Plugin ${name}: ${note}`);
    }
  }
  for (const [plugin, use] of uses) {
    // The shell calls `handleOpenURL` for links.
    const isThere =
      (use.call === 'handleOpenURL' && config.intentFilters.length > 0) ||
      (hasScripts && declared.has(plugin) && isNative(plugin));
    if (!use.isTested && !isThere && plugin !== WEB_SQL.plugin) {
      log(
        `Warning: ${formatLocation(use)}: the pages use ${use.call} here, which this package doesn’t have (${plugin}).`,
      );
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

/**
 * Returns the log line for a plugin, if it needs one.
 *
 * @param name the plugin's current name
 */
function getNote(name: string, use: PluginUse | undefined, hasScripts: boolean): string | undefined {
  // The JavaScript of a Capacitor plugin is part of the pages' scripts.
  if (isNative(name) && (hasScripts || isCapacitorPlugin(name))) {
    return 'it’s in the package with its native code.';
  }
  const why = harmlessPlugin(name);
  if (why === 'builtIn') {
    return undefined;
  }
  const without = why === undefined ? STAND_INS.get(name) : WHY_HARMLESS[why];
  if (isNative(name)) {
    const lack = without ?? 'its native code is in the package, but not its JavaScript.';
    return `${lack} Run “npm install” in the project and build again${without === undefined ? '' : ' to get all of it'}.`;
  }
  if (without !== undefined) {
    return without;
  }
  return use === undefined
    ? 'it isn’t in this package. The pages don’t appear to call it.'
    : `it isn’t in this package. The pages call it only where it exists (${formatLocation(use)}).`;
}

/** Formats the location of a call, with the file's path in the package. */
function formatLocation({ path, line }: PluginUse): string {
  return `www/${removeUnsafeCharacters(path)}:${line}`;
}
