import { sentence } from '../../api/errors/sentence.ts';
import type { PackagePlan, PlannedFile } from '../packing/packageContents.ts';
import { join } from '../packing/paths.ts';
import { memberOf, parseObject, readPackageJson } from '../projectJson.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import { TextLines } from '../textLines.ts';
import type { ProjectFinding } from './finding.ts';

interface Plugin {
  /** Of its package. */
  readonly name: string;
  /** Under which its code registers it. */
  readonly registered: string;
}

/** What the pages do with a plugin: register it with code for the web, or without. */
type Use = 'web' | 'native';

/** Packages of Capacitor that are no plugins. */
const NO_PLUGIN = /^@capacitor\/(?:android|assets|cli|core|docgen|ios|electron)$/;
/** Packages of these scopes are taken for plugins when they are not installed. */
const PLUGIN_SCOPE = /^@capacitor(?:-[a-z]+)?\//;
const MAX_SCRIPT_BYTES = 32 * 1024 * 1024;

/**
 * A call with the name of a plugin: `registerPlugin("Camera",{web:…})`, `registerPlugin("Keyboard")`. Bundlers rename the function,
 * and leave the name and the key. Bounded, so that it takes time in proportion to the text.
 */
const REGISTRATION = /\(\s{0,20}["'`](\w{2,60})["'`]\s{0,20}(?:(,\s{0,20}\{\s{0,20}web\s{0,20}:)|[,)])/g;
/** It asks whether there is the plugin, and has an answer for both. */
const QUESTION = 'isPluginAvailable';

/**
 * What becomes of the plugins of a Capacitor project: in the package there is no native code of them, so what has code for the web
 * runs, and what has none fails when it is called.
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
  const plugins = await pluginsOf(folder);
  if (plugins.length === 0) {
    return [];
  }
  const uses = await usesIn(
    folder,
    files.filter(({ path }) => /\.[cm]?js$/i.test(path)),
  );
  const text = (await folder.text('package.json')) ?? '';
  const native = plugins.filter(({ registered }) => uses.get(registered) === 'native');
  const web = plugins.filter(({ registered }) => uses.get(registered) === 'web').map(({ name }) => name);
  return [
    ...native.map((plugin) => nativeFinding(plugin, text)),
    ...(web.length === 0
      ? []
      : [
          {
            code: 'capacitorPlugin',
            verdict: 'fine',
            message: sentence('These plugins of Capacitor run with their code for the web: {0}', web),
          } as const,
        ]),
  ];
}

function nativeFinding({ name }: Plugin, packageJson: string): ProjectFinding {
  const offset = packageJson.indexOf(JSON.stringify(name));
  const lines = new TextLines(packageJson);
  const place =
    offset < 0
      ? { path: 'package.json' }
      : {
          path: 'package.json',
          start: lines.positionAt(offset),
          end: lines.positionAt(offset + JSON.stringify(name).length),
        };
  return {
    code: 'capacitorPlugin',
    verdict: 'fails',
    message: sentence('The plugin {0} has no code for the web, so what the app asks of it fails in the package.', name),
    next: sentence(
      'Take the plugin out of the app, or build the project of Capacitor for the platform with its own tools: “{0}”.',
      'npx cap build',
    ),
    place,
  };
}

async function pluginsOf(folder: ProjectFolder): Promise<readonly Plugin[]> {
  const names = (await readPackageJson(folder))?.dependencies ?? [];
  const plugins = await Promise.all(
    names
      .filter((name) => !NO_PLUGIN.test(name))
      .map(async (name): Promise<readonly Plugin[]> => {
        const installed = await installedPackage(folder, name);
        if (installed === undefined) {
          return PLUGIN_SCOPE.test(name) ? [{ name, registered: usualName(name) }] : [];
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
  const uses = new Map<string, Use>();
  let left = MAX_SCRIPT_BYTES;
  for (const { path, sizeBytes } of scripts) {
    left -= sizeBytes;
    if (left < 0) {
      break;
    }
    const text = new TextDecoder().decode(await folder.bytes(path, sizeBytes));
    for (const { index, 1: name = '', 2: web } of text.matchAll(REGISTRATION)) {
      if (web !== undefined) {
        uses.set(name, 'web');
      } else if (!uses.has(name) && !text.startsWith(QUESTION, index - QUESTION.length)) {
        uses.set(name, 'native');
      }
    }
  }
  return uses;
}
