/** The plugins whose native half is part of the shell: one Java class for each family, which serves Cordova's and Capacitor's plugins alike. */
import { currentName } from './cordovaPlugins.ts';
import table from './nativePlugins.json' with { type: 'json' };

/** A component that Android starts even while the app isn't running, for the app's alarms and a few events of the phone. */
export interface PluginReceiver {
  /** The Java class, without `appbuild.shell.` */
  readonly name: string;
  /** Android's full names of the actions that it receives. */
  readonly actions: readonly string[];
}

/** A plugin that a package can have. */
export interface NativePlugin {
  /** The current name of its package on npm. */
  readonly name: string;
  /** The Java class of its family, without `appbuild.shell.` */
  readonly family: string;
  /** Java classes that its family shares with others; like the family itself, each is a dex of its own. */
  readonly uses: readonly string[];
  /** The permissions in the manifest, without `android.permission.` */
  readonly permissions: readonly string[];
  /** The broadcast receivers of the manifest. */
  readonly receivers: readonly PluginReceiver[];
  /** Actions of intents, with the scheme or the type of their data after a colon: the app sees other apps that have these alone. */
  readonly queries: readonly string[];
  /** Plugins that it doesn't work without, by their names on npm: Cordova's own tools add them, too. */
  readonly needs: readonly string[];
  /** The methods of Capacitor's plugins, by the names under which their JavaScript registers them; empty for Cordova's. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
}

interface Entry {
  readonly uses?: string;
  readonly permissions?: string;
  readonly queries?: string;
  readonly needs?: string;
  /** Actions by the names of classes. */
  readonly receivers?: Readonly<Record<string, string>>;
  readonly methods?: Readonly<Record<string, string>>;
}

/** Each app of Capacitor depends on it. Its HTTP client has a native half, which only apps that use it get. */
export const CAPACITOR_CORE = '@capacitor/core';

/** As PLUGIN_CALLS names what pages call `openDatabase` of, which the web had once. The shell's SQLite stands in for it, by a script of its own. */
export const WEB_SQL = { plugin: 'WebSQL', family: 'Sqlite' } as const;

const PLUGINS: ReadonlyMap<string, NativePlugin> = new Map(
  Object.entries(table as Readonly<Record<string, Readonly<Record<string, Entry>>>>).flatMap(([family, plugins]) =>
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

/** All of them, by their names on npm. */
export const NATIVE_PLUGINS: readonly string[] = [...PLUGINS.keys()];

/** The plugin that a package has native code for; undefined for others. @param name any that the plugin has had */
export function getNativePlugin(name: string): NativePlugin | undefined {
  return PLUGINS.get(currentName(name));
}

/** The plugins that a package has native code for: those that it names, and those that they need. @param names any that they have had */
export function nativePluginsOf(names: readonly string[]): readonly NativePlugin[] {
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
