import { CancelledError } from '../../api/errors/cancelledError.ts';
import { cancellable } from './cancellation.ts';
import {
  comparable,
  isNotPartOfApp,
  isPortable,
  isSecretContent,
  isSecretName,
  isVersionControl,
  mayHoldSecret,
  SECRET_HEAD_BYTES,
} from './excludedNames.ts';
import type { FileDetails, FileTree, TreeEntry } from './fileTree.ts';
import {
  MAX_SERVICE_BYTES,
  MAX_SERVICE_ENTRIES,
  type LeftOut,
  type LeftOutReason,
  type PackagePlan,
  type PlannedFile,
  type PlanWarning,
} from './packageContents.ts';
import { isMissing, PackingError } from './packingError.ts';
import { isBelow, readProjectRules, type FolderRules, type GeneratedContent } from './projectRules.ts';
import { baseName, join, uriBelow, type WebProject } from './projectSearch.ts';

/** What a kind of folder can pack. */
export interface PackLimits {
  /** Files and folders that are looked at. */
  readonly entries: number;
  /** Sum of the files. */
  readonly bytes: number;
}

export const DISK_LIMITS: PackLimits = { entries: 200_000, bytes: Infinity };
/** Their file systems are slow, and their files go through memory. */
export const VIRTUAL_LIMITS: PackLimits = { entries: 10_000, bytes: 50_000_000 };

/** Entries that are looked at together. */
const ENTRIES_AT_ONCE = 64;

/** A folder that is read. Its paths are below the top of the tree. */
interface Folder {
  readonly path: string;
  /** Where it really is: at another path when a link leads to it. */
  readonly realPath: string;
  readonly isLinked: boolean;
  readonly rules: FolderRules;
}

/** What becomes of an entry. */
type Decision =
  | { readonly kind: 'file'; readonly path: string; readonly details: FileDetails }
  | { readonly kind: 'folder'; readonly path: string; readonly realPath: string; readonly isLinked: boolean }
  | { readonly kind: 'leftOut'; readonly path: string; readonly isFolder: boolean; readonly reason: LeftOutReason }
  /** It was deleted meanwhile. */
  | { readonly kind: 'gone' };

/**
 * Reads a project's folder and decides what will be sent. Links inside the project are packed as what they lead to; in a
 * folder that a link leads to, no link to another folder is followed.
 *
 * @param tree whose top is the folder in which the project was found: `.gitignore` files between the two count
 * @throws PackingError, CancelledError
 */
export async function walkProject(
  tree: FileTree,
  project: WebProject,
  limits: PackLimits,
  signal?: AbortSignal,
): Promise<PackagePlan> {
  const { path } = project;
  const folderName = baseName(project.uri);
  try {
    const names = new Set((await cancellable(tree.list(path), signal)).map(({ name }) => name));
    const hasConfig = names.has('config.xml');
    const contentIsWww = names.has('www') && (hasConfig || !names.has('index.html'));
    const content = contentIsWww ? join(path, 'www') : path;
    const { rules, generated } = await readProjectRules(tree, project, content, signal);
    const walk = new PackageWalk(tree, project, limits, hasConfig || contentIsWww, signal);
    await walk.read({ path, realPath: path, isLinked: false, rules });
    return walk.plan(generated);
  } catch (error) {
    throw error instanceof PackingError || error instanceof CancelledError
      ? error
      : PackingError.ofFolder(folderName, error);
  }
}

class PackageWalk {
  readonly #tree: FileTree;
  readonly #project: WebProject;
  readonly #limits: PackLimits;
  readonly #isCordova: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #files: PlannedFile[] = [];
  readonly #leftOut: LeftOut[] = [];
  /** Of files and folders, as a file system that ignores case compares them. */
  readonly #paths = new Set<string>();
  #entries = 0;
  #totalBytes = 0;

  constructor(
    tree: FileTree,
    project: WebProject,
    limits: PackLimits,
    isCordova: boolean,
    signal: AbortSignal | undefined,
  ) {
    this.#tree = tree;
    this.#project = project;
    this.#limits = limits;
    this.#isCordova = isCordova;
    this.#signal = signal;
  }

  plan(generated: GeneratedContent | undefined): PackagePlan {
    if (this.#files.length === 0) {
      throw PackingError.nothingToSend(this.#folderName);
    }
    const warnings: PlanWarning[] = [];
    if (generated !== undefined) {
      const folder = this.#inProject(generated.folder);
      warnings.push({ kind: 'generatedContent', folder: folder === '' ? '' : `${folder}/`, ...generated.rule });
    }
    if (this.#paths.size > MAX_SERVICE_ENTRIES) {
      warnings.push({ kind: 'tooManyEntries' });
    }
    if (this.#totalBytes > MAX_SERVICE_BYTES) {
      warnings.push({ kind: 'tooLarge' });
    }
    return {
      project: this.#project,
      files: this.#files.sort(byPath),
      totalBytes: this.#totalBytes,
      leftOut: this.#leftOut.sort(byPath),
      suspects: [],
      warnings,
    };
  }

  /** Reads a folder and all below it. @throws what the file system throws, PackingError, CancelledError */
  async read({ rules: rulesAround, ...folder }: Folder): Promise<void> {
    const entries = await cancellable(this.#tree.list(folder.path), this.#signal);
    this.#entries += entries.length;
    if (this.#entries > this.#limits.entries) {
      throw PackingError.tooManyFiles(this.#folderName, this.#limits.entries);
    }
    const rules = await rulesAround.inside(folder.path, entries);
    const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (let start = 0; start < sorted.length; start += ENTRIES_AT_ONCE) {
      const some = sorted.slice(start, start + ENTRIES_AT_ONCE);
      const decisions = Promise.all(some.map((entry) => this.#decide({ ...folder, rules }, entry)));
      for (const decision of await cancellable(decisions, this.#signal)) {
        await this.#add(decision, rules);
      }
    }
  }

  async #add(decision: Decision, rules: FolderRules): Promise<void> {
    if (decision.kind === 'gone') {
      return;
    }
    const path = this.#inProject(decision.path);
    if (decision.kind === 'leftOut') {
      this.#leaveOut(path, decision.isFolder, decision.reason);
    } else if (this.#paths.has(comparable(path))) {
      this.#leaveOut(path, decision.kind === 'folder', { kind: 'name' });
    } else {
      this.#paths.add(comparable(path));
      if (decision.kind === 'file') {
        this.#addFile(path, decision.details);
      } else {
        await this.#addFolder(path, decision, rules);
      }
    }
  }

  #addFile(path: string, { sizeBytes, mode, modified }: FileDetails): void {
    this.#files.push({ path, uri: uriBelow(this.#project.uri, path), sizeBytes, mode, modified });
    this.#totalBytes += sizeBytes;
    if (this.#totalBytes > this.#limits.bytes) {
      throw PackingError.tooLargeForFolder(this.#folderName, this.#limits.bytes);
    }
  }

  async #addFolder(path: string, folder: Omit<Folder, 'rules'>, rules: FolderRules): Promise<void> {
    try {
      await this.read({ ...folder, rules });
    } catch (error) {
      if (error instanceof PackingError || error instanceof CancelledError) {
        throw error;
      }
      if (!isMissing(error)) {
        this.#leaveOut(path, true, { kind: 'unreadable' });
      }
    }
  }

  #leaveOut(path: string, isFolder: boolean, reason: LeftOutReason): void {
    this.#leftOut.push({ path: isFolder ? `${path}/` : path, reason });
  }

  async #decide(folder: Folder, entry: TreeEntry): Promise<Decision> {
    const path = join(folder.path, entry.name);
    const leftOut = (kind: Exclude<LeftOutReason['kind'], 'ignored'>): Decision => ({
      kind: 'leftOut',
      path,
      isFolder: entry.kind === 'folder',
      reason: { kind },
    });
    if (!isPortable(this.#inProject(path))) {
      return leftOut('name');
    }
    if (isVersionControl(entry.name)) {
      return leftOut('notPartOfApp');
    }
    if (!folder.rules.asksFor(path, entry.kind === 'folder')) {
      if (isNotPartOfApp(entry.name, this.#isCordova && folder.path === this.#project.path)) {
        return leftOut('notPartOfApp');
      }
      if (isSecretName(entry.name)) {
        return leftOut('secret');
      }
    }
    switch (entry.kind) {
      case 'special':
        return leftOut('special');
      case 'link':
        return this.#decideLink(folder, path);
      case 'folder':
        return (
          ignoredBy(folder.rules, path, true) ?? {
            kind: 'folder',
            path,
            realPath: join(folder.realPath, entry.name),
            isLinked: folder.isLinked,
          }
        );
      case 'file':
        return ignoredBy(folder.rules, path, false) ?? this.#decideFile(folder.rules, path);
    }
  }

  /** @param target where it really is, whose name tells too */
  async #decideFile(rules: FolderRules, path: string, target = path): Promise<Decision> {
    const leftOut = { kind: 'leftOut', path, isFolder: false } as const;
    try {
      const details = await this.#tree.details(path);
      if (details.kind !== 'file') {
        return { ...leftOut, reason: { kind: 'special' } };
      }
      const isSecret =
        !rules.asksFor(path, false) &&
        ((await this.#holdsSecret(path)) || (target !== path && (await this.#holdsSecret(target))));
      return isSecret ? { ...leftOut, reason: { kind: 'secret' } } : { kind: 'file', path, details };
    } catch (error) {
      return isMissing(error) ? { kind: 'gone' } : { ...leftOut, reason: { kind: 'unreadable' } };
    }
  }

  async #holdsSecret(path: string): Promise<boolean> {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return (
      mayHoldSecret(name) &&
      isSecretContent(name, Buffer.from(await this.#tree.head(path, SECRET_HEAD_BYTES)).toString('latin1'))
    );
  }

  async #decideLink({ rules, path: parent, realPath, isLinked }: Folder, path: string): Promise<Decision> {
    const target = await this.#tree.target(path);
    const details = target === undefined ? undefined : await this.#tree.details(target).catch(() => undefined);
    const isFolder = details?.kind === 'folder';
    const leftOut = { kind: 'leftOut', path, isFolder } as const;
    if (target === undefined || details === undefined || !isBelow(target, this.#project.path)) {
      return { ...leftOut, isFolder: false, reason: { kind: 'link' } };
    }
    const names = this.#inProject(target).split('/');
    if (names.some(isVersionControl)) {
      return { ...leftOut, reason: { kind: 'notPartOfApp' } };
    }
    if (!rules.asksFor(path, isFolder) && names.some(isSecretName)) {
      return { ...leftOut, reason: { kind: 'secret' } };
    }
    if (!isFolder) {
      return ignoredBy(rules, path, false) ?? this.#decideFile(rules, path, target);
    }
    const realLink = join(realPath, path.slice(parent === '' ? 0 : parent.length + 1));
    return isLinked || isBelow(realLink, target)
      ? { ...leftOut, reason: { kind: 'link' } }
      : (ignoredBy(rules, path, true) ?? { kind: 'folder', path, realPath: target, isLinked: true });
  }

  /** @param path below the top of the tree */
  #inProject(path: string): string {
    const { path: project } = this.#project;
    return project === '' || path === project ? path.slice(project.length) : path.slice(project.length + 1);
  }

  get #folderName(): string {
    return baseName(this.#project.uri);
  }
}

function ignoredBy(rules: FolderRules, path: string, isFolder: boolean): Decision | undefined {
  const rule = rules.ruleAgainst(path, isFolder);
  return rule === undefined ? undefined : { kind: 'leftOut', path, isFolder, reason: { kind: 'ignored', ...rule } };
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}
