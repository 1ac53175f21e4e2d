import { posix } from 'node:path';
import {
  DEFAULT_START_PAGE,
  filesNamedIn,
  type NamedFile,
  type SearchedFolder,
  type XmlDocument,
} from '../config-xml/index.ts';
import { findBuildStep } from './buildStep.ts';
import { readPage } from './htmlPage.ts';
import { type ProjectLayout } from './projectLayout.ts';
import { GitRules } from './packing/ignoreRules.ts';
import { addressInPage, folderAbove, join, toPagePath } from './paths.ts';
import type { ProjectFolder } from './projectFolder.ts';

/** Returns the files that a project's config.xml refers to. Their candidate paths are relative to the project. */
export function projectFilesNamedIn(
  document: XmlDocument,
  { config = '', pages }: Pick<ProjectLayout, 'config' | 'pages'>,
): readonly NamedFile[] {
  const folder = folderAbove(config);
  const isInPages = folder !== '' && folder === pages;
  const pagesBelow = isInPages ? '' : posix.relative(folder, pages);
  return filesNamedIn(document, pagesBelow, isInPages).map((file) => ({
    ...file,
    candidates: file.candidates
      .map((candidate) => posix.join(folder, candidate))
      .filter((candidate) => !candidate.startsWith('../')),
    ...(file.pages !== undefined && { pages }),
  }));
}

const SCRIPT = /\.m?js$/i;
/** Matches an import of another file, including a dynamic import. */
const IMPORT = /\b(?:import|from)\s{0,20}\(?\s{0,20}["'](\.{0,2}\/[^"'\r\n]{1,500})["']/g;

/**
 * Returns the paths, relative to the project, of the files that the app's start page loads and its scripts import. The
 * files may not exist.
 *
 * @param startPage the path relative to the pages. index.html is also read
 * @throws CancelledError
 */
export async function filesLoadedBy(
  folder: ProjectFolder,
  { pages }: Pick<ProjectLayout, 'pages'>,
  startPage: string,
): Promise<readonly string[]> {
  /** Paths relative to the pages. */
  const loaded = new Set<string>();
  const add = (address: string, base: string | undefined, from: string): void => {
    const file = toPagePath(addressInPage(address, base, from));
    if (file !== undefined && file !== '') {
      loaded.add(file);
    }
  };
  for (const page of new Set([startPage, DEFAULT_START_PAGE])) {
    const html = await folder.readText(join(pages, page));
    const { loads, base } = html === undefined ? { loads: [], base: undefined } : readPage(html);
    for (const address of loads) {
      add(address, base?.href, page);
    }
  }
  // The loop also visits entries that it adds.
  for (const script of loaded) {
    const text = SCRIPT.test(script) ? await folder.readText(join(pages, script)) : undefined;
    for (const [, address = ''] of text?.matchAll(IMPORT) ?? []) {
      add(address, undefined, script);
    }
  }
  return [...loaded].map((file) => join(pages, file));
}

/** Returns facts about the folder of a config.xml, based on the folder's project. */
export function createAppFolder(
  folder: ProjectFolder,
  layout: ProjectLayout | undefined,
): ConfigFolder & SearchedFolder {
  const lists = new Map<string, Promise<ReadonlySet<string>>>();
  const rules = new GitRules(folder.tree, folder.path);
  return {
    pages: layout?.pages,
    buildCommand: async () => (await findBuildStep(folder, layout?.kind ?? 'cordova'))?.command,
    names: (path) => {
      const list = lists.get(path) ?? folder.at(join(folder.path, path)).names();
      lists.set(path, list);
      return list;
    },
    isIgnored: async (path) => {
      const file = posix.join(folder.path, path);
      try {
        return (await rules.in(folderAbove(file))).ruleAgainst(file, false) !== undefined;
      } catch {
        // An ignore file can't be read.
        return false;
      }
    },
  };
}

/** Facts about the folder of a config.xml. The promises never reject. */
export interface ConfigFolder {
  /** The pages folder, relative to this folder. Undefined if this folder doesn't contain a project. */
  readonly pages: string | undefined;
  /** Returns the command that builds the pages, or undefined if no file specifies one. */
  buildCommand(): Promise<string | undefined>;
  /** Reports whether Git ignores a file in this folder. */
  isIgnored(path: string): Promise<boolean>;
}
