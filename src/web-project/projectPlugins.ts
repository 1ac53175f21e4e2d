/** Finds the Cordova plugins that a project declares, in any of its files, and reads their JavaScript. */
import { posix } from 'node:path';

import {
  findAttribute,
  getPluginName,
  parseXml,
  type WidgetPart,
  widgetParts,
  type XmlElement,
} from '../config-xml/index.ts';
import {
  currentName,
  getNativePlugin,
  isKnownPlugin,
  isPackageName,
  TextLines,
  type TextPosition,
} from '../android-package/index.ts';
import { CORDOVA_FOLDERS, type ProjectLayout, type MadeFile } from './projectLayout.ts';
import { folderAbove, join } from './paths.ts';
import { getMember, parseObject, textsIn } from './projectJson.ts';
import type { ProjectFolder } from './projectFolder.ts';

/** A plugin that a project declares. */
export interface ProjectPlugin {
  readonly name: string;
  /** Version, range, or Git address. Undefined if the declaration doesn't have one, or has a path on this computer. */
  readonly spec: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** Platform of the `<platform>` element that contains the declaration. Undefined for all platforms. */
  readonly platform: string | undefined;
  /** Location of the declaration. The path is relative to the project. Without `start`, it's the whole file. */
  readonly location: { readonly path: string; readonly start?: TextPosition; readonly end?: TextPosition };
}

/** A module in Cordova's list of plugins. */
interface CordovaModule {
  readonly id: string;
  readonly file: string;
  readonly pluginId: string;
  readonly clobbers?: readonly string[];
  readonly merges?: readonly string[];
  readonly defaults?: readonly string[];
  readonly runs?: true;
}

/** Folders that may contain a Cordova project. */
const FOLDERS = ['', ...CORDOVA_FOLDERS];

/**
 * Returns the plugins that a project declares. Searches config.xml, package.json (Ionic 1, and Cordova since 2019),
 * nested Cordova projects, and the `plugins` folder. Lists each plugin once by its current name, with its first
 * declaration.
 *
 * @throws CancelledError
 */
export async function projectPlugins(
  folder: ProjectFolder,
  layout: Pick<ProjectLayout, 'config'>,
): Promise<readonly ProjectPlugin[]> {
  const configs = [
    ...(layout.config === undefined ? [] : [layout.config]),
    ...CORDOVA_FOLDERS.map((path) => join(path, 'config.xml')),
  ];
  const found = [
    ...(await Promise.all([...new Set(configs)].map((path) => readConfigPlugins(folder, path)))),
    ...(await Promise.all(FOLDERS.map((path) => readPackagePlugins(folder, join(path, 'package.json'))))),
    ...(await Promise.all(FOLDERS.map((path) => addedPlugins(folder, join(path, 'plugins'))))),
  ].flat();
  const names = new Set<string>();
  return found.filter(({ name, location }) => {
    const current = currentName(name);
    // Elements for different platforms can declare the same plugin.
    const isKnown = names.has(current) && location.path !== layout.config;
    names.add(current);
    return !isKnown;
  });
}

/**
 * Returns the project's plugins that its config.xml doesn't declare.
 *
 * @throws CancelledError
 */
export async function pluginsBesideConfig(
  folder: ProjectFolder,
  { config }: Pick<ProjectLayout, 'config'>,
): Promise<readonly ProjectPlugin[]> {
  return (await projectPlugins(folder, { config })).filter(({ location }) => location.path !== config);
}

/**
 * Returns the global variables that an installed plugin defines on Android (`<clobbers>`). Returns undefined if the
 * plugin isn't installed.
 *
 * @throws CancelledError
 */
export async function readClobbers(folder: ProjectFolder, name: string): Promise<readonly string[] | undefined> {
  const file = await installedFile(folder, name);
  const document = file && parseXml((await file.folder.readText(file.path)) ?? '');
  if (document?.root === undefined) {
    return undefined;
  }
  const modules = widgetParts(document).filter(
    (part) => part.name === 'js-module' && (part.platform === undefined || part.platform === 'android'),
  );
  return modules
    .flatMap(({ element }) => element.children)
    .filter((child) => child.name === 'clobbers' || child.name === 'merges')
    .flatMap((child) => findAttribute(child, 'target')?.value ?? []);
}

/**
 * Reads the JavaScript of the plugins whose native code packages can contain, and of their dependencies.
 *
 * @param names names of the declared plugins
 * @returns files for the pages folder, or an empty array if no installed plugin has JavaScript
 * @throws CancelledError
 */
export async function readPluginScripts(folder: ProjectFolder, names: readonly string[]): Promise<readonly MadeFile[]> {
  const scripts = new Map<string, string>();
  const modules = new Map<string, CordovaModule>();
  const versions = new Map<string, string>();
  const waiting = names.filter((name) => getNativePlugin(name) !== undefined);
  const seen = new Set<string>();
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const file = await installedFile(folder, name);
    const document = parseXml((file && (await file.folder.readText(file.path))) ?? '');
    const id = document.root === undefined ? '' : (findAttribute(document.root, 'id')?.value ?? '');
    // The ID becomes part of paths in the package.
    if (file === undefined || !isPackageName(id) || seen.has(currentName(name))) {
      continue;
    }
    seen.add(currentName(name));
    versions.set(id, (document.root && findAttribute(document.root, 'version')?.value) ?? '');
    const plugin = file.folder.subfolder(folderAbove(file.path));
    const parts = widgetParts(document).filter(({ platform }) => platform === undefined || platform === 'android');
    for (const part of parts) {
      if (part.name === 'dependency') {
        const needed = findAttribute(part.element, 'id')?.value ?? '';
        waiting.push(...(getNativePlugin(needed) === undefined ? [] : [needed]));
        continue;
      }
      const found = part.name === 'js-module' ? await readModule(plugin, id, part) : undefined;
      if (found !== undefined && !modules.has(found.module.id)) {
        const { module, script } = found;
        modules.set(module.id, module);
        // A file can define several modules.
        scripts.set(module.file, (scripts.get(module.file) ?? '') + script);
      }
    }
  }
  if (modules.size === 0) {
    return [];
  }
  const list =
    "cordova.define('cordova/plugin_list', function (require, exports, module) {\n" +
    `module.exports = ${JSON.stringify([...modules.values()], undefined, 2)};\n` +
    `module.exports.metadata = ${JSON.stringify(Object.fromEntries(versions), undefined, 2)};\n});\n`;
  return [['cordova_plugins.js', list] as const, ...scripts].map(([path, text]) => ({
    path,
    bytes: Buffer.from(text),
  }));
}

/**
 * Returns the plugin.xml of a plugin that's installed in a project or in a folder above it, or undefined if it isn't
 * installed.
 *
 * @throws CancelledError
 */
export async function installedFile(
  project: ProjectFolder,
  name: string,
): Promise<{ readonly folder: ProjectFolder; readonly path: string } | undefined> {
  if (!isPackageName(name)) {
    return undefined;
  }
  const names = [...new Set([name, currentName(name)])];
  const own = FOLDERS.flatMap((path) =>
    names.flatMap((each) => [`node_modules/${each}`, `plugins/${each}`].map((below) => join(path, below))),
  );
  const locations = [
    ...own.map((path) => ({ folder: project, path: join(path, 'plugin.xml') })),
    ...project.above().flatMap((folder) => names.map((each) => ({ folder, path: `node_modules/${each}/plugin.xml` }))),
  ];
  for (const location of locations) {
    if (await location.folder.isFile(location.path)) {
      return location;
    }
  }
  return undefined;
}

const PLUGIN_NAME = /(?:^|[-/])(?:cordova|phonegap)-plugin(?:-|$)|^cordova-[\w-]{1,100}-plugin$/;
/** Matches packages with types or wrappers for plugins, which contain a plugin's name. */
const NO_PLUGIN = /^@(?:types|ionic-native|awesome-cordova-plugins)\//;

async function readConfigPlugins(folder: ProjectFolder, path: string): Promise<readonly ProjectPlugin[]> {
  const text = await folder.readText(path);
  if (text === undefined) {
    return [];
  }
  const lines = new TextLines(text);
  return widgetParts(parseXml(text)).flatMap(({ element, name: kind, platform }): readonly ProjectPlugin[] => {
    const name = kind === 'plugin' ? getPluginName(element) : '';
    const spec = findAttribute(element, 'spec')?.value ?? findAttribute(element, 'version')?.value;
    const { start, end } = element.startTag;
    const location = { path, start: lines.positionAt(start), end: lines.positionAt(end) };
    return name === ''
      ? []
      : [{ name, spec: spec === '' ? undefined : spec, variables: getVariables(element), platform, location }];
  });
}

/**
 * Returns the values of a plugin's `<variable>` and `<param>` elements, keyed by name. An empty value is replaced by
 * the default.
 */
export function getVariables({ children }: XmlElement): Readonly<Record<string, string>> {
  const value = (child: XmlElement): string =>
    [findAttribute(child, 'value')?.value, findAttribute(child, 'default')?.value].find((text) => text) ?? '';
  return Object.fromEntries(
    children
      .filter(({ name }) => name === 'variable' || name === 'param')
      .map((child) => [findAttribute(child, 'name')?.value ?? '', value(child)]),
  );
}

async function readPackagePlugins(folder: ProjectFolder, path: string): Promise<readonly ProjectPlugin[]> {
  const text = await folder.readText(path);
  const json = parseObject(text);
  if (text === undefined || json === undefined) {
    return [];
  }
  const versions = new Map(['devDependencies', 'dependencies'].flatMap((key) => [...textsIn(getMember(json, key))]));
  const plugins = new Map<string, unknown>();
  for (const name of versions.keys()) {
    if (await isPlugin(folder, name)) {
      plugins.set(name, {});
    }
  }
  const cordova = Object.entries(Object(getMember(getMember(json, 'cordova'), 'plugins')) as object);
  for (const [name, variables] of [...ionicPlugins(getMember(json, 'cordovaPlugins')), ...cordova]) {
    plugins.set(name, variables);
  }
  const lines = new TextLines(text);
  return Array.from(plugins, ([name, variables]) => ({
    name,
    spec: toSpec(versions.get(name)),
    variables: Object.fromEntries(textsIn(variables)),
    platform: undefined,
    location: { path, ...findRange(JSON.stringify(name), text, lines) },
  }));
}

/**
 * Returns the plugins in Ionic 1's list in package.json. An entry is a name, optionally with a version, or an object
 * with an ID.
 */
function ionicPlugins(list: unknown): readonly (readonly [name: string, variables: unknown])[] {
  return (Array.isArray(list) ? list : []).flatMap((each: unknown) => {
    const written = typeof each === 'string' ? each : textsIn(each).get('id')?.trim();
    const name = written?.replace(/(?<=.)@.*$/s, '') ?? '';
    return isPackageName(name) ? [[name, getMember(each, 'variables')] as const] : [];
  });
}

async function isPlugin(folder: ProjectFolder, name: string): Promise<boolean> {
  return (
    !NO_PLUGIN.test(name) &&
    (PLUGIN_NAME.test(name) ||
      isKnownPlugin(name) ||
      getNativePlugin(name) !== undefined ||
      (await installedFile(folder, name)) !== undefined)
  );
}

/** Returns the spec of a plugin, or undefined for a folder on this computer, which a service doesn't have. */
function toSpec(version = ''): string | undefined {
  return version !== '' && !/^(?:file|link|workspace|portal):|^(?:[./]|~\/)/.test(version) ? version : undefined;
}

function findRange(searched: string, text: string, lines: TextLines): Partial<ProjectPlugin['location']> {
  const offset = text.indexOf(searched);
  return offset < 0 ? {} : { start: lines.positionAt(offset), end: lines.positionAt(offset + searched.length) };
}

/** Returns the plugins in the `plugins` folder, except those that Cordova added only as dependencies. */
async function addedPlugins(folder: ProjectFolder, path: string): Promise<readonly ProjectPlugin[]> {
  const noted = parseObject(await folder.readText(join(path, 'fetch.json')));
  const names =
    noted === undefined
      ? await namesBelow(folder.at(join(folder.path, path)))
      : Object.keys(noted).filter(
          (name) => isPackageName(name) && getMember(getMember(noted, name), 'is_top_level') !== false,
        );
  const found: ProjectPlugin[] = [];
  for (const name of names.toSorted()) {
    const file = join(path, `${name}/plugin.xml`);
    if (await folder.isFile(file)) {
      found.push({ name, spec: undefined, variables: {}, platform: undefined, location: { path: file } });
    }
  }
  return found;
}

/** Returns the names of the packages in a folder such as `plugins`, including those with a scope. */
async function namesBelow(folder: ProjectFolder): Promise<readonly string[]> {
  const names = [...(await folder.names())];
  const scopes = names.filter((name) => name.startsWith('@'));
  const scoped = scopes.map(async (scope) =>
    Array.from(await folder.at(join(folder.path, scope)).names(), (name) => `${scope}/${name}`),
  );
  return [...names, ...(await Promise.all(scoped)).flat()];
}

/**
 * Reads a module. Returns undefined if its file is outside the plugin's folder, because a plugin.xml or a link may
 * refer to any file.
 */
async function readModule(
  plugin: ProjectFolder,
  id: string,
  { element }: WidgetPart,
): Promise<{ readonly module: CordovaModule; readonly script: string } | undefined> {
  const src = await plugin.tree.target(findAttribute(element, 'src')?.value ?? '');
  const text = src === undefined ? undefined : await plugin.readText(src);
  if (src === undefined || text === undefined) {
    return undefined;
  }
  const given = findAttribute(element, 'name')?.value ?? '';
  const name = given === '' ? posix.basename(src, posix.extname(src)) : given;
  const targets = (kind: string): readonly string[] =>
    element.children
      .filter((child) => child.name === kind)
      .flatMap((child) => findAttribute(child, 'target')?.value ?? []);
  const ways = (['clobbers', 'merges', 'defaults'] as const).flatMap((kind) => {
    const found = targets(kind);
    return found.length === 0 ? [] : [[kind, found] as const];
  });
  const module: CordovaModule = {
    id: `${id}.${name}`,
    file: `plugins/${id}/${src}`,
    pluginId: id,
    ...Object.fromEntries(ways),
    ...(element.children.some((child) => child.name === 'runs') && { runs: true }),
  };
  const script = `cordova.define(${JSON.stringify(module.id)}, function (require, exports, module) {\n${text}\n});\n`;
  return { module, script };
}
