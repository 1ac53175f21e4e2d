/**
 * The plugins whose native code is part of the shell. One Java class per family implements both Cordova and Capacitor
 * plugins.
 */
import { currentName } from './cordovaPlugins.ts';
import table from './nativePlugins.json' with { type: 'json' };

/** A component that Android starts for the app's alarms and for some system events, even if the app isn't running. */
export interface PluginReceiver {
  /** The receiver's Java class, without `appbuild.shell.` */
  readonly name: string;
  /** Android's full names of the actions that the component receives. */
  readonly actions: readonly string[];
}

/** A plugin that a package can contain. */
interface NativePlugin {
  /** The current name of the plugin's package on npm. */
  readonly name: string;
  /** The Java class of the plugin's family, without `appbuild.shell.` */
  readonly family: string;
  /**
   * Java classes that the plugin's family shares with others. Each class has a separate dex file, like the family's own
   * class.
   */
  readonly uses: readonly string[];
  /** The permissions in the manifest, without `android.permission.` */
  readonly permissions: readonly string[];
  /** The broadcast receivers in the manifest. */
  readonly receivers: readonly PluginReceiver[];
  /**
   * Intents of other apps that the app can see. An entry is an action, optionally followed by a colon and the scheme or
   * type of the data.
   */
  readonly queries: readonly string[];
  /** npm names of the plugins that this plugin requires. Cordova's tools also add them. */
  readonly needs: readonly string[];
  /** Methods of Capacitor plugins, keyed by the plugins' registered names. Empty for Cordova plugins. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
}

interface NativePluginEntry {
  readonly uses?: string;
  readonly permissions?: string;
  readonly queries?: string;
  readonly needs?: string;
  /** Actions of the receivers, keyed by class name. */
  readonly receivers?: Readonly<Record<string, string>>;
  readonly methods?: Readonly<Record<string, string>>;
}

/**
 * Package that every Capacitor app depends on. The native code of its HTTP client is added only to apps that use it.
 */
export const CAPACITOR_CORE = '@capacitor/core';

/**
 * The name that `PLUGIN_CALLS` uses for `openDatabase`, a former web API. A separate script and the shell's SQLite
 * replace it.
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
 * Returns a plugin whose native code packages can contain, or undefined for any other plugin.
 *
 * @param name any name that the plugin has had
 */
export function getNativePlugin(name: string): NativePlugin | undefined {
  return PLUGINS.get(currentName(name));
}

/**
 * Returns the declared plugins whose native code packages can contain, and the plugins that these require.
 *
 * @param names the declared plugins, by any names that they have had
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
