import { posix } from 'node:path';
import type * as vscode from 'vscode';
import type { SearchedFolder } from '../configXml/namedFiles.ts';
import { buildStepOf } from './buildStep.ts';
import { layoutsOf, type Layout } from './layout.ts';
import { GitRules } from './packing/ignoreRules.ts';
import { folderAbove, join } from './paths.ts';
import type { ProjectFolder } from './projectFolder.ts';
import { projectFolder } from './projectSearch.ts';

/** The folder of a config.xml, as the project is that it belongs to. */
export interface AppFolder extends SearchedFolder {
  /** The folder of the pages below it; undefined where no project is. */
  readonly pages: string | undefined;
  /** What a person runs to build the pages; undefined where its package.json has no script for that. Never rejects. */
  readonly buildCommand: () => Promise<string | undefined>;
}

/** What is known of the folder of a config.xml. */
export function createAppFolder(folder: ProjectFolder, layout: Layout | undefined): AppFolder {
  const lists = new Map<string, Promise<ReadonlySet<string>>>();
  const rules = new GitRules(folder.tree, folder.path);
  return {
    pages: layout?.pages,
    buildCommand: async () => (await buildStepOf(folder, layout?.kind ?? 'cordova'))?.command,
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

/**
 * What is known of the folder of a config.xml; undefined for one that is on no disk. Never rejects.
 *
 * @param top the folder of the workspace that it is in, where there is one: what Git leaves out is said there, too
 */
export async function appFolderOf(folder: vscode.Uri, top = folder): Promise<AppFolder | undefined> {
  if (folder.scheme !== 'file') {
    return undefined;
  }
  const below = projectFolder({ uri: folder, path: folder.path.slice(top.path.length).replace(/^\//, '') });
  const [layout] = await layoutsOf(below);
  return createAppFolder(below, layout);
}
