/**
 * The plugins whose native half is part of the shell. One Java class per family serves both Cordova and Capacitor
 * plugins.
 */
import { currentName } from './cordovaPlugins.ts';
import table from './nativePlugins.json' with { type: 'json' };

/**
 * A component that Android starts for the app's alarms and a few events of the phone, even if the app isn't running.
 */
export interface PluginReceiver {
  /** The receiver's Java class, without `appbuild.shell.` */
  readonly name: string;
  /** Android's full names of the actions that the component receives. */
  readonly actions: readonly string[];
}

/** A plugin that a package can contain. */
export interface NativePlugin {
  /** The current name of the plugin's package on npm. */
  readonly name: string;
  /** The Java class of the plugin's family, without `appbuild.shell.` */
  readonly family: string;
  /** Java classes that the plugin's family shares with others. Like the family, each has its own dex file. */
  readonly uses: readonly string[];
  /** The permissions in the manifest, without `android.permission.` */
  readonly permissions: readonly string[];
  /** The broadcast receivers in the manifest. */
  readonly receivers: readonly PluginReceiver[];
  /**
   * Actions of intents, each optionally followed by a colon and the scheme or type of its data. The app can see only
   * other apps that handle these.
   */
  readonly queries: readonly string[];
  /** npm names of plugins that this plugin requires. Cordova's tools add them as well. */
  readonly needs: readonly string[];
  /** Methods of Capacitor plugins, by the name that their JavaScript registers. Empty for Cordova plugins. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
}

interface NativePluginEntry {
  readonly uses?: string;
  readonly permissions?: string;
  readonly queries?: string;
  readonly needs?: string;
  /** Actions, keyed by class name. */
  readonly receivers?: Readonly<Record<string, string>>;
  readonly methods?: Readonly<Record<string, string>>;
}

/** Every Capacitor app depends on this package. Only apps that use its HTTP client get the client's native half. */
export const CAPACITOR_CORE = '@capacitor/core';

/**
 * The name in PLUGIN_CALLS for `openDatabase`, which was once part of the web. The shell's SQLite replaces it with a
 * separate script.
 */
export const WEB_SQL = { plugin: 'WebSQL', family: 'Sqlite' } as const;

const PLUGINS: ReadonlyMap<string, NativePlugin> = new Map(
  Object.entries(table as Readonly<Record<string, Readonly<Record<string, NativePluginEntry>>>>).flatMap(
    ([family, plugins]) =>
      Object.entries(plugins).map(
        ([name, { uses, permissions, queries, needs, receivers, methods }]): [string, NativePlugin] => [
          name,
          {
            name,
            family,
            uses: toWords(uses),
            permissions: toWords(permissions),
            queries: toWords(queries),
            needs: toWords(needs),
            receivers: Object.entries(receivers ?? {}).map(([receiver, text]) => ({
              name: receiver,
              actions: toWords(text),
            })),
            methods: new Map(Object.entries(methods ?? {}).map(([registered, text]) => [registered, toWords(text)])),
          },
        ],
      ),
  ),
);

/** Names of all native plugins on npm. */
export const NATIVE_PLUGINS: readonly string[] = [...PLUGINS.keys()];

/**
 * Returns the plugin that a package has native code for, or undefined if it has none.
 *
 * @param name any name that the plugin has had
 */
export function getNativePlugin(name: string): NativePlugin | undefined {
  return PLUGINS.get(currentName(name));
}

/**
 * Returns the plugins that a package has native code for, including those that they require.
 *
 * @param names the plugins that an app declares, by any names that they have had
 */
export function getNativePlugins(names: readonly string[]): readonly NativePlugin[] {
  const found = new Set<NativePlugin>();
  const add = (name: string): void => {
    const plugin = getNativePlugin(name);
    if (plugin !== undefined && !found.has(plugin)) {
      found.add(plugin);
      plugin.needs.forEach(add);
    }
  };
  names.forEach(add);
  return [...found];
}

function toWords(text = ''): readonly string[] {
  return text === '' ? [] : text.split(' ');
}
