import { sentence } from '../../api/errors/sentence.ts';
import { BUILTIN_BUILDER, builderOf, type BuilderSupport } from '../../apps/model/builderSupport.ts';
import { currentName, harmlessPlugin } from '../../formats/cordovaPlugins.ts';
import { isOnNpm } from '../../formats/pluginCalls.ts';
import type { ConfigFacts } from './configFile.ts';
import type { ProjectFinding } from './finding.ts';
import { builtinPluginFindings, type NamedPlugin, type PluginFacts } from './pluginCheck.ts';

/** What the service can and cannot build of an app. @param platforms that would be built */
export function supportFindings(
  platforms: readonly string[],
  support: BuilderSupport,
  plugins: PluginFacts | undefined,
): ProjectFinding[] {
  const reasons = new Map(support.platforms.map(({ platform, unavailable }) => [platform, unavailable]));
  const isBuildable = (platform: string): boolean => reasons.get(platform) === undefined;
  const buildable = platforms.filter(isBuildable);
  const unavailable = platforms.flatMap((platform): ProjectFinding[] => {
    const reason = reasons.get(platform);
    return reason === undefined
      ? []
      : [
          {
            code: 'platformUnavailable',
            verdict: 'fails',
            message: sentence('The service cannot build for {0}: {1}', platform, reason),
            platform,
          },
        ];
  });
  const used = (plugins?.named ?? []).filter(({ platform }) => platform === undefined || buildable.includes(platform));
  const builder = buildable.includes('android') ? builderOf(support, 'android') : support.builder;
  const found = !(plugins && buildable.length > 0)
    ? []
    : builder === BUILTIN_BUILDER
      ? builtinPluginFindings({ ...plugins, named: used }, support)
      : plugins.areSent
        ? used.flatMap((plugin) => pluginFindings(plugin, support))
        : [];
  const all: readonly ProjectFinding[] = [...unavailable, ...found];
  return [...all, ...fineFindings(buildable, used, support, all)];
}

/** A plugin that the service does not have, or that lacks what it is given its values by. */
function pluginFindings({ name, variables, platform, place }: NamedPlugin, support: BuilderSupport): ProjectFinding[] {
  const about = { verdict: 'fails', place, ...(platform !== undefined && { platform }) } as const;
  if (support.plugins === undefined) {
    return [];
  }
  const current = currentName(name);
  const plugin =
    support.plugins.find((each) => each.name === name) ?? support.plugins.find((each) => each.name === current);
  if (plugin === undefined && harmlessPlugin(current) !== undefined) {
    return [];
  }
  if (plugin === undefined) {
    return [
      {
        ...about,
        code: 'pluginNotSupported',
        message: sentence('The service does not have the plugin {0}.', name),
        ...(support.builder === 'cordova' && isOnNpm(current)
          ? { offers: 'engine', next: sentence('Run “Install Build Engine…” to get it from npm, or remove it.') }
          : { next: sentence('Ask for it where the service is run, or remove it.') }),
      },
    ];
  }
  const missing = plugin.variables.filter((variable) => (variables[variable] ?? '') === '');
  const odd = Object.entries(variables).filter(
    ([key, value]) => !VARIABLE_NAME.test(key) || !VARIABLE_VALUE.test(value),
  );
  return [
    ...missing.map((variable): ProjectFinding => ({
      ...about,
      code: 'pluginVariable',
      message: sentence('The plugin {0} requires a value for {1}.', name, variable),
      next: sentence('Give it with <variable name="{0}" value="…"/> inside the element of the plugin.', variable),
    })),
    ...odd.map(([variable]): ProjectFinding => ({
      ...about,
      code: 'pluginVariable',
      message: sentence('The service does not take the variable “{0}” of the plugin {1} as it is.', variable, name),
      next: sentence(
        'Names are of capital letters, digits and underscores; values of letters, digits and . , : / @ + = -',
      ),
    })),
  ];
}

/** Variables that the service passes on to a plugin. */
const VARIABLE_NAME = /^[A-Z_][A-Z0-9_]{0,99}$/;
const VARIABLE_VALUE = /^[\w .,:/@+=-]{0,500}$/;

function fineFindings(
  buildable: readonly string[],
  plugins: readonly NamedPlugin[],
  { builder, plugins: installed }: BuilderSupport,
  findings: readonly ProjectFinding[],
): readonly ProjectFinding[] {
  const hasPlugins = installed !== undefined && plugins.length > 0 && !findings.some(({ code }) => isAboutPlugin(code));
  return [
    ...(buildable.length === 0 || builder === undefined
      ? []
      : [
          {
            code: 'platformUnavailable',
            verdict: 'fine',
            message: sentence('The service builds for {0}.', buildable),
          } as const,
        ]),
    ...(hasPlugins
      ? [
          {
            code: 'pluginNotSupported',
            verdict: 'fine',
            message: sentence('The service has the plugins of the app.'),
          } as const,
        ]
      : []),
  ];
}

function isAboutPlugin(code: ProjectFinding['code']): boolean {
  return code === 'pluginNotSupported' || code === 'pluginVariable';
}

/**
 * Says that the upload gives the app another identifier.
 *
 * @param packageId that the app has at the service.
 */
export function idFindings(facts: ConfigFacts | undefined, packageId: string | undefined): ProjectFinding[] {
  if (facts?.id === undefined || facts.id === '' || packageId === undefined || facts.id === packageId) {
    return [];
  }
  return [
    {
      code: 'idChanges',
      verdict: 'mayFail',
      message: sentence(
        'The app has the id {0} at the service, and {1} in config.xml: devices take it for another app.',
        packageId,
        facts.id,
      ),
      next: sentence('The upload changes the id at the service. Correct config.xml when that is not wanted.'),
      ...(facts.idPlace && { place: facts.idPlace }),
    },
  ];
}
