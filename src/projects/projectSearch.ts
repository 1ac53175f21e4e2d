import type * as vscode from 'vscode';

import { CancelledError, cancellable } from '../api/errors/cancelledError.ts';
import { MAX_SEARCH_DEPTH, MAX_SEARCHED_FOLDERS } from './limits.ts';
import { DiskTree, ProjectFolder } from './projectFolder.ts';
import { GitRules } from './packing/ignoreRules.ts';
import { PackingError } from './packing/packingError.ts';
import { baseName, join, uriBelow } from './paths.ts';
import { readFacts, type AppFacts } from './appFacts.ts';
import { isOfTool, layoutsOf, type Layout } from './layout.ts';

/** A folder that an app can be built from. */
export interface WebProject {
  readonly uri: vscode.Uri;
  /** Path below the folder that was searched, with `/`; empty when it is that folder. */
  readonly path: string;
  /** Name of the app in its files; undefined when they do not have it. */
  readonly name: string | undefined;
  /** Name of the app, where its folder holds several. */
  readonly app?: string | undefined;
}

/** A project that was found, and what it is. */
export interface FoundProject extends WebProject {
  readonly layout: Layout;
  readonly facts: AppFacts;
}

/** A person's answers to where the pages of projects are: paths below the project. */
export type PagesAnswers = (project: vscode.Uri) => string | undefined;

/** Folders of tools: a template or a test page in there is no project of the person. */
const FOREIGN_FOLDER = /^(?:node_modules|bower_components|platforms|plugins|Pods|__MACOSX|\..*)$/i;

/**
 * Finds the web projects in a folder on a disk and below it: those whose pages can be sent first, then the closest; among equally close
 * ones plain pages last. In a project no other is looked for; below a plain page, only more than that. What Git leaves out is not looked
 * into. Never waits on a search of VS Code.
 *
 * @throws PackingError when the folder is on no disk of this computer, or cannot be read; CancelledError
 */
export async function findWebProjects(
  uri: vscode.Uri,
  signal?: AbortSignal,
  answers?: PagesAnswers,
  tree = new DiskTree(uri.fsPath),
): Promise<readonly FoundProject[]> {
  if (uri.scheme !== 'file') {
    throw PackingError.notOnDisk(baseName(uri));
  }
  const git = new GitRules(tree, '');
  const found: FoundProject[] = [];
  let folders = 0;
  // Below a plain page, only a tool's project counts: the page may be the documentation of that project.
  let level: readonly { readonly path: string; readonly isBelowPage: boolean }[] = [{ path: '', isBelowPage: false }];
  for (let depth = 0; depth <= MAX_SEARCH_DEPTH && level.length > 0; depth += 1) {
    const foundHere: FoundProject[] = [];
    const next: { readonly path: string; readonly isBelowPage: boolean }[] = [];
    for (const { path, isBelowPage } of level.slice(0, MAX_SEARCHED_FOLDERS - folders)) {
      folders += 1;
      const list = tree.list(path).catch((error: unknown) => {
        if (path === '') {
          throw PackingError.ofFolder(baseName(uri), error);
        }
        return [];
      });
      const entries = await cancellable(list, signal);
      const projects = await projectsIn(new ProjectFolder(tree, path, signal), uriBelow(uri, path), answers);
      foundHere.push(...projects.filter((project) => !(isBelowPage && isPlain(project))));
      if (projects.every(isPlain)) {
        // An ignore file that can't be read hides nothing from the search. Packing reads it again.
        const rules = await cancellable(
          git.in(path).catch(() => undefined),
          signal,
        );
        const pages = new Set(projects.map(({ layout }) => join(path, layout.pages)));
        const below = entries
          .filter(({ name, kind }) => kind === 'folder' && !FOREIGN_FOLDER.test(name))
          .map(({ name }) => join(path, name))
          .filter((each) => !pages.has(each) && rules?.ruleAgainst(each, true) === undefined)
          .sort();
        next.push(...below.map((each) => ({ path: each, isBelowPage: isBelowPage || projects.length > 0 })));
      }
    }
    found.push(...foundHere.sort((a, b) => Number(isPlain(a)) - Number(isPlain(b))));
    level = next;
  }
  const isBuilt = ({ layout }: FoundProject) => layout.state.kind === 'built';
  return [...found.filter(isBuilt), ...found.filter((each) => !isBuilt(each))];
}

/** The projects of one folder. @param uri of the folder */
async function projectsIn(
  folder: ProjectFolder,
  uri: vscode.Uri,
  answers: PagesAnswers | undefined,
): Promise<readonly FoundProject[]> {
  const { path } = folder;
  const layouts = await layoutsOf(folder, answers?.(uri));
  return Promise.all(
    layouts.map(async (layout) => {
      const facts = await readFacts(folder, layout);
      return { uri, path, name: facts.name?.value, app: layout.app, layout, facts };
    }),
  );
}

/** The folder of a project, in the folder that was searched: what Git leaves out and what is installed above it counts. */
export function projectFolder({ uri, path }: Pick<WebProject, 'uri' | 'path'>, signal?: AbortSignal): ProjectFolder {
  const searched = path === '' ? uri : uri.with({ path: uri.path.slice(0, -path.length).replace(/(?<=.)\/$/, '') });
  return new ProjectFolder(new DiskTree(searched.fsPath), path, signal);
}

/**
 * A project as it is now: a build may have made its pages since it was found.
 *
 * @param folder of the project, of which nothing was read before that
 * @throws PackingError when it holds no page any more; CancelledError
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
      throw error instanceof CancelledError ? error : PackingError.ofFolder(baseName(project.uri), error);
    });
    throw PackingError.withoutPages({ pages: '', state: { kind: 'notBuilt' } }, undefined);
  }
  return found;
}

/** Which project of a folder is meant, by one string: its path, and the name of the app where the folder holds several. */
export function keyOfProject({ path, app }: Pick<WebProject, 'path' | 'app'>): string {
  return app === undefined ? path : `${path}#${app}`;
}

/** A page at the top of a folder, of which nothing says more. */
function isPlain({ layout }: FoundProject): boolean {
  return !isOfTool(layout) && layout.config === undefined && layout.pages === '';
}
