import { sentence } from '../../api/errors/sentence.ts';
import type { BuilderSupport } from '../../apps/model/builderSupport.ts';
import { currentName, harmlessPlugin, PARTLY_THERE } from '../../formats/cordovaPlugins.ts';
import { isOnNpm } from '../../formats/pluginCalls.ts';
import type { PluginUse } from '../../formats/pluginSearch.ts';
import type { Layout } from '../layout.ts';
import { pluginsBesideConfig, type ProjectPlugin } from '../projectPlugins.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import type { ConfigFacts } from './configFile.ts';
import type { ProjectFinding } from './finding.ts';

/** A plugin, and where the project names it. */
export type NamedPlugin = Pick<ProjectPlugin, 'name' | 'variables' | 'platform' | 'place'>;

/** The Cordova plugins of a project, and where its pages call some. */
export interface PluginFacts {
  readonly named: readonly NamedPlugin[];
  /** By the plugins' names of today. Paths are below the project. */
  readonly uses: ReadonlyMap<string, PluginUse>;
  /** Whether the package's config.xml names them: that of a Capacitor project doesn't. */
  readonly areSent: boolean;
}

/** The plugins that a project names, those of its config.xml first. @throws CancelledError */
export async function namedPlugins(
  folder: ProjectFolder,
  layout: Layout,
  facts: Pick<ConfigFacts, 'plugins'> | undefined,
): Promise<readonly NamedPlugin[]> {
  // A config.xml that was made names what other files of the project name.
  const own = layout.config === undefined ? [] : (facts?.plugins ?? []);
  const known = new Set(own.map(({ name }) => currentName(name)));
  const beside = (await pluginsBesideConfig(folder, layout)).filter(({ name }) => !known.has(currentName(name)));
  return [...own, ...beside];
}

/** What the package of the built-in builder lacks of plugins. */
export function builtinPluginFindings(
  { named, uses, areSent }: PluginFacts,
  support: Pick<BuilderSupport, 'plugins'>,
): readonly ProjectFinding[] {
  const supported = new Set(
    (support.plugins ?? []).flatMap(({ name, unavailable }) =>
      unavailable?.android === undefined ? currentName(name) : [],
    ),
  );
  // Cordova has these, and lacks something to compile them.
  const obstacles = new Map(
    (support.plugins ?? []).map(({ name, unavailable }) => [currentName(name), unavailable?.android]),
  );
  const declared = new Map(named.map((plugin) => [currentName(plugin.name), plugin]));
  const isMissing = (name: string): boolean =>
    declared.has(name) && !supported.has(name) && harmlessPlugin(name) === undefined;
  const notes = [...declared].flatMap(([current, plugin]): readonly ProjectFinding[] => {
    const use = uses.get(current);
    return use?.isTested === false && isMissing(current) && areSent
      ? [calledFinding(plugin, use, obstacles.get(current))]
      : noteOn(plugin, use, isMissing(current));
  });
  const lacking = [...uses].filter(([name, { isTested }]) => !isTested && !(isMissing(name) && areSent));
  return [...notes, ...lacking.map(([name, use]) => lackFinding(declared.get(name)?.name ?? name, use))];
}

/** @param obstacle why Cordova, which has the plugin, can't compile it here */
function calledFinding(
  { name, place }: NamedPlugin,
  { path, line }: PluginUse,
  obstacle: string | undefined,
): ProjectFinding {
  const isForEngine = obstacle === undefined && isOnNpm(currentName(name));
  return {
    code: 'pluginNotSupported',
    verdict: 'fails',
    message: sentence(
      '{0}: the pages call it in {1}, line {2}, and the built-in builder can’t compile its native code.',
      name,
      path,
      // No separator between its digits.
      String(line),
    ),
    ...(isForEngine && { offers: 'engine' }),
    next:
      obstacle !== undefined
        ? sentence('Cordova has its code, but can’t compile it for Android on this computer. {0}', obstacle)
        : isForEngine
          ? sentence(
              'Remove the plugin and its calls from the app, or run “Install Build Engine…”: Cordova gets it from npm, and compiles it with the Android SDK.',
            )
          : sentence('Remove the plugin and its calls from the app, or build it with Cordova’s own tools.'),
    place,
  };
}

/** What an app doesn't miss of a plugin that it names. */
function noteOn(
  { name, place }: NamedPlugin,
  use: PluginUse | undefined,
  isMissing: boolean,
): readonly ProjectFinding[] {
  const why = harmlessPlugin(currentName(name));
  const note = { code: 'pluginNotSupported', verdict: 'fine', place } as const;
  if (why !== undefined && why !== 'builtIn') {
    return [{ ...note, message: sentence('{0}: it isn’t in the package, and the app doesn’t need it there.', name) }];
  }
  if (!isMissing || use?.isTested === false) {
    return [];
  }
  return [
    {
      ...note,
      message:
        use === undefined
          ? sentence('{0}: it isn’t in the package, and no call of it was found in the pages.', name)
          : sentence('{0}: it isn’t in the package, and the pages call it only where it exists.', name),
    },
  ];
}

function lackFinding(plugin: string, { call, path, line }: PluginUse): ProjectFinding {
  const start = { line: line - 1, character: 0 };
  return {
    code: 'pluginNotSupported',
    verdict: 'mayFail',
    message: sentence('{0}: the pages use {1} here, which the package doesn’t have.', plugin, call),
    next: PARTLY_THERE.has(currentName(plugin))
      ? sentence('The package has the other parts of the plugin. Ask whether this one is there before you use it.')
      : sentence('Use what the web has instead, or ask whether it’s there before you call it.'),
    place: { path, start, end: start },
  };
}
