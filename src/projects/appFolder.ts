import { posix } from 'node:path';
import type * as vscode from 'vscode';
import type { SearchedFolder } from '../configXml/namedFiles.ts';
import { buildStepOf } from './buildStep.ts';
import { layoutsOf, type Layout } from './layout.ts';
import { IgnoreRules } from './packing/ignoreRules.ts';
import { join } from './paths.ts';
import type { ProjectFolder } from './projectFolder.ts';
import { projectFolder } from './projectSearch.ts';

/** The folder of a config.xml, as the project is that it belongs to. */
export class AppFolder implements SearchedFolder {
  readonly #folder: ProjectFolder;
  readonly #layout: Layout | undefined;
  readonly #names = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #rules = new Map<string, Promise<IgnoreRules>>();

  constructor(folder: ProjectFolder, layout: Layout | undefined) {
    this.#folder = folder;
    this.#layout = layout;
  }

  /** The folder of the pages below it; undefined where no project is. */
  get pages(): string | undefined {
    return this.#layout?.pages;
  }

  /** What a person runs to build the pages; undefined where its package.json has no script for that. Never rejects. */
  async buildCommand(): Promise<string | undefined> {
    return (await buildStepOf(this.#folder, this.#layout?.kind ?? 'cordova'))?.command;
  }

  /** The names in a folder below it; none where there is no such folder. @throws CancelledError */
  readonly names = (path: string): Promise<ReadonlySet<string>> => {
    const known = this.#names.get(path) ?? this.#folder.at(join(this.#folder.path, path)).names();
    this.#names.set(path, known);
    return known;
  };

  /** Whether a `.gitignore` leaves a file below it out. Never rejects. */
  readonly isIgnored = async (path: string): Promise<boolean> => {
    const file = posix.join(this.#folder.path, path);
    try {
      return (await this.#rulesIn(folderOf(file))).ruleAgainst(file, false) !== undefined;
    } catch {
      // Its rules are too long to be read.
      return false;
    }
  };

  /** @param path of a folder, below the top of the tree */
  #rulesIn(path: string): Promise<IgnoreRules> {
    const known = this.#rules.get(path) ?? this.#readRules(path);
    this.#rules.set(path, known);
    return known;
  }

  async #readRules(path: string): Promise<IgnoreRules> {
    const { tree } = this.#folder;
    const above = path === '' ? new IgnoreRules(tree.isCaseSensitive) : await this.#rulesIn(folderOf(path));
    return this.#folder.at(path).withOwnRules(above);
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
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
  return new AppFolder(below, layout);
}
