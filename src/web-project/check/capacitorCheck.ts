import { getNativePlugin, isCapacitorPlugin } from '../../android-package/index.ts';
import { sentence, type Sentence, valueAlone, withArguments } from '../../errors/index.ts';
import type { PackagePlan } from '../packing/packageContents.ts';
import { join } from '../paths.ts';
import { getMember, parseObject, readPackageJson } from '../projectJson.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import { callsHttp, findEnabledHttp, HTTP, findPluginCalls, type PluginCalls } from '../capacitorProject.ts';
/**
 * Checks Capacitor plugins against a table that describes, for each package, whether it works, which functions it
 * lacks, or which package it needs. WebView doesn't have `navigator.share`, `Notification`, `PushManager`,
 * `speechSynthesis`, Web Bluetooth, or `screen.orientation.lock`, and pages can't read the clipboard. Google and
 * Facebook reject sign-ins in a WebView.
 *
 * Sources: the web code of each package for Capacitor 8, and `webview_android` in @mdn/browser-compat-data.
 */
import table from './capacitorPlugins.json' with { type: 'json' };
import { fine, lineIn, mayFail, findWords, type ProjectFinding, type ProjectLocation } from './projectFinding.ts';

/** Behavior of a Capacitor plugin in a package that contains only the plugin's web code. */
type PluginAbility =
  | { readonly kind: 'works' }
  /** The plugin does nothing, but apps work without it. */
  | { readonly kind: 'harmless' }
  /** Every call to the plugin fails or does nothing. */
  | { readonly kind: 'missing' }
  /** The plugin works, except for these functions. */
  | { readonly kind: 'lacks'; readonly functions: readonly string[] }
  /** The plugin works differently. `{0}` is its name. */
  | { readonly kind: 'differs'; readonly verdict: 'fine' | 'mayFail'; readonly how: Sentence };

const STORAGE = {
  verdict: 'mayFail',
  how: sentence('{0} stores its values without encryption in the package.'),
} as const;

/** Plugins that need more description than the table allows. */
const DIFFERENT: Readonly<Record<string, Omit<Extract<PluginAbility, { kind: 'differs' }>, 'kind'>>> = {
  '@aparajita/capacitor-secure-storage': STORAGE,
  'capacitor-secure-storage-plugin': STORAGE,
};

const CAPACITOR_PLUGINS: ReadonlyMap<string, PluginAbility> = new Map(
  Object.entries(table.plugins).map(([name, ability]) => [name, readAbility(name, ability)]),
);

function readAbility(name: string, ability: string | { readonly lacks: readonly string[] }): PluginAbility {
  const different = DIFFERENT[name];
  if (different !== undefined) {
    return { kind: 'differs', ...different };
  }
  if (typeof ability === 'string') {
    return { kind: ability === 'works' || ability === 'harmless' ? ability : 'missing' };
  }
  return { kind: 'lacks', functions: ability.lacks };
}

/** Known plugins that register with only a name. For other known plugins, such a call isn't a registration. */
const REGISTERED_BY_NAME: ReadonlySet<string> = new Set(table.registeredByName);

/** Registered names of the plugins whose packages have a different name. */
const REGISTERED_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(table.registeredNames));

interface CapacitorPlugin {
  /** Name of the plugin's package. */
  readonly name: string;
  /** Name that the plugin's code registers. */
  readonly registered: string;
}

/** Matches Capacitor packages that aren't plugins. */
const NO_PLUGIN = /^@capacitor\/(?:android|assets|cli|core|docgen|ios|electron)$/;

/**
 * Reports how the plugins of a Capacitor project work in the package: with native code, or with their web code in
 * WebView.
 *
 * @param folder the project folder. Packages may be installed above it
 * @throws CancelledError
 */
export async function capacitorFindings(
  folder: ProjectFolder,
  { layout, files }: Pick<PackagePlan, 'layout' | 'files'>,
): Promise<readonly ProjectFinding[]> {
  if (layout.kind !== 'capacitor') {
    return [];
  }
  const packages = (await readPackageJson(folder))?.dependencies ?? [];
  const plugins = await readPlugins(folder, packages);
  const uses = await findPluginCalls(folder, files);
  const text = (await folder.readText('package.json')) ?? '';
  const location = (name: string): ProjectLocation =>
    findWords('package.json', text, JSON.stringify(name)) ?? { path: 'package.json' };
  const listedAs: Readonly<Record<'native' | 'works' | 'harmless', string[]>> = { native: [], works: [], harmless: [] };
  const findings: ProjectFinding[] = [];
  if (callsHttp(uses)) {
    listedAs.native.push(HTTP);
  }
  for (const plugin of plugins) {
    const { name, registered } = plugin;
    const use = uses.get(registered);
    if (use === undefined || (use.by === 'name' && isKnown(name) && !REGISTERED_BY_NAME.has(name))) {
      continue;
    }
    const outcome = getPluginOutcome(plugin, use, location(name));
    if (typeof outcome === 'string') {
      listedAs[outcome].push(name);
    } else {
      findings.push(outcome);
    }
  }
  return [
    ...(await httpFindings(folder)),
    ...findings,
    ...listed(
      listedAs.native,
      (names) => sentence('The package contains the native code for these Capacitor plugins: {0}', names),
      sentence('native code included'),
    ),
    ...listed(
      listedAs.works,
      (names) => sentence('These Capacitor plugins work with their web implementation: {0}', names),
      sentence('web implementation'),
    ),
    ...listed(
      listedAs.harmless,
      (names) => sentence('These Capacitor plugins do nothing in the package. The app works without them: {0}', names),
      sentence('not needed here'),
    ),
  ];
}

/**
 * Warns if Capacitor's HTTP client is enabled. Capacitor sends `fetch` requests through it, but the package doesn't.
 */
async function httpFindings(folder: ProjectFolder): Promise<readonly ProjectFinding[]> {
  const enabled = await findEnabledHttp(folder);
  const message = sentence(
    'In the package, {0} and {1} send requests the way a page does, even with {2} enabled, so servers have to allow the app’s origin (CORS).',
    'fetch',
    'XMLHttpRequest',
    HTTP,
  );
  const next = sentence('For other servers, call {0}, which has native code in the package.', `${HTTP}.request`);
  return enabled === undefined
    ? []
    : [
        mayFail('capacitorPlugin', message, {
          about: HTTP,
          short: sentence('doesn’t bypass CORS'),
          next,
          location: lineIn(enabled.file, enabled.line),
        }),
      ];
}

function isKnown(name: string): boolean {
  return CAPACITOR_PLUGINS.has(name) || getNativePlugin(name) !== undefined;
}

/** Returns the outcome for a plugin: either it's listed with similar plugins, or it has a separate finding. */
function getPluginOutcome(
  { name, registered }: CapacitorPlugin,
  use: PluginCalls,
  location: ProjectLocation,
): 'native' | 'works' | 'harmless' | ProjectFinding {
  if (getNativePlugin(name) !== undefined) {
    return 'native';
  }
  const ability = CAPACITOR_PLUGINS.get(name) ?? { kind: use.by === 'code' ? 'works' : 'missing' };
  const next = sentence(
    'Make sure the app works without it, or build the project with Capacitor’s own tools: “{0}”.',
    'npx cap build',
  );
  switch (ability.kind) {
    case 'works':
    case 'harmless':
      return ability.kind;
    case 'missing':
      return mayFail(
        'capacitorPlugin',
        sentence(
          '{0} doesn’t work in the package. Calls to it fail, because it needs native code or a web API that WebView doesn’t have.',
          name,
        ),
        { about: name, next, location },
      );
    case 'lacks': {
      const failing = ability.functions.filter((each) => use.calls(each)).map((each) => `${registered}.${each}`);
      const message = sentence('{0} works only partially in the package. These calls fail: {1}', name, failing);
      const details = { about: name, short: sentence('works only partially'), next, location };
      return failing.length === 0 ? 'works' : mayFail('capacitorPlugin', message, details);
    }
    case 'differs':
      return {
        ...{ code: 'capacitorPlugin', verdict: ability.verdict, message: withArguments(ability.how, name) },
        ...{ about: name, short: sentence('limited'), location },
      };
  }
}

function listed(
  names: readonly string[],
  message: (names: readonly string[]) => Sentence,
  short: Sentence,
): readonly ProjectFinding[] {
  return names.length === 0 ? [] : [fine('capacitorPlugin', message(names), { about: valueAlone(names), short })];
}

async function readPlugins(folder: ProjectFolder, packages: readonly string[]): Promise<readonly CapacitorPlugin[]> {
  const plugins = await Promise.all(
    packages
      .filter((name) => !NO_PLUGIN.test(name))
      .map(async (name): Promise<readonly CapacitorPlugin[]> => {
        const known = REGISTERED_NAMES.get(name) ?? getNativePlugin(name)?.methods.keys().next().value;
        if (known !== undefined) {
          return [{ name, registered: known }];
        }
        const installed = await installedPackage(folder, name);
        if (installed === undefined) {
          const isPlugin = CAPACITOR_PLUGINS.has(name) || isCapacitorPlugin(name);
          return isPlugin ? [{ name, registered: usualName(name) }] : [];
        }
        const isPlugin = getMember(parseObject(await installed.readText('package.json')), 'capacitor') !== undefined;
        const source = isPlugin ? ((await installed.readText('dist/esm/index.js')) ?? '') : '';
        const registered = /registerPlugin\(\s{0,20}["'](\w{2,60})["']/.exec(source)?.[1] ?? usualName(name);
        return isPlugin ? [{ name, registered }] : [];
      }),
  );
  return plugins.flat();
}

/** Returns the name that a plugin usually registers, such as `StatusBar` for `@capacitor/status-bar`. */
function usualName(name: string): string {
  return (name.split('/').at(-1) ?? '')
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

async function installedPackage(project: ProjectFolder, name: string): Promise<ProjectFolder | undefined> {
  for (const folder of [project, ...project.above()]) {
    const installed = project.at(join(folder.path, `node_modules/${name}`));
    if (await installed.isFile('package.json')) {
      return installed;
    }
  }
  return undefined;
}
