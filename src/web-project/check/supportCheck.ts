import { posix } from 'node:path';
import { sentence, type Sentence, valueAlone } from '../../errors/index.ts';
import {
  currentName,
  getNativePlugin,
  harmlessPlugin,
  isCapacitorPlugin,
  isOnNpm,
  type PluginUse,
  WEB_SQL,
} from '../../android-package/index.ts';
import type { ProjectLayout } from '../projectLayout.ts';
import { pluginsBesideConfig } from '../projectPlugins.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import type { ConfigFacts, NamedPlugin } from './configFile.ts';
import {
  fails,
  type FindingRemedy,
  fine,
  lineIn,
  mayFail,
  type ProjectFinding,
  platformName,
} from './projectFinding.ts';
import { BUILTIN_BUILDER, getBuilder, type BuilderSupport } from './builderSupport.ts';

/** A project's Cordova plugins and the calls to them in its pages. */
export interface PluginFacts {
  readonly named: readonly NamedPlugin[];
  /** Current names of the plugins whose plugin.xml, and thus JavaScript, is in the project. */
  readonly installed: ReadonlySet<string>;
  /** Calls, keyed by the current names of the plugins. Paths are relative to the project. */
  readonly uses: ReadonlyMap<string, PluginUse>;
  /**
   * Whether the package's config.xml declares all plugins. For a Capacitor project, it declares only those with native
   * code.
   */
  readonly areSent: boolean;
}

/**
 * Returns the plugins that a project declares, starting with those in its config.xml.
 *
 * @throws CancelledError
 */
export async function namedPlugins(
  folder: ProjectFolder,
  layout: ProjectLayout,
  facts: Pick<ConfigFacts, 'plugins'> | undefined,
): Promise<readonly NamedPlugin[]> {
  // A generated config.xml only contains plugins that other files of the project declare.
  const own = layout.config === undefined ? [] : (facts?.plugins ?? []);
  const known = new Set(own.map(({ name }) => currentName(name)));
  const added = (await pluginsBesideConfig(folder, layout)).filter(({ name }) => !known.has(currentName(name)));
  return [...own, ...added];
}

/**
 * Returns the findings about the platforms and plugins that the service supports.
 *
 * @param platforms the platforms that would be built
 */
export function supportFindings(
  platforms: readonly string[],
  support: BuilderSupport,
  plugins: PluginFacts | undefined,
): readonly ProjectFinding[] {
  const reasons = new Map(support.platforms.map(({ platform, unavailable }) => [platform, unavailable]));
  const buildable = platforms.filter((platform) => reasons.get(platform) === undefined);
  const unavailable = platforms.flatMap((platform) => {
    const reason = reasons.get(platform);
    const message = sentence('The service can’t build for {0}: {1}', platformName(platform), reason ?? '');
    return reason === undefined ? [] : fails('platformUnavailable', message, { platform });
  });
  const used = (plugins?.named ?? []).filter(({ platform }) => platform === undefined || buildable.includes(platform));
  const builder = buildable.includes('android') ? getBuilder(support, 'android') : support.builder;
  const found =
    plugins === undefined || buildable.length === 0
      ? []
      : builder === BUILTIN_BUILDER
        ? builtinPluginFindings({ ...plugins, named: used }, support)
        : plugins.areSent
          ? used.flatMap((plugin) => pluginFindings(plugin, support))
          : [];
  const isAboutPlugins = found.some(({ code }) => code === 'pluginNotSupported' || code === 'pluginVariable');
  return [
    ...unavailable,
    ...found,
    ...(buildable.length === 0 || support.builder === undefined ? [] : [buildsFor(buildable.map(platformName))]),
    ...(support.plugins === undefined || used.length === 0 || isAboutPlugins
      ? []
      : [
          fine('pluginNotSupported', sentence('The service has all plugins that the app uses.'), {
            about: sentence('All plugins'),
            short: sentence('available'),
          }),
        ]),
  ];
}

function buildsFor(platforms: readonly string[]): ProjectFinding {
  const message = sentence('The service builds for {0}.', platforms);
  return fine('platformUnavailable', message, { about: valueAlone(platforms), short: sentence('available') });
}

/**
 * Returns the findings about a plugin that the service doesn't have, and about missing or unsupported variables of a
 * plugin.
 */
function pluginFindings(named: NamedPlugin, support: BuilderSupport): readonly ProjectFinding[] {
  const { name, variables, platform } = named;
  const subject = getSubject(named);
  if (support.plugins === undefined || isCapacitorPlugin(name)) {
    return [];
  }
  const current = currentName(name);
  const plugin =
    support.plugins.find((each) => each.name === name) ?? support.plugins.find((each) => each.name === current);
  if (plugin === undefined) {
    const canInstall = support.builder === 'cordova' && isOnNpm(current);
    const next = canInstall
      ? sentence('Install the Cordova engine to get it from npm, or remove the plugin.')
      : sentence('Ask the service administrator for it, or remove the plugin.');
    const message = sentence('The service doesn’t have the plugin {0}.', name);
    const details = { ...subject, next, platform, remedies: getRemedies(named, canInstall) };
    return harmlessPlugin(current) === undefined ? [fails('pluginNotSupported', message, details)] : [];
  }
  const missing = plugin.variables.filter((variable) => (variables[variable] ?? '') === '');
  const odd = Object.entries(variables).filter(
    ([key, value]) => !VARIABLE_NAME.test(key) || !VARIABLE_VALUE.test(value),
  );
  return [
    ...missing.map((variable) => {
      const next = sentence('Add <variable name="{0}" value="…"/> to the <plugin> element.', variable);
      const message = sentence('The plugin {0} requires a value for {1}.', name, variable);
      return fails('pluginVariable', message, { ...subject, next, platform });
    }),
    ...odd.map(([variable]) => {
      const message = sentence('The service can’t use the variable “{0}” of the plugin {1}.', variable, name);
      return fails('pluginVariable', message, {
        ...subject,
        next: VARIABLE_FORM,
        short: sentence('variable not supported'),
        platform,
      });
    }),
  ];
}

/** Returns the row label for a plugin, and the plugin's location. */
function getSubject({ name, location }: NamedPlugin): Pick<ProjectFinding, 'about' | 'location'> {
  return { about: name, location };
}

/**
 * Returns the remedies for a plugin.
 *
 * @param canInstall whether the engine can install the plugin from npm
 */
function getRemedies({ location }: NamedPlugin, canInstall: boolean): readonly FindingRemedy[] {
  const isElement = posix.basename(location.path) === 'config.xml';
  return [...(canInstall ? ['installEngine' as const] : []), ...(isElement ? ['removePlugin' as const] : [])];
}

const VARIABLE_FORM = sentence(
  'Names can contain capital letters, digits, and underscores. Values can contain letters, digits, spaces, and . , : / @ + = _ -',
);
/** Matches the names of variables that the service passes to a plugin. */
const VARIABLE_NAME = /^[A-Z_][A-Z0-9_]{0,99}$/;
const VARIABLE_VALUE = /^[\w .,:/@+=-]{0,500}$/;

/** Returns the findings about plugins that the built-in builder's package lacks. */
function builtinPluginFindings(
  { named, installed, uses, areSent }: PluginFacts,
  support: Pick<BuilderSupport, 'plugins'>,
): readonly ProjectFinding[] {
  /** Reasons why Cordova can't compile a plugin on this computer, keyed by the plugin's current name. */
  const unavailablePlatforms = new Map(
    (support.plugins ?? []).map(({ name, unavailable }) => [currentName(name), unavailable?.android]),
  );
  const isSupported = (name: string): boolean =>
    unavailablePlatforms.has(name) && unavailablePlatforms.get(name) === undefined;
  const declared = new Map(named.map((plugin) => [currentName(plugin.name), plugin]));
  const isMissing = (name: string): boolean =>
    declared.has(name) && !isSupported(name) && harmlessPlugin(name) === undefined;
  const isNative = (name: string): boolean =>
    declared.has(name) && isSupported(name) && getNativePlugin(name) !== undefined;
  const isThere = (name: string): boolean => name === WEB_SQL.plugin || (isNative(name) && installed.has(name));
  const notes = [...declared].flatMap(([current, plugin]): readonly ProjectFinding[] => {
    const use = uses.get(current);
    if (isThere(current)) {
      return [];
    }
    if (
      isNative(current) &&
      use?.isTested !== false &&
      !isCapacitorPlugin(current) &&
      harmlessPlugin(current) === undefined
    ) {
      const message = sentence('{0}: its native code is in the package, but not its JavaScript.', plugin.name);
      return [
        fine('pluginNotSupported', message, {
          ...getSubject(plugin),
          short: sentence('JavaScript missing'),
          next: getNextStep(current, true),
        }),
      ];
    }
    return use?.isTested === false && isMissing(current) && areSent
      ? [calledFinding(plugin, use, unavailablePlatforms.get(current))]
      : noteOn(plugin, use, isMissing(current));
  });
  const lacking = [...uses].filter(
    ([name, { isTested }]) => !isTested && !isThere(name) && !(isMissing(name) && areSent),
  );
  // npm doesn't install the plugins that a plugin requires. If one is missing, the script of the plugin that requires
  // it fails before deviceready.
  const missed = [...declared].flatMap(([current, plugin]) =>
    (isNative(current) && installed.has(current) ? (getNativePlugin(current)?.needs ?? []) : [])
      .filter((need) => !installed.has(need))
      .map((need) =>
        mayFail('pluginNotSupported', sentence('{0} doesn’t start without {1}.', plugin.name, need), {
          ...getSubject(plugin),
          next: getNextStep(need, declared.has(need)),
          short: sentence('needs {0}', need),
        }),
      ),
  );
  return [
    ...notes,
    ...missed,
    ...lacking.map(([name, use]) => lackFinding(declared.get(name)?.name ?? name, use, declared.has(name))),
  ];
}

function calledFinding(plugin: NamedPlugin, { path, line }: PluginUse, obstacle: string | undefined): ProjectFinding {
  const isForEngine = obstacle === undefined && isOnNpm(currentName(plugin.name));
  const message = sentence(
    '{0} contains native code, which the built-in builder can’t compile. The app calls it in {1}, line {2}.',
    plugin.name,
    path,
    // As a string, the number is shown without a thousands separator.
    String(line),
  );
  const others = isForEngine
    ? sentence('Install the Cordova engine, or remove the plugin and its calls.')
    : sentence('Remove the plugin and its calls, or build the app with Cordova’s own tools.');
  const next =
    obstacle === undefined
      ? others
      : sentence('Cordova has its code, but can’t compile it for Android on this computer. {0}', obstacle);
  return fails('pluginNotSupported', message, {
    ...getSubject(plugin),
    next,
    remedies: getRemedies(plugin, isForEngine),
  });
}

/** Returns a note for a declared plugin that the app works without. */
function noteOn(plugin: NamedPlugin, use: PluginUse | undefined, isMissing: boolean): readonly ProjectFinding[] {
  const { name } = plugin;
  const why = harmlessPlugin(currentName(name));
  const isHarmless = why !== undefined && why !== 'builtIn';
  if (!isHarmless && (!isMissing || use?.isTested === false)) {
    return [];
  }
  const [message, short] = isHarmless
    ? [sentence('{0} isn’t in the package. The app doesn’t need it there.', name), sentence('not needed here')]
    : use === undefined
      ? [sentence('{0} isn’t in the package. The app doesn’t call it.', name), sentence('not called')]
      : [
          sentence('{0} isn’t in the package. The app checks for it before it calls it.', name),
          sentence('called only if available'),
        ];
  return [fine('pluginNotSupported', message, { ...getSubject(plugin), short })];
}

function lackFinding(plugin: string, { call, path, line }: PluginUse, isNamed: boolean): ProjectFinding {
  const message = sentence('The app calls {1} from {0}, which isn’t in the package.', plugin, call);
  const details = { about: plugin, short: sentence('not in the package'), next: getNextStep(plugin, isNamed) };
  return mayFail('pluginNotSupported', message, { ...details, location: lineIn(path, line) });
}

/**
 * Returns the next step for a plugin that the package lacks.
 *
 * @param isNamed whether the project declares the plugin
 */
function getNextStep(plugin: string, isNamed: boolean): Sentence {
  if (getNativePlugin(plugin) !== undefined) {
    return isNamed
      ? sentence('Run “npm install” in the project to get the plugin’s JavaScript.')
      : sentence('Add the plugin to the project with “npm install {0}”.', currentName(plugin));
  }
  return sentence('Use a web API instead, or check for the plugin before you call it.');
}
