import { DEFAULT_START_PAGE, findAttribute, getStartPage, isWidget, type XmlDocument } from '../config-xml/index.ts';
import { folderAbove, isBelow, isServiceScript, join, addressInPage, resolvePath, toPagePath } from './paths.ts';
import type { ProjectFolder } from './projectFolder.ts';
import { BUILD_SCRIPTS, readPackageJson } from './projectJson.ts';
import { type HtmlPage, loadsSources, readPage, type SourceMark } from './htmlPage.ts';
import { TextLines } from '../android-package/index.ts';
import type { ToolKind, ToolProject } from './tools/buildTools.ts';
import { findProjectTools } from './tools/nxProject.ts';
import type { ToolOutput } from './tools/toolFolder.ts';

/** The kind of a project: its tool or its content. */
export type ProjectKind = 'cordova' | 'page' | 'pwa' | ToolKind;

/** The layout of a project. Paths are relative to the project folder and use `/`. */
export interface ProjectLayout {
  readonly kind: ProjectKind;
  /** Name of the app. Undefined unless the folder contains several apps. */
  readonly app: string | undefined;
  /** Path of the config.xml that defines the app. Undefined if the project doesn't have one. */
  readonly config: string | undefined;
  /**
   * Path of the pages folder, which may not exist. Empty if the pages are in the project folder. In a monorepo, it may
   * lead to a folder beside the project, such as `../../dist/apps/shop`.
   */
  readonly pages: string;
  readonly state: PagesState;
}

/** Whether a project's pages can be packaged. */
export type PagesState =
  | { readonly kind: 'built' }
  /** The folder doesn't contain a page, or the page has no content. */
  | { readonly kind: 'notBuilt'; readonly isEmpty?: true }
  /** The page is a source that must be built first. Lines start at 1. */
  | { readonly kind: 'source'; readonly file: string; readonly line: number; readonly mark: SourceMark }
  /**
   * The folder isn't a literal in the tool's configuration, or the tool doesn't create pages that an app can contain.
   * Lines start at 1.
   */
  | Exclude<ToolOutput, { kind: 'folders' }>;

type LayoutPages = Pick<ProjectLayout, 'pages' | 'state'>;

/** Reports whether a tool builds the pages, according to its configuration. */
export function isBuiltByTool({ kind }: Pick<ProjectLayout, 'kind'>): boolean {
  return kind !== 'cordova' && kind !== 'page' && kind !== 'pwa';
}

/** Common folders for pages, the most likely first. */
const USUAL_FOLDERS = ['www', 'dist', 'build', 'out', '.output/public', 'public', '_site'] as const;

/** Folders where projects of other tools keep a Cordova project. Quasar and Vue CLI use the first one. */
export const CORDOVA_FOLDERS = ['src-cordova', 'cordova', 'app', 'mobile'] as const;

/** A preference for the fallback page, which *Save as config.xml* writes. Only the built-in builder reads it. */
export const FALLBACK_PAGE = 'FallbackPage';

/**
 * Returns the projects in a folder: none, one, or the apps of a workspace. This is the only function that decides where
 * the pages are. It reads the configurations of tools without running the tools.
 *
 * @param answer the user's answer for the pages folder, relative to the project. Used if no file specifies the folder,
 *   or if the specified folder has no page
 * @throws CancelledError
 */
export async function findLayouts(folder: ProjectFolder, answer?: string): Promise<readonly ProjectLayout[]> {
  const layouts = await readLayouts(folder, answer);
  const [layout] = layouts;
  if (answer === undefined || layout === undefined || layouts.length > 1 || layout.state.kind === 'built') {
    return layouts;
  }
  const chosen = await firstBuilt(folder, [answer], true);
  return chosen === undefined ? layouts : [{ ...layout, ...chosen }];
}

async function readLayouts(folder: ProjectFolder, answer: string | undefined): Promise<readonly ProjectLayout[]> {
  const names = await folder.names();
  if (names.size === 0) {
    return [];
  }
  const found = await findProjectTools(folder);
  const config = names.has('config.xml') ? await folder.config('config.xml') : undefined;
  // Capacitor packages pages that another tool builds.
  const capacitor = found.find(({ kind }) => kind === 'capacitor');
  if (capacitor !== undefined) {
    const isSaved = config !== undefined && isSavedConfig(config);
    const foundConfig = { app: undefined, config: isSaved ? 'config.xml' : undefined };
    const inner = found.filter(({ kind }) => kind !== 'capacitor');
    const others = inner.flatMap(({ output }) => (output.kind === 'folders' ? output.paths : []));
    const layout = await findToolLayout(folder, capacitor, foundConfig, answer, others);
    if (layout.state.kind !== 'notBuilt') {
      return [layout];
    }
    // The inner tool writes the pages, wherever Capacitor expects them.
    const server = inner.find(({ output }) => output.kind === 'none' && output.outside === undefined)?.output;
    const built = await firstBuilt(folder, others, true);
    return [{ ...layout, ...(built ?? (server?.kind === 'none' && { state: server })) }];
  }
  return config !== undefined && (isWidget(config) || (found.length === 0 && (await hasPage(folder))))
    ? withConfig(folder, config, found, answer)
    : withoutConfig(folder, found, answer);
}

/**
 * Reports whether *Save as config.xml* wrote the config.xml of a Capacitor project. Capacitor doesn't read this file,
 * so any other one is a leftover from before Capacitor.
 */
function isSavedConfig({ root }: XmlDocument): boolean {
  const preferences = root?.children.filter(({ name }) => name === 'preference') ?? [];
  return preferences.some((preference) => findAttribute(preference, 'name')?.value === FALLBACK_PAGE);
}

/**
 * Reports whether the folder has a page that belongs to its config.xml. An invalid config.xml also counts, because a
 * check reports its problems.
 */
async function hasPage(folder: ProjectFolder): Promise<boolean> {
  return (await folder.isFile(join('www', DEFAULT_START_PAGE))) || folder.isFile(DEFAULT_START_PAGE);
}

async function withConfig(
  folder: ProjectFolder,
  config: XmlDocument,
  tools: readonly ToolProject[],
  answer: string | undefined,
): Promise<readonly ProjectLayout[]> {
  const found = { kind: 'cordova', app: undefined, config: 'config.xml' } as const;
  const startPage = getStartPage(config);
  const candidates = await Promise.all(
    ['www', ...(tools.length === 0 ? [''] : [])].map((each) => pagesIn(folder, each)),
  );
  const built = candidates.find(({ state }) => state.kind === 'built');
  if (built !== undefined) {
    return [{ ...found, ...built }];
  }
  for (const { pages } of candidates) {
    // The start page isn't index.html, and only config.xml specifies it.
    if (startPage !== DEFAULT_START_PAGE && (await folder.isFile(join(pages, startPage)))) {
      return [{ ...found, pages, state: { kind: 'built' } }];
    }
  }
  const [tool] = tools;
  const other =
    tool === undefined
      ? candidates.find(({ state }) => state.kind === 'source')
      : await findToolPages(folder, tool, answer);
  if (other !== undefined) {
    return [{ ...found, ...other }];
  }
  return (await folder.names()).has('www') || (isWidget(config) && (await makesPages(folder)))
    ? [{ ...found, pages: 'www', state: { kind: 'notBuilt' } }]
    : [];
}

/** Reports whether package.json indicates that a build creates the `www` folder, which Git usually ignores. */
async function makesPages(folder: ProjectFolder): Promise<boolean> {
  const json = await readPackageJson(folder);
  return (
    json !== undefined &&
    (json.isCordova ||
      BUILD_SCRIPTS.some((name) => json.scripts.has(name)) ||
      json.dependencies.some((name) => /^cordova\b/.test(name)))
  );
}

async function withoutConfig(
  folder: ProjectFolder,
  tools: readonly ToolProject[],
  answer: string | undefined,
): Promise<readonly ProjectLayout[]> {
  const inner = await folder.config('www/config.xml');
  if (inner !== undefined && isWidget(inner) && (await folder.isFile('www/index.html'))) {
    // PhoneGap kept config.xml next to the pages.
    return [{ kind: 'cordova', app: undefined, config: 'www/config.xml', ...(await pagesIn(folder, 'www')) }];
  }
  if (tools.length > 0) {
    const config = await findCordovaConfig(folder);
    return Promise.all(
      tools.map((tool) => {
        const app = tools.length > 1 ? (tool.name ?? tool.kind) : undefined;
        return findToolLayout(folder, tool, { app, config }, answer);
      }),
    );
  }
  return plainPages(folder);
}

/** Finds the config.xml of a Cordova project in a subfolder. */
async function findCordovaConfig(folder: ProjectFolder): Promise<string | undefined> {
  const names = await folder.names();
  for (const name of CORDOVA_FOLDERS) {
    const path = join(name, 'config.xml');
    const config = names.has(name) ? await folder.config(path) : undefined;
    if (config !== undefined && isWidget(config)) {
      return path;
    }
  }
  return undefined;
}

/** Returns the layout of a tool's project. The tool may write the pages into a nested Cordova project. */
async function findToolLayout(
  folder: ProjectFolder,
  tool: ToolProject,
  found: Pick<ProjectLayout, 'app' | 'config'>,
  answer: string | undefined,
  others: readonly string[] = [],
): Promise<ProjectLayout> {
  const pages = await findToolPages(folder, tool, answer, others);
  const cordovaFolder = folderAbove(found.config ?? '');
  const mayBeThere = cordovaFolder !== '' && answer === undefined && pages.state.kind !== 'built';
  const own = mayBeThere ? await firstBuilt(folder, [`${cordovaFolder}/www`], true) : undefined;
  return { kind: tool.kind, ...found, ...(own ?? pages) };
}

/** Returns the layout of a folder with pages but without a known tool. */
async function plainPages(folder: ProjectFolder): Promise<readonly ProjectLayout[]> {
  const top = await pagesIn(folder, '');
  const hasBuildScript = (await readPackageJson(folder))?.scripts.has('build') === true;
  const usual = await firstBuilt(folder, USUAL_FOLDERS);
  const { pages, state } = top.state.kind === 'built' && !hasBuildScript ? top : (usual ?? top);
  if (state.kind === 'notBuilt') {
    return [];
  }
  const html = await folder.readText(join(pages, DEFAULT_START_PAGE));
  const kind = html !== undefined && readPage(html).manifest !== undefined ? 'pwa' : 'page';
  return [{ kind, app: undefined, config: undefined, pages, state }];
}

/**
 * Finds the pages that a tool builds.
 *
 * @param others output folders of other tools, which are suggested if this tool's configuration doesn't specify one
 */
async function findToolPages(
  folder: ProjectFolder,
  { output }: ToolProject,
  answer: string | undefined,
  others: readonly string[] = [],
): Promise<LayoutPages> {
  switch (output.kind) {
    case 'folders': {
      const found = await Promise.all(output.paths.map((path) => pagesIn(folder, path, true, output.added)));
      // If none is built yet, use the folder that the tool will write the pages to.
      return (
        found.find(({ state }) => state.kind === 'built') ??
        (output.added && found.find(({ state }) => state.kind === 'source')) ??
        found[0] ?? { pages: '', state: { kind: 'notBuilt' } }
      );
    }
    case 'none':
      return output.outside !== undefined && isBesideProject(folder, output.outside)
        ? pagesIn(folder, output.outside, true)
        : { pages: '', state: output };
    case 'unknown': {
      if (answer !== undefined) {
        return pagesIn(folder, answer, true);
      }
      const likely = await firstBuilt(folder, [...others, ...USUAL_FOLDERS], true);
      return { pages: likely?.pages ?? others[0] ?? 'dist', state: output };
    }
  }
}

/**
 * Reports whether a folder outside of the project can have its pages: it's in the searched folder, and it doesn't
 * contain the project.
 *
 * @param path the path relative to the project, which begins with `..`
 */
function isBesideProject(folder: ProjectFolder, path: string): boolean {
  const there = resolvePath(folder.path, path);
  return there !== '' && !/^\.\.(?:\/|$)/.test(there) && !isBelow(`${folder.path}/`, there);
}

async function firstBuilt(
  folder: ProjectFolder,
  paths: readonly string[],
  isMade = false,
): Promise<LayoutPages | undefined> {
  for (const path of paths) {
    const found = await pagesIn(folder, path, isMade);
    if (found.state.kind === 'built') {
      return found;
    }
  }
  return undefined;
}

/**
 * Checks whether a folder contains a page and whether that page is a source.
 *
 * @param isMade whether a tool creates the page
 * @param added files and folders that a tool adds to the page, as in {@link ToolOutput}
 */
async function pagesIn(
  folder: ProjectFolder,
  pages: string,
  isMade = false,
  added?: readonly string[],
): Promise<LayoutPages> {
  const file = join(pages, DEFAULT_START_PAGE);
  const html = await folder.readText(file);
  const page = html === undefined ? undefined : readPage(html);
  // Starter projects have an empty page in the folder where a build creates the real one.
  if (html === undefined || page === undefined) {
    return { pages, state: { kind: 'notBuilt' } };
  }
  if (page.isEmpty && isMade) {
    return { pages, state: { kind: 'notBuilt', isEmpty: true } };
  }
  const there = new Set<string>();
  for (const { what } of page.sources) {
    const path = toPagePath(addressInPage(what, page.base?.href));
    if (path !== undefined && (await folder.isFile(join(pages, path)))) {
      there.add(path);
    }
  }
  const mark =
    loadsSources(page, (path) => there.has(path)) ?? (added && (await missingMark(folder, pages, page, added)));
  return mark === undefined
    ? { pages, state: { kind: 'built' } }
    : { pages, state: { kind: 'source', file, line: new TextLines(html).lineAt(mark.span.start), mark } };
}

/** Returns the sign that a tool hasn't added anything to a page yet. */
async function missingMark(
  folder: ProjectFolder,
  pages: string,
  { scripts, base }: HtmlPage,
  added: readonly string[],
): Promise<SourceMark | undefined> {
  const loaded = scripts.flatMap(({ src = '', span }) => {
    const path = src === '' ? undefined : toPagePath(addressInPage(src, base?.href));
    return path === undefined || isServiceScript(path) ? [] : [{ what: src, path: join(pages, path), span }];
  });
  const expected =
    added.length === 0 ? loaded : added.map((path) => ({ what: path, path, span: { start: 0, end: 0 } }));
  const found = await Promise.all(
    expected.map(async ({ path }) => {
      return (await folder.isFile(path)) || (await folder.at(join(folder.path, path)).names()).size > 0;
    }),
  );
  const [first] = found.includes(true) ? [] : expected;
  return first && { kind: 'folder', what: first.what, span: first.span };
}

/**
 * Returns the path of a file in the package. Services read pages from the `www` folder next to config.xml. If both are
 * at the top of the project, as in PhoneGap, they stay there.
 *
 * @param path the path relative to the project
 */
export function getPackagePath({ config, pages }: Pick<ProjectLayout, 'config' | 'pages'>, path: string): string {
  if (pages !== '' && isBelow(path, pages)) {
    return join(PACKAGE_PAGES, path.slice(pages.length + 1));
  }
  const top = getConfigFolder({ config, pages });
  if (top !== '' && isBelow(path, top)) {
    return path.slice(top.length + 1);
  }
  return pages === '' && config !== 'config.xml' ? join(PACKAGE_PAGES, path) : path;
}

/** Returns the top folder of the package: the folder of config.xml, unless it's also the pages folder. */
export function getConfigFolder({ config = '', pages }: Pick<ProjectLayout, 'config' | 'pages'>): string {
  const folder = folderAbove(config);
  return folder === pages ? '' : folder;
}

const PACKAGE_PAGES = 'www';

/** A generated file of the package, which doesn't exist on disk. */
export interface MadeFile {
  /** Path in the package, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}
