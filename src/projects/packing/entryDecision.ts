import { posix } from 'node:path';
import { configFolderOf, type Layout } from '../layout.ts';
import type { DiskTree, FileDetails, TreeEntry } from '../projectFolder.ts';
import { isAppPackage, isNotPartOfApp, isPortable, isSecretName, isVersionControl } from './fileNames.ts';
import type { IgnoreRule } from './ignoreRules.ts';
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
  readonly #pages: string;
  /** Undefined for the whole project. */
  readonly #folders: readonly string[] | undefined;
  readonly #files: readonly string[];

  /** @param named files that config.xml names, below the project */
  constructor({ config, pages }: Pick<Layout, 'config' | 'pages'>, named: readonly string[]) {
    this.isCordova = config !== undefined || pages !== '';
    this.#pages = pages;
    this.#folders =
      pages === '' ? undefined : [pages, ...(config === undefined ? [] : [configFolderOf({ config, pages }) + MERGES])];
    this.#files = [...(config === undefined ? [] : [config]), ...named];
  }

  /** `above`: a folder in which only a part belongs to the package. @param path below the project */
  placeOf(path: string, isFolder: boolean): 'inside' | 'above' | 'outside' {
    const folders = this.#folders;
    if (
      (folders?.some((folder) => path === folder || isBelow(path, folder)) ?? true) ||
      (!isFolder && this.#files.includes(path))
    ) {
      return 'inside';
    }
    return [...(folders ?? []), ...this.#files].some((root) => isBelow(root, path)) ? 'above' : 'outside';
  }

  /** Whether a folder below the project is that of the pages: the app, wherever a link has it. */
  isOfPages(path: string): boolean {
    return path === this.#pages;
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
  /** Of the place where it really is; undefined where only its own path counts. */
  readonly targetRules: FolderRules | undefined;
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
  /** The `.gitignore` rule that doesn't count, because the app needs the file. */
  readonly overruled: IgnoreRule | undefined;
}

/** An entry with what is asked about it more than once. */
interface Entry {
  readonly path: string;
  /** Where it really is: at another path when a link leads to it. */
  readonly realPath: string;
  readonly names: readonly string[];
  readonly hasSecretName: boolean;
  readonly isRequested: boolean;
}

/** Decides what of a project's folder is part of its package. */
export class EntryDecisions {
  readonly #tree: DiskTree;
  readonly #project: string;
  readonly #scope: PackageScope;
  /** Those that count in a folder, by its path. */
  readonly #rules = new Map<string, Promise<FolderRules>>();
  readonly #rulesAround: FolderRules;

  /**
   * @param project its path below the top of the tree
   * @param rulesAround of the folders above it, and its `.appbuildignore`
   */
  constructor(tree: DiskTree, project: string, scope: PackageScope, rulesAround: FolderRules) {
    this.#tree = tree;
    this.#project = project;
    this.#scope = scope;
    this.#rulesAround = rulesAround;
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
    const ownPlace = this.#scope.placeOf(this.inProject(path), isFolder);
    const place = folder.isTakenIn || isNamed ? 'inside' : ownPlace;
    const isAtTop = folder.path === this.#project;
    if (!isNamed && place !== 'above' && isNotPartOfApp(name, isAtTop && this.#scope.isCordova)) {
      return leftOut('notPartOfApp');
    }
    if (!isNamed && place === 'inside' && !isFolder && isAppPackage(name)) {
      return leftOut('appPackage');
    }
    if (place === 'outside' || (place === 'above' && !isFolder)) {
      return leftOut('outside');
    }
    const isTakenIn = folder.isTakenIn || (isNamed && ownPlace === 'outside');
    const entry: Entry = {
      path,
      realPath: join(folder.realPath, name),
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
          ignoredBy(folder, entry, true) ?? {
            kind: 'folder',
            path,
            realPath: entry.realPath,
            isLinked: folder.isLinked,
            hasSecretName: entry.hasSecretName,
            isTakenIn,
            targetRules: folder.targetRules,
          }
        );
      case 'file':
        return this.#ofFile(folder, entry);
    }
  }

  /** A path below the project. @param path below the top of the tree */
  inProject(path: string): string {
    return path === this.#project || this.#project === ''
      ? path.slice(this.#project.length)
      : path.slice(this.#project.length + 1);
  }

  /** Rules do not count for a secret that was not asked for: it stays behind anyway, unless a person allows it. */
  async #ofFile(rules: Pick<Folder, 'rules' | 'targetRules'>, entry: Entry): Promise<Decision> {
    const { path, hasSecretName, isRequested } = entry;
    const ignored = hasSecretName && !isRequested ? undefined : ignoredBy(rules, entry, false);
    if (ignored !== undefined) {
      return ignored;
    }
    const leftOut = { kind: 'leftOut', path, isFolder: false } as const;
    try {
      const details = await this.#tree.details(path);
      return details.kind === 'file'
        ? { kind: 'file', details, overruled: rules.rules.overruled(path), ...entry }
        : { ...leftOut, reason: { kind: 'special' } };
    } catch (error) {
      return isMissingFile(error) ? { kind: 'gone' } : { ...leftOut, reason: { kind: 'unreadable' } };
    }
  }

  async #ofLink(parent: Folder, entry: Entry): Promise<Decision> {
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
    const isNamed = parent.rules.requests(path, isFolder);
    const isSecret = [...entry.names, ...names].some(isSecretName);
    const hasSecretName = parent.hasSecretName || isSecret;
    // What stays behind at its own place is not sent by way of a link, unless a line asks for the link itself.
    const isAsked = isNamed || this.#scope.isOfPages(this.inProject(path));
    const targetRules = isAsked ? undefined : await this.#rulesIn(folderAbove(target));
    const rules = { rules: parent.rules, targetRules };
    const linked = { path, realPath: target, names: [...entry.names, posix.basename(target)], hasSecretName };
    if (!isFolder) {
      return this.#ofFile(rules, { ...linked, isRequested: parent.hasSecretName || isNamed });
    }
    if (isSecret && !isNamed) {
      return { ...leftOut, reason: { kind: 'secret' } };
    }
    const realLink = join(parent.realPath, posix.basename(path));
    if (parent.isLinked || isBelow(realLink, target)) {
      return { ...leftOut, reason: { kind: 'link' } };
    }
    // What config.xml names is a file.
    if (!isNamed && !parent.isTakenIn && this.#scope.placeOf(this.inProject(path), true) !== 'inside') {
      return { ...leftOut, reason: { kind: 'outside' } };
    }
    const folder = { kind: 'folder', path, realPath: target, isLinked: true, hasSecretName, targetRules } as const;
    return ignoredBy(rules, linked, true) ?? { ...folder, isTakenIn: parent.isTakenIn };
  }

  /** The rules that count in a folder of the project. @throws what the file system throws; PackingError, CancelledError */
  #rulesIn(folder: string): Promise<FolderRules> {
    const known = this.#rules.get(folder) ?? this.#readRules(folder);
    this.#rules.set(folder, known);
    return known;
  }

  async #readRules(folder: string): Promise<FolderRules> {
    const around = folder === this.#project ? this.#rulesAround : await this.#rulesIn(folderAbove(folder));
    return around.inside(folder, await this.#tree.list(folder));
  }
}

/** The folder that a path is in, below the top of the tree. */
function folderAbove(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Decides by the rules at an entry's own place and, where a link leads to it, at the place where it really is. */
function ignoredBy(
  { rules, targetRules }: Pick<Folder, 'rules' | 'targetRules'>,
  { path, realPath }: Pick<Entry, 'path' | 'realPath'>,
  isFolder: boolean,
): Decision | undefined {
  const rule = rules.ruleAgainst(path, isFolder) ?? targetRules?.ruleAgainst(realPath, isFolder);
  return rule === undefined ? undefined : { kind: 'leftOut', path, isFolder, reason: { kind: 'ignored', ...rule } };
}
