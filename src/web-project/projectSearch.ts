import type { URI } from 'vscode-uri';

import { cancellable, CancelledError } from '../errors/index.ts';
import { MAX_PROJECT_SEARCH_BYTES, MAX_SEARCH_DEPTH, MAX_SEARCHED_FOLDERS } from './limits.ts';
import { DiskTree, ProjectFolder } from './projectFolder.ts';
import { GitRules } from './packing/ignoreRules.ts';
import { PackingError } from './packing/packingError.ts';
import { baseName, isBelow, join, joinUri, resolvePath } from './paths.ts';
import { readFacts, type AppFacts } from './appFacts.ts';
import { isBundler } from './tools/buildTools.ts';
import { isBuiltByTool, findLayouts, type ProjectLayout } from './projectLayout.ts';

/** A folder that contains an app to build. */
export interface WebProject {
  readonly uri: URI;
  /** Path relative to the searched folder, with `/`. Empty for the searched folder itself. */
  readonly path: string;
  /** Name of the app in the project's files. Undefined if they don't contain one. */
  readonly name: string | undefined;
  /** Name of the app. Undefined unless the folder contains several apps. */
  readonly app?: string | undefined;
}

/** A project with its layout and facts. */
export interface FoundProject extends WebProject {
  readonly layout: ProjectLayout;
  readonly facts: AppFacts;
}

/** The projects of a folder. */
export interface FoundProjects extends ReadonlyArray<FoundProject> {
  /** Number of searched folders. Undefined if all folders were searched. */
  readonly searchedOnly?: number;
}

/** Returns the pages folder that the user chose for a project: a path relative to the project. */
export type PagesAnswers = (project: URI) => string | undefined;

/** Matches folders of tools. Their templates and test pages aren't the user's projects. */
const THIRD_PARTY_FOLDER = /^(?:node_modules|bower_components|platforms|plugins|Pods|__MACOSX|\..*)$/i;

/**
 * Finds the web projects in a folder on disk. Projects whose pages can be packaged come first, sorted by depth. At the
 * same depth, plain pages come last. Skips folders inside a project and everything that Git ignores. In the folder of a
 * plain page, finds only projects that aren't plain pages.
 *
 * @throws PackingError if the folder isn't on a disk of this computer or can't be read
 * @throws CancelledError
 */
export async function findWebProjects(
  uri: URI,
  signal?: AbortSignal,
  answers?: PagesAnswers,
  tree = new DiskTree(uri.fsPath),
): Promise<FoundProjects> {
  if (uri.scheme !== 'file') {
    throw PackingError.notOnDisk(baseName(uri));
  }
  const git = new GitRules(tree, '');
  const found: FoundProject[] = [];
  /** Projects of bundlers that may be dependencies of the projects in subfolders. */
  const unsure: FoundProject[] = [];
  const readBefore = tree.bytesRead;
  let folders = 0;
  let isPartial = false;
  // In the folder of a plain page, accept only projects of tools, because the page may be a project's documentation.
  let level: readonly { readonly path: string; readonly isBelowPage: boolean }[] = [{ path: '', isBelowPage: false }];
  for (let depth = 0; depth <= MAX_SEARCH_DEPTH && level.length > 0; depth += 1) {
    const foundHere: FoundProject[] = [];
    const next: { readonly path: string; readonly isBelowPage: boolean }[] = [];
    for (const { path, isBelowPage } of level) {
      if (folders >= MAX_SEARCHED_FOLDERS || tree.bytesRead - readBefore > MAX_PROJECT_SEARCH_BYTES) {
        isPartial = true;
        break;
      }
      folders += 1;
      const list = tree.list(path).catch((error: unknown) => {
        if (path === '') {
          throw PackingError.forFolder(baseName(uri), error);
        }
        return [];
      });
      const entries = await cancellable(list, signal);
      const folder = new ProjectFolder(tree, path, signal);
      const projects = await projectsIn(folder, joinUri(uri, path), answers);
      foundHere.push(...projects.filter((project) => !(isBelowPage && isPlain(project))));
      const isTopOfOthers = await isDependencyOfOthers(folder, projects);
      if (isTopOfOthers) {
        unsure.push(...projects);
      }
      if (isTopOfOthers || projects.every(isPlain)) {
        // If an ignore file can't be read, don't skip anything. Packing reads the file again and reports the error.
        const rules = await cancellable(
          git.in(path).catch(() => undefined),
          signal,
        );
        const pages = new Set(projects.map(({ layout }) => resolvePath(path, layout.pages)));
        const below = entries
          .filter(({ name, kind }) => kind === 'folder' && !THIRD_PARTY_FOLDER.test(name))
          .map(({ name }) => join(path, name))
          .filter((each) => !pages.has(each) && rules?.ruleAgainst(each, true) === undefined)
          .sort();
        next.push(...below.map((each) => ({ path: each, isBelowPage: isBelowPage || projects.length > 0 })));
      }
    }
    found.push(...foundHere.sort((a, b) => Number(isPlain(a)) - Number(isPlain(b))));
    level = next;
  }
  const projects = sortProjects(found.filter((project) => !isPartOfOthers(project, found, unsure)));
  return isPartial ? Object.assign([...projects], { searchedOnly: folders }) : projects;
}

/** Reports whether the projects of a folder are only bundlers without a page, as at the top of a monorepo. */
async function isDependencyOfOthers(folder: ProjectFolder, projects: readonly FoundProject[]): Promise<boolean> {
  if (!projects.every(({ layout }) => isBundler(layout.kind) && layout.state.kind !== 'built')) {
    return false;
  }
  const sources = SOURCE_PAGES.map((page) => folder.isFile(page));
  return projects.length > 0 && !(await Promise.all(sources)).includes(true);
}

/** Places where the projects of bundlers have their page. */
const SOURCE_PAGES = ['index.html', 'src/index.html', 'public/index.html'] as const;

/** Reports whether a project is only a dependency, or the pages, of other projects. */
function isPartOfOthers(
  project: FoundProject,
  found: readonly FoundProject[],
  unsure: readonly FoundProject[],
): boolean {
  return unsure.includes(project)
    ? found.some((other) => !unsure.includes(other) && isBelow(other.path, project.path))
    : isPlain(project) &&
        found.some(({ path, layout }) => layout.pages !== '' && resolvePath(path, layout.pages) === project.path);
}

/**
 * Sorts the projects of tools before pages in subfolders that no tool builds, such as those of a server. Projects whose
 * pages can be packaged come first in each group.
 */
function sortProjects(projects: readonly FoundProject[]): readonly FoundProject[] {
  const isLoose = ({ path, layout }: FoundProject) =>
    path !== '' && !isBuiltByTool(layout) && layout.config === undefined;
  const isBuilt = ({ layout }: FoundProject) => layout.state.kind === 'built';
  const rank = (project: FoundProject) => Number(isLoose(project)) * 2 + Number(!isBuilt(project));
  return projects.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Returns the projects of one folder.
 *
 * @param uri the URI of the folder
 */
async function projectsIn(
  folder: ProjectFolder,
  uri: URI,
  answers: PagesAnswers | undefined,
): Promise<readonly FoundProject[]> {
  const { path } = folder;
  const layouts = await findLayouts(folder, answers?.(uri));
  return Promise.all(
    layouts.map(async (layout) => {
      const facts = await readFacts(folder, layout);
      return { uri, path, name: facts.name?.value, app: layout.app, layout, facts };
    }),
  );
}

/**
 * Returns a project's folder as a part of the searched folder, so that ignore files and installed packages above the
 * project apply.
 */
export function projectFolder({ uri, path }: Pick<WebProject, 'uri' | 'path'>, signal?: AbortSignal): ProjectFolder {
  const searched = path === '' ? uri : uri.with({ path: uri.path.slice(0, -path.length).replace(/(?<=.)\/$/, '') });
  return new ProjectFolder(new DiskTree(searched.fsPath), path, signal);
}

/**
 * Reads a project again. A build may have created its pages since it was found.
 *
 * @param folder the project folder, from which nothing has been read yet
 * @throws PackingError if the project no longer contains a page
 * @throws CancelledError
 */
export async function readProject(
  folder: ProjectFolder,
  project: WebProject,
  answers?: PagesAnswers,
): Promise<FoundProject> {
  const projects = await projectsIn(folder, project.uri, answers);
  const found = projects.find(({ app }) => app === project.app) ?? projects[0];
  if (found === undefined) {
    await cancellable(folder.tree.list(folder.path), folder.signal).catch((error: unknown) => {
      throw error instanceof CancelledError ? error : PackingError.forFolder(baseName(project.uri), error);
    });
    throw PackingError.withoutPages({ pages: '', state: { kind: 'notBuilt' } }, undefined);
  }
  return found;
}

/** Returns a key that identifies a project: its path, plus the name of the app if the folder contains several. */
export function getProjectKey({ path, app }: Pick<WebProject, 'path' | 'app'>): string {
  return app === undefined ? path : `${path}#${app}`;
}

/** Reports whether a project is only a page, without a tool or a config.xml. */
function isPlain({ layout }: FoundProject): boolean {
  return !isBuiltByTool(layout) && layout.config === undefined && layout.pages === '';
}
