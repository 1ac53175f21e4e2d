import { posix } from 'node:path';
import { BuildServiceError, cancellable } from '../../errors/index.ts';
import { getConfigFolder, isBuiltByTool, type ProjectLayout } from '../projectLayout.ts';
import { MAX_ENTRIES } from '../limits.ts';
import { baseName, folderAbove, isBelow, join, joinUri, resolvePath } from '../paths.ts';
import { type FileDetails, isMissingFile, type ProjectFolder, type TreeEntry } from '../projectFolder.ts';
import type { WebProject } from '../projectSearch.ts';
import {
  APP_PACKAGE,
  toComparablePath,
  isNotPartOfApp,
  isPortable,
  SECRET_NAME,
  VERSION_CONTROL,
} from './fileNames.ts';
import { type IgnoreRules, ProjectRules } from './ignoreRules.ts';
import type { LeftOut, LeftOutReason, PlannedFile, PlanWarning } from './packageContents.ts';
import { PackingError } from './packingError.ts';

/** A file of the project that the package may contain. */
interface WalkedFile {
  readonly file: PlannedFile;
  /** The name of the file. For a link, also the names in the target's path. */
  readonly names: readonly string[];
  /** Whether the name of the file or of a parent folder marks it as a secret. */
  readonly hasSecretName: boolean;
  /**
   * Whether a line of `.appbuildignore` specifically includes the file, or a parent folder whose name marks it as a
   * secret.
   */
  readonly isRequested: boolean;
}

interface WalkedContent {
  readonly project: WebProject;
  readonly layout: ProjectLayout;
  /** Files that config.xml refers to, relative to the project. */
  readonly named: readonly string[];
  /** Files that the start page loads, relative to the project. */
  readonly loaded: readonly string[];
  /** Whether a script generates the pages in a separate folder. Git usually ignores such a folder, at least in part. */
  readonly isMade: boolean;
}

/**
 * Reads a project folder. Links inside the project are replaced by their targets. Links to folders aren't followed in a
 * linked folder.
 *
 * @throws PackingError, CancelledError
 */
export async function walkProject(
  folder: ProjectFolder,
  content: WalkedContent,
): Promise<Pick<PackageWalk, 'files' | 'leftOut'> & { readonly warnings: readonly PlanWarning[] }> {
  const { project, layout, named, loaded, isMade } = content;
  const { path } = folder;
  try {
    const needed = [...(layout.config === undefined ? [] : [layout.config]), ...named, ...loaded];
    const pages = resolvePath(path, layout.pages);
    const reading = ProjectRules.read(folder, { pages, isMade, needed: needed.map((file) => resolvePath(path, file)) });
    const rules = await cancellable(reading, folder.signal);
    const walk = new PackageWalk(folder, content, rules);
    for (const top of isBelow(pages, path) || pages === path ? [path] : [path, pages]) {
      await walk.read({ path: top, rulesPath: top, isLinked: false, isSecret: false, isTakenIn: false });
    }
    // Projects usually let Git ignore generated pages, so don't warn about them.
    const generated = isMade || isBuiltByTool(layout) ? undefined : rules.generated;
    return {
      files: walk.files,
      leftOut: walk.leftOut,
      warnings:
        generated === undefined
          ? []
          : [{ kind: 'generatedContent', folder: layout.pages && `${layout.pages}/`, ...generated }],
    };
  } catch (error) {
    throw error instanceof BuildServiceError ? error : PackingError.forFolder(baseName(project.uri), error);
  }
}

/** A folder to read. Its paths are relative to the top of the tree. */
interface WalkedFolder {
  readonly path: string;
  /** Path of the folder whose ignore files apply. It differs from `path` in a linked folder. */
  readonly rulesPath: string;
  readonly isLinked: boolean;
  /** Whether the name of this folder or of a parent folder marks it as a secret. */
  readonly isSecret: boolean;
  /** Whether a line of `.appbuildignore` includes this folder with all of its entries. */
  readonly isTakenIn: boolean;
}

/** The decision about an entry. */
type EntryDecision =
  | ({ readonly kind: 'file' } & WalkedFile)
  | { readonly kind: 'folder'; readonly folder: WalkedFolder }
  | { readonly kind: 'leftOut'; readonly isFolder: boolean; readonly reason: LeftOutReason }
  /** The entry has been deleted in the meantime. */
  | { readonly kind: 'gone' };

class PackageWalk {
  readonly files: WalkedFile[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #folder: ProjectFolder;
  readonly #project: WebProject;
  readonly #layout: ProjectLayout;
  /** Folders and files that become part of the package. */
  readonly #sentFolders: readonly string[];
  readonly #sentFiles: readonly string[];
  readonly #rules: ProjectRules;
  /** Paths of files and folders, in the form that case-insensitive file systems compare. */
  readonly #paths = new Set<string>();
  #entries = 0;

  constructor(folder: ProjectFolder, { project, layout, named }: WalkedContent, rules: ProjectRules) {
    const { config, pages } = layout;
    this.#folder = folder;
    this.#project = project;
    this.#rules = rules;
    this.#layout = layout;
    // Cordova projects keep platform-specific pages in `merges`.
    this.#sentFolders = [pages, ...(config === undefined ? [] : [join(getConfigFolder(layout), 'merges')])];
    this.#sentFiles = [...(config === undefined ? [] : [config]), ...named];
  }

  /**
   * Reads a folder and its subfolders.
   *
   * @throws PackingError, CancelledError, file system errors
   */
  async read(folder: WalkedFolder): Promise<void> {
    const { tree, signal } = this.#folder;
    const entries = await cancellable(tree.list(folder.path), signal);
    this.#entries += entries.length;
    if (this.#entries > MAX_ENTRIES) {
      throw PackingError.tooManyFiles(baseName(this.#project.uri), MAX_ENTRIES);
    }
    const rules = await cancellable(this.#rules.in(folder.path), signal);
    const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    // Process all entries in parallel, because disk access is slow.
    const deciding = Promise.all(sorted.map((entry) => this.#decide(folder, rules, entry)));
    const decisions = await cancellable(deciding, signal);
    for (const [index, { name }] of sorted.entries()) {
      const decision = decisions[index];
      if (decision !== undefined) {
        await this.#add(this.#inProject(join(folder.path, name)), decision);
      }
    }
  }

  async #add(path: string, decision: EntryDecision): Promise<void> {
    if (decision.kind === 'gone') {
      return;
    }
    if (decision.kind === 'leftOut') {
      this.#leaveOut(path, decision.isFolder, decision.reason);
    } else if (this.#paths.has(toComparablePath(path))) {
      this.#leaveOut(path, decision.kind === 'folder', { kind: 'name' });
    } else {
      this.#paths.add(toComparablePath(path));
      if (decision.kind === 'folder') {
        await this.#addFolder(path, decision.folder);
      } else {
        this.files.push(decision);
      }
    }
  }

  async #addFolder(path: string, folder: WalkedFolder): Promise<void> {
    try {
      await this.read(folder);
    } catch (error) {
      if (error instanceof BuildServiceError) {
        throw error;
      }
      if (!isMissingFile(error)) {
        this.#leaveOut(path, true, { kind: 'unreadable' });
      }
    }
  }

  #leaveOut(path: string, isFolder: boolean, reason: LeftOutReason): void {
    this.leftOut.push({ path: isFolder ? `${path}/` : path, reason });
  }

  /** Converts a path relative to the top of the tree to a path relative to the project. */
  #inProject(path: string): string {
    const top = this.#folder.path;
    const below = top === '' ? path : path.slice(top.length + 1);
    return isBelow(path, top) ? below : posix.relative(top, path);
  }

  async #decide(folder: WalkedFolder, rules: IgnoreRules, { name, kind }: TreeEntry): Promise<EntryDecision> {
    const path = join(folder.path, name);
    const below = this.#inProject(path);
    const link = kind === 'link' ? await this.#target(path) : undefined;
    const isFolder = (link?.kind ?? kind) === 'folder';
    const leftOut = (reason: LeftOutReason | Exclude<LeftOutReason['kind'], 'ignored'>): EntryDecision => ({
      kind: 'leftOut',
      isFolder,
      reason: typeof reason === 'string' ? { kind: reason } : reason,
    });
    if (!isPortable(below)) {
      return leftOut('name');
    }
    if (VERSION_CONTROL.test(name)) {
      return leftOut('notPartOfApp');
    }

    const isNamed = this.#rules.requests(path, isFolder);
    const isPart = folder.isTakenIn || isNamed || this.#isSent(below, isFolder);
    const isOnTheWay = !isPart && kind === 'folder' && this.#leadsToSent(below);
    if (!isNamed && !isOnTheWay) {
      const { config, pages } = this.#layout;
      const isCordova = config !== undefined || pages !== '';
      if (isNotPartOfApp(name, folder.path === this.#folder.path && isCordova)) {
        return leftOut('notPartOfApp');
      }
      if (!isPart) {
        return leftOut('outside');
      }
      if (!isFolder && APP_PACKAGE.test(name)) {
        return leftOut('appPackage');
      }
    }
    if (kind === 'special') {
      return leftOut('special');
    }

    const isInCircle = isFolder && link !== undefined && (folder.isLinked || isBelow(path, link.path));
    if (kind === 'link' && (link === undefined || isInCircle)) {
      return leftOut('link');
    }
    const names = [name, ...(link === undefined ? [] : this.#inProject(link.path).split('/'))];
    if (names.some((each) => VERSION_CONTROL.test(each))) {
      return leftOut('notPartOfApp');
    }
    const isSecret = names.some((each) => SECRET_NAME.test(each));
    if (isFolder && isSecret && !isNamed) {
      return leftOut('secret');
    }

    // Rules that exclude the target also exclude the link, unless a line specifically includes the link.
    const isOwn = link !== undefined && (isNamed || below === this.#layout.pages);
    const rulesPath = isOwn ? path : (link?.path ?? join(folder.rulesPath, name));
    const hasSecretName = folder.isSecret || isSecret;
    const isRequested = folder.isSecret || isNamed;
    // Rules apply to a file that may contain a secret only if a line specifically includes it. Otherwise, it's left out
    // anyway unless the user allows it.
    if (isFolder || !hasSecretName || isRequested) {
      const atTarget = rulesPath === path ? rules : await this.#rules.in(folderAbove(rulesPath));
      const rule =
        this.#rules.ruleAgainst(rules, path, isFolder) ?? this.#rules.ruleAgainst(atTarget, rulesPath, isFolder);
      if (rule !== undefined) {
        return leftOut({ kind: 'ignored', ...rule });
      }
    }
    if (isFolder) {
      const isLinked = folder.isLinked || link !== undefined;
      const isTakenIn = folder.isTakenIn || isNamed;
      return { kind: 'folder', folder: { path, rulesPath, isLinked, isSecret: hasSecretName, isTakenIn } };
    }
    try {
      const { kind: type, ...details } = await this.#folder.tree.details(path);
      if (type !== 'file') {
        return leftOut('special');
      }
      const overruled = this.#rules.findOverruledRule(rules, path);
      const file = {
        path: below,
        uri: joinUri(this.#project.uri, below),
        ...details,
        ...(overruled && { overruled }),
      };
      return { kind: 'file', file, names, hasSecretName, isRequested };
    } catch (error) {
      return isMissingFile(error) ? { kind: 'gone' } : leftOut('unreadable');
    }
  }

  /** Returns the target of a link, or undefined if it's missing or outside of the project. */
  async #target(link: string): Promise<{ readonly path: string; readonly kind: FileDetails['kind'] } | undefined> {
    const { tree } = this.#folder;
    const path = await tree.target(link);
    const details = path === undefined ? undefined : await tree.details(path).catch(() => undefined);
    const tops = [this.#folder.path, resolvePath(this.#folder.path, this.#layout.pages)];
    const isInside = path !== undefined && details !== undefined && tops.some((top) => isBelow(path, top));
    return isInside ? { path, kind: details.kind } : undefined;
  }

  /**
   * Reports whether the location of a file or folder makes it part of the app.
   *
   * @param path the path relative to the project
   */
  #isSent(path: string, isFolder: boolean): boolean {
    return (
      this.#sentFolders.some((folder) => path === folder || isBelow(path, folder)) ||
      (!isFolder && this.#sentFiles.includes(path))
    );
  }

  /**
   * Reports whether a folder contains a part of the app.
   *
   * @param path the path relative to the project
   */
  #leadsToSent(path: string): boolean {
    return [...this.#sentFolders, ...this.#sentFiles].some((sent) => isBelow(sent, path));
  }
}
