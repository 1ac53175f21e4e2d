import { sentence, withArguments, type Sentence } from '../../api/errors/sentence.ts';
import type { PackagePlan, PlannedFile } from '../packing/packageContents.ts';
import { join } from '../paths.ts';
import { MAX_SEARCHED_BYTES } from '../limits.ts';
import { memberOf, parseObject, readPackageJson } from '../projectJson.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import { readCapacitorConfig } from '../tools/buildTools.ts';
/**
 * The plugins, by package: which work, which functions they lack, or which package they need. WebView has no `navigator.share`,
 * `Notification`, `PushManager`, `speechSynthesis`, Web Bluetooth or `screen.orientation.lock`, and doesn't let pages read the clipboard.
 * Google and Facebook refuse sign-ins there.
 *
 * Sources: the code for the web of each package, Capacitor 8; @mdn/browser-compat-data, `webview_android`.
 */
import table from './capacitorPlugins.json' with { type: 'json' };
import { fine, lineIn, mayFail, placeOfWords, type ProjectFinding, type ProjectPlace } from './finding.ts';

/** How a Capacitor plugin works in a package, with only WebView and its code for the web. */
type PluginAbility =
  | { readonly kind: 'works' }
  /** It does nothing, and apps work without it. */
  | { readonly kind: 'harmless' }
  /** Every call to it fails or does nothing. */
  | { readonly kind: 'missing' }
  /** It works except for these functions. */
  | { readonly kind: 'lacks'; readonly functions: readonly string[] }
  /** It needs this package to work fully. */
  | { readonly kind: 'needs'; readonly package: string }
  /** `{0}` is the plugin. */
  | { readonly kind: 'differs'; readonly verdict: 'fine' | 'mayFail'; readonly how: Sentence };

const STORAGE = {
  verdict: 'mayFail',
  how: sentence('{0} stores its values without encryption in the package.'),
} as const;

/** Plugins that the table can't describe. */
const DIFFERENT: Readonly<Record<string, Omit<Extract<PluginAbility, { kind: 'differs' }>, 'kind'>>> = {
  '@aparajita/capacitor-secure-storage': STORAGE,
  'capacitor-secure-storage-plugin': STORAGE,
  '@capacitor/browser': {
    verdict: 'fine',
    how: sentence('{0} opens the phone’s browser, and reports no events.'),
  },
  '@capacitor/filesystem': {
    verdict: 'fine',
    how: sentence('{0} keeps files in the storage of the pages, where other apps can’t see them.'),
  },
};

const CAPACITOR_PLUGINS: ReadonlyMap<string, PluginAbility> = new Map(
  Object.entries(table.plugins).map(([name, ability]) => [name, readAbility(name, ability)]),
);

function readAbility(
  name: string,
  ability: string | { readonly needs?: string; readonly lacks?: readonly string[] },
): PluginAbility {
  const different = DIFFERENT[name];
  if (different !== undefined) {
    return { kind: 'differs', ...different };
  }
  if (typeof ability === 'string') {
    return { kind: ability === 'works' || ability === 'harmless' ? ability : 'missing' };
  }
  return ability.needs === undefined
    ? { kind: 'lacks', functions: ability.lacks ?? [] }
    : { kind: 'needs', package: ability.needs };
}

/** Plugins that register only a name. For the others, a call with only their name isn't a registration. */
const REGISTERED_BY_NAME: ReadonlySet<string> = new Set(table.registeredByName);

/** The names that plugins register, if they differ from the names of their packages. */
const REGISTERED_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(table.registeredNames));

interface Plugin {
  /** Of its package. */
  readonly name: string;
  /** Under which its code registers it. */
  readonly registered: string;
}

/** How the scripts of the pages use a plugin. */
interface Use {
  /**
   * What it's registered with: only its name, which other functions may be called with, too; an object without code that runs here; or
   * code for the web or for Android, which both run here.
   */
  readonly by: 'name' | 'object' | 'code';
  /** Whether any script calls its function of this name. */
  readonly calls: (name: string) => boolean;
  /** Whether the script that registers it calls that function. */
  readonly isCalledHere: (name: string) => boolean;
}

/** Packages of Capacitor that are no plugins. */
const NO_PLUGIN = /^@capacitor\/(?:android|assets|cli|core|docgen|ios|electron)$/;
/** Packages of these scopes are taken for plugins when they are not installed. */
const PLUGIN_SCOPE = /^@capacitor(?:-[a-z]+)?\//;

/**
 * A call with the name of a plugin: `registerPlugin("Camera",{web:…})`, `registerPlugin("Keyboard")`. Bundlers rename the function,
 * and leave the name and the keys. Bounded, so that it takes time in proportion to the text.
 */
const REGISTRATION = /\(\s{0,20}["'`](\w{2,60})["'`]\s{0,20}(?:(,\s{0,20}\{)|[,)])/g;
/** In the object after the name: a WebView runs the code of these keys. */
const CODE_KEY = /\b(?:web|android)\s{0,20}:/;
/** Before the call: the variable that gets the plugin. */
const VARIABLE = /([A-Za-z_$][\w$]{0,60})\s{0,5}=[\w$.,()\s]{0,60}$/;
/** It asks whether there is the plugin, and has an answer for both. */
const QUESTION = 'isPluginAvailable';
/** A plugin of Capacitor itself, which every app has. */
const HTTP = 'CapacitorHttp';
/** Shorter names are too common to show which plugin has the function. */
const MIN_TELLING_LENGTH = 5;

/**
 * How the plugins work that the pages of a Capacitor project use. In the package, they have WebView and their code for the web, but no
 * native code.
 *
 * @param folder of the project: packages may be installed above it
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
  const plugins = await pluginsOf(folder, packages);
  const uses = await usesIn(
    folder,
    files.filter(({ path }) => /\.[cm]?js$/i.test(path)),
  );
  const text = (await folder.text('package.json')) ?? '';
  const place = (name: string): ProjectPlace =>
    placeOfWords('package.json', text, JSON.stringify(name)) ?? { path: 'package.json' };
  const works: string[] = [];
  const harmless: string[] = [];
  const findings: ProjectFinding[] = [];
  for (const plugin of plugins) {
    const { name, registered } = plugin;
    const use = uses.get(registered);
    if (use === undefined || (use.by === 'name' && CAPACITOR_PLUGINS.has(name) && !REGISTERED_BY_NAME.has(name))) {
      continue;
    }
    const outcome = outcomeOf(plugin, use, packages, place(name));
    if (typeof outcome === 'string') {
      (outcome === 'works' ? works : harmless).push(name);
    } else {
      findings.push(outcome);
    }
  }
  return [
    ...(await httpFindings(folder, uses)),
    ...findings,
    ...listed(works, (names) => sentence('These Capacitor plugins run with their code for the web: {0}', names)),
    ...listed(harmless, (names) =>
      sentence('These Capacitor plugins do nothing in the package, and the app works without them: {0}', names),
    ),
  ];
}

/** Warns if the pages use Capacitor's HTTP client, which would send its requests from native code: by its functions, or as `fetch`. */
async function httpFindings(folder: ProjectFolder, uses: ReadonlyMap<string, Use>): Promise<readonly ProjectFinding[]> {
  const found = await readCapacitorConfig(folder);
  if (found === undefined) {
    return [];
  }
  const enabled = found.at('plugins', HTTP, 'enabled');
  const isEnabled = enabled.kind === 'literal' && enabled.value === true;
  const use = uses.get(HTTP);
  if (!isEnabled && !['get', 'post', 'request'].some((name) => use?.isCalledHere(name))) {
    return [];
  }
  const message = sentence(
    'In the package, {0} sends requests the way a page does, so servers have to allow the app’s origin (CORS).',
    HTTP,
  );
  const place = isEnabled ? lineIn(found.file, enabled.line) : { path: found.file };
  return [mayFail('capacitorPlugin', message, { place })];
}

/** How a plugin works: it's listed with others, or has a finding of its own. @param packages that the project depends on */
function outcomeOf(
  { name, registered }: Plugin,
  use: Use,
  packages: readonly string[],
  place: ProjectPlace,
): 'works' | 'harmless' | ProjectFinding {
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
        { next, place },
      );
    case 'lacks': {
      const failing = ability.functions.filter((each) => use.calls(each)).map((each) => `${registered}.${each}`);
      const message = sentence('{0} works only in part in the package. These calls fail: {1}', name, failing);
      return failing.length === 0 ? 'works' : mayFail('capacitorPlugin', message, { next, place });
    }
    case 'needs': {
      const { package: needed } = ability;
      const message = sentence(
        '{0} doesn’t fully work in the package without {1}, which the app doesn’t have.',
        name,
        needed,
      );
      const install = sentence('Install {0}, and add it to your pages as described in its documentation.', needed);
      return packages.includes(needed) ? 'works' : mayFail('capacitorPlugin', message, { next: install, place });
    }
    case 'differs':
      return { code: 'capacitorPlugin', verdict: ability.verdict, message: withArguments(ability.how, name), place };
  }
}

function listed(names: readonly string[], message: (names: readonly string[]) => Sentence): readonly ProjectFinding[] {
  return names.length === 0 ? [] : [fine('capacitorPlugin', message(names))];
}

async function pluginsOf(folder: ProjectFolder, packages: readonly string[]): Promise<readonly Plugin[]> {
  const plugins = await Promise.all(
    packages
      .filter((name) => !NO_PLUGIN.test(name))
      .map(async (name): Promise<readonly Plugin[]> => {
        const known = REGISTERED_NAMES.get(name);
        if (known !== undefined) {
          return [{ name, registered: known }];
        }
        const installed = await installedPackage(folder, name);
        if (installed === undefined) {
          const isPlugin = CAPACITOR_PLUGINS.has(name) || PLUGIN_SCOPE.test(name);
          return isPlugin ? [{ name, registered: usualName(name) }] : [];
        }
        const isPlugin = memberOf(parseObject(await installed.text('package.json')), 'capacitor') !== undefined;
        const source = isPlugin ? ((await installed.text('dist/esm/index.js')) ?? '') : '';
        const registered = /registerPlugin\(\s{0,20}["'](\w{2,60})["']/.exec(source)?.[1] ?? usualName(name);
        return isPlugin ? [{ name, registered }] : [];
      }),
  );
  return plugins.flat();
}

/** `@capacitor/status-bar` registers `StatusBar`. */
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

/** How the pages use plugins, by the names under which these are registered. */
async function usesIn(folder: ProjectFolder, scripts: readonly PlannedFile[]): Promise<ReadonlyMap<string, Use>> {
  const texts: string[] = [];
  for (const { path, sizeBytes } of scripts) {
    texts.push(new TextDecoder().decode(await folder.bytes(path, Math.min(sizeBytes, MAX_SEARCHED_BYTES))));
  }
  const uses = new Map<string, Use>();
  for (const text of texts) {
    const registrations = [...text.matchAll(REGISTRATION)];
    for (const [at, { 0: call, index, 1: name = '', 2: object }] of registrations.entries()) {
      const start = index + call.length;
      const keys = text.slice(start, Math.min(start + 300, registrations[at + 1]?.index ?? text.length));
      const by = object === undefined ? 'name' : CODE_KEY.test(keys) ? 'code' : 'object';
      const known = uses.get(name)?.by;
      const isBetter = by === 'code' || known === undefined || (by === 'object' && known === 'name');
      if (!isBetter || text.startsWith(QUESTION, index - QUESTION.length)) {
        continue;
      }
      const variable = VARIABLE.exec(text.slice(Math.max(0, index - 140), index))?.[1];
      const isCalledHere = (called: string) => variable !== undefined && has(text, `${variable}.${called}(`);
      const isUsedHere = variable !== undefined && has(text, `${variable}.`);
      const calls = (called: string) => (isUsedHere ? isCalledHere(called) : isCalledInAny(called, texts));
      uses.set(name, { by, isCalledHere, calls });
    }
  }
  return uses;
}

/** If the script that registers a plugin doesn't use it, another script does, under a name that isn't known. */
function isCalledInAny(name: string, scripts: readonly string[]): boolean {
  return name.length >= MIN_TELLING_LENGTH && scripts.some((each) => each.includes(`.${name}(`));
}

/** Whether a text has these words, and not only as the end of a longer name. */
function has(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!/[\w$.]/.test(text[at - 1] ?? '')) {
      return true;
    }
  }
  return false;
}
