import { CancelledError } from '../../api/errors/cancelledError.ts';
import { cancellable } from './cancellation.ts';
import { EntryDecisions, type Decision, type FileDecision, type Folder } from './entryDecision.ts';
import { comparable } from './excludedNames.ts';
import type { FileTree } from './fileTree.ts';
import type { LeftOut, LeftOutReason, PlannedFile, PlanWarning } from './packageContents.ts';
import { isMissing, PackingError } from './packingError.ts';
import { baseName, join, uriBelow } from './paths.ts';
import { readProjectRules, type FolderRules } from './projectRules.ts';
import type { WebProject } from './projectSearch.ts';

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

/** A file that would be sent. */
export interface WalkedFile extends Pick<FileDecision, 'names' | 'hasSecretName' | 'isAskedFor'> {
  readonly file: PlannedFile;
}

/** What is in a project's folder. */
export interface WalkedProject {
  readonly files: readonly WalkedFile[];
  readonly leftOut: readonly LeftOut[];
  readonly warnings: readonly PlanWarning[];
}

/**
 * Reads a project's folder. Links inside the project are packed as what they lead to; in a folder that a link leads to, no
 * link to another folder is followed.
 *
 * @param tree whose top is the folder in which the project was found: `.gitignore` files between the two count
 * @throws PackingError, CancelledError
 */
export async function walkProject(
  tree: FileTree,
  project: WebProject,
  limits: PackLimits,
  signal?: AbortSignal,
): Promise<WalkedProject> {
  const { path } = project;
  try {
    const names = new Set((await cancellable(tree.list(path), signal)).map(({ name }) => name));
    const hasConfig = names.has('config.xml');
    const contentIsWww = names.has('www') && (hasConfig || !names.has('index.html'));
    const content = contentIsWww ? join(path, 'www') : path;
    const { rules, generated } = await readProjectRules(tree, project, content, signal);
    const decisions = new EntryDecisions(tree, path, hasConfig || contentIsWww);
    const walk = new PackageWalk(tree, project, decisions, limits, signal);
    await walk.read({ path, realPath: path, isLinked: false, hasSecretName: false, rules });
    const folder = contentIsWww ? 'www/' : '';
    return {
      files: walk.files,
      leftOut: walk.leftOut,
      warnings: generated === undefined ? [] : [{ kind: 'generatedContent', folder, ...generated.rule }],
    };
  } catch (error) {
    throw error instanceof PackingError || error instanceof CancelledError
      ? error
      : PackingError.ofFolder(baseName(project.uri), error);
  }
}

class PackageWalk {
  readonly files: WalkedFile[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #tree: FileTree;
  readonly #project: WebProject;
  readonly #decisions: EntryDecisions;
  readonly #limits: PackLimits;
  readonly #signal: AbortSignal | undefined;
  /** Of files and folders, as a file system that ignores case compares them. */
  readonly #paths = new Set<string>();
  #entries = 0;
  #totalBytes = 0;

  constructor(
    tree: FileTree,
    project: WebProject,
    decisions: EntryDecisions,
    limits: PackLimits,
    signal: AbortSignal | undefined,
  ) {
    this.#tree = tree;
    this.#project = project;
    this.#decisions = decisions;
    this.#limits = limits;
    this.#signal = signal;
  }

  /** Reads a folder and all below it. @throws what the file system throws, PackingError, CancelledError */
  async read({ rules: rulesAround, ...folder }: Folder): Promise<void> {
    const entries = await cancellable(this.#tree.list(folder.path), this.#signal);
    this.#entries += entries.length;
    if (this.#entries > this.#limits.entries) {
      throw PackingError.tooManyFiles(baseName(this.#project.uri), this.#limits.entries);
    }
    const rules = await rulesAround.inside(folder.path, entries);
    const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (let start = 0; start < sorted.length; start += ENTRIES_AT_ONCE) {
      const some = sorted.slice(start, start + ENTRIES_AT_ONCE);
      const decisions = Promise.all(some.map((entry) => this.#decisions.of({ ...folder, rules }, entry)));
      for (const decision of await cancellable(decisions, this.#signal)) {
        await this.#add(decision, rules);
      }
    }
  }

  async #add(decision: Decision, rules: FolderRules): Promise<void> {
    if (decision.kind === 'gone') {
      return;
    }
    const path = this.#decisions.inProject(decision.path);
    if (decision.kind === 'leftOut') {
      this.#leaveOut(path, decision.isFolder, decision.reason);
    } else if (this.#paths.has(comparable(path))) {
      this.#leaveOut(path, decision.kind === 'folder', { kind: 'name' });
    } else {
      this.#paths.add(comparable(path));
      if (decision.kind === 'file') {
        this.#addFile(path, decision);
      } else {
        await this.#addFolder(path, decision, rules);
      }
    }
  }

  #addFile(path: string, { details, names, hasSecretName, isAskedFor }: FileDecision): void {
    const { sizeBytes, mode } = details;
    const file = { path, uri: uriBelow(this.#project.uri, path), sizeBytes, mode };
    this.files.push({ file, names, hasSecretName, isAskedFor });
    this.#totalBytes += sizeBytes;
    if (this.#totalBytes > this.#limits.bytes) {
      throw PackingError.tooLargeForFolder(baseName(this.#project.uri), this.#limits.bytes);
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
    this.leftOut.push({ path: isFolder ? `${path}/` : path, reason });
  }
}
