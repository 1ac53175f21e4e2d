import { posix } from 'node:path';
import type { Layout } from '../layout.ts';
import type { DiskTree, FileDetails, TreeEntry } from '../projectFolder.ts';
import { isNotPartOfApp, isPortable, isSecretName, isVersionControl } from './fileNames.ts';
import type { LeftOutReason } from './packageContents.ts';
import { isMissingFile } from './packingError.ts';
import { isBelow, join } from './paths.ts';
import type { FolderRules } from './projectRules.ts';

/** Where Cordova has the pages of single platforms. */
const MERGES = 'merges';

/**
 * What of a project its package is made of: the pages, config.xml, and the files that this names. Where the project's folder itself
 * is that of the pages, that is all of it.
 */
export class PackageScope {
  /** Whether Cordova makes folders at the top of the project. */
  readonly isCordova: boolean;
  /** Files and folders; undefined for all. */
  readonly #roots: readonly string[] | undefined;

  /** @param named files that config.xml names, below the project */
  constructor({ config, pages }: Pick<Layout, 'config' | 'pages'>, named: readonly string[]) {
    this.isCordova = config !== undefined || pages !== '';
    const own = config === undefined ? [] : [config, MERGES];
    this.#roots = pages === '' ? undefined : [pages, ...own, ...named];
  }

  /** `above`: a folder in which only a part belongs to the package. @param path below the project */
  placeOf(path: string): 'inside' | 'above' | 'outside' {
    if (this.#roots?.some((root) => path === root || isBelow(path, root)) ?? true) {
      return 'inside';
    }
    return this.#roots?.some((root) => isBelow(root, path)) === true ? 'above' : 'outside';
  }
}

/** A folder that is read. Its paths are below the top of the tree. */
export interface Folder {
  readonly path: string;
  /** Where it really is: at another path when a link leads to it. */
  readonly realPath: string;
  readonly isLinked: boolean;
  /** Whether its name, or that of a folder that it is in, is that of a secret: so has all that is in it. */
  readonly hasSecretName: boolean;
  /** Whether a line of `.appbuildignore` takes it in with all that is in it. */
  readonly isTakenIn: boolean;
  readonly rules: FolderRules;
}

/** The decision about an entry. Its path is below the top of the tree. */
export type Decision =
  | FileDecision
  | ({ readonly kind: 'folder' } & Omit<Folder, 'rules'>)
  | { readonly kind: 'leftOut'; readonly path: string; readonly isFolder: boolean; readonly reason: LeftOutReason }
  /** It was deleted meanwhile. */
  | { readonly kind: 'gone' };

export interface FileDecision {
  readonly kind: 'file';
  readonly path: string;
  readonly details: FileDetails;
  /** Its name, and that of what it is a link to. */
  readonly names: readonly string[];
  /** Whether one of them, or that of a folder that it is in, is that of a secret. */
  readonly hasSecretName: boolean;
  /** Whether a line of `.appbuildignore` names it itself, or a folder with a secret's name that it is in. */
  readonly isRequested: boolean;
}

/** An entry with what is asked about it more than once. */
interface Entry {
  readonly path: string;
  readonly names: readonly string[];
  readonly hasSecretName: boolean;
  readonly isRequested: boolean;
}

/** Decides what of a project's folder is part of its package. */
export class EntryDecisions {
  readonly #tree: DiskTree;
  readonly #project: string;
  readonly #scope: PackageScope;

  /** @param project its path below the top of the tree */
  constructor(tree: DiskTree, project: string, scope: PackageScope) {
    this.#tree = tree;
    this.#project = project;
    this.#scope = scope;
  }

  /** @throws what the file system throws about a link */
  async of(folder: Folder, { name, kind }: TreeEntry): Promise<Decision> {
    const path = join(folder.path, name);
    const isFolder = kind === 'folder';
    const leftOut = (reason: Exclude<LeftOutReason['kind'], 'ignored'>): Decision => ({
      kind: 'leftOut',
      path,
      isFolder,
      reason: { kind: reason },
    });
    if (!isPortable(this.inProject(path))) {
      return leftOut('name');
    }
    if (isVersionControl(name)) {
      return leftOut('notPartOfApp');
    }
    const isNamed = folder.rules.requests(path, isFolder);
    const place = folder.isTakenIn || isNamed ? 'inside' : this.#scope.placeOf(this.inProject(path));
    const isAtTop = folder.path === this.#project;
    if (!isNamed && place !== 'above' && isNotPartOfApp(name, isAtTop && this.#scope.isCordova)) {
      return leftOut('notPartOfApp');
    }
    if (place === 'outside' || (place === 'above' && !isFolder)) {
      return leftOut('outside');
    }
    const isTakenIn = folder.isTakenIn || (isNamed && this.#scope.placeOf(this.inProject(path)) === 'outside');
    const entry: Entry = {
      path,
      names: [name],
      hasSecretName: folder.hasSecretName || isSecretName(name),
      isRequested: folder.hasSecretName || isNamed,
    };
    switch (kind) {
      case 'special':
        return leftOut('special');
      case 'link':
        return this.#ofLink({ ...folder, isTakenIn }, entry);
      case 'folder':
        if (isSecretName(name) && !isNamed) {
          return leftOut('secret');
        }
        return (
          ignoredBy(folder.rules, path, true) ?? {
            kind: 'folder',
            path,
            realPath: join(folder.realPath, name),
            isLinked: folder.isLinked,
            hasSecretName: entry.hasSecretName,
            isTakenIn,
          }
        );
      case 'file':
        return this.#ofFile(folder.rules, entry);
    }
  }

  /** A path below the project. @param path below the top of the tree */
  inProject(path: string): string {
    return path === this.#project || this.#project === ''
      ? path.slice(this.#project.length)
      : path.slice(this.#project.length + 1);
  }

  /** Rules do not count for a secret that was not asked for: it stays behind anyway, unless a person allows it. */
  async #ofFile(rules: FolderRules, entry: Entry): Promise<Decision> {
    const { path, hasSecretName, isRequested } = entry;
    const ignored = hasSecretName && !isRequested ? undefined : ignoredBy(rules, path, false);
    if (ignored !== undefined) {
      return ignored;
    }
    const leftOut = { kind: 'leftOut', path, isFolder: false } as const;
    try {
      const details = await this.#tree.details(path);
      return details.kind === 'file'
        ? { kind: 'file', details, ...entry }
        : { ...leftOut, reason: { kind: 'special' } };
    } catch (error) {
      return isMissingFile(error) ? { kind: 'gone' } : { ...leftOut, reason: { kind: 'unreadable' } };
    }
  }

  async #ofLink({ rules, path: parent, realPath, isLinked, ...folder }: Folder, entry: Entry): Promise<Decision> {
    const { path } = entry;
    const target = await this.#tree.target(path);
    const details = target === undefined ? undefined : await this.#tree.details(target).catch(() => undefined);
    const isFolder = details?.kind === 'folder';
    const leftOut = { kind: 'leftOut', path, isFolder } as const;
    if (target === undefined || details === undefined || !isBelow(target, this.#project)) {
      return { ...leftOut, isFolder: false, reason: { kind: 'link' } };
    }
    const names = this.inProject(target).split('/');
    if (names.some(isVersionControl)) {
      return { ...leftOut, reason: { kind: 'notPartOfApp' } };
    }
    const isNamed = rules.requests(path, isFolder);
    const isSecret = [...entry.names, ...names].some(isSecretName);
    const hasSecretName = folder.hasSecretName || isSecret;
    if (!isFolder) {
      const isRequested = folder.hasSecretName || isNamed;
      return this.#ofFile(rules, { path, names: [...entry.names, posix.basename(target)], hasSecretName, isRequested });
    }
    if (isSecret && !isNamed) {
      return { ...leftOut, reason: { kind: 'secret' } };
    }
    const realLink = join(realPath, path.slice(parent === '' ? 0 : parent.length + 1));
    return isLinked || isBelow(realLink, target)
      ? { ...leftOut, reason: { kind: 'link' } }
      : (ignoredBy(rules, path, true) ?? {
          kind: 'folder',
          path,
          realPath: target,
          isLinked: true,
          hasSecretName,
          isTakenIn: folder.isTakenIn,
        });
  }
}

function ignoredBy(rules: FolderRules, path: string, isFolder: boolean): Decision | undefined {
  const rule = rules.ruleAgainst(path, isFolder);
  return rule === undefined ? undefined : { kind: 'leftOut', path, isFolder, reason: { kind: 'ignored', ...rule } };
}
