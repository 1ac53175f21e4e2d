import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { WorkPauses } from '../../api/workPauses.ts';
import { cancellable } from './cancellation.ts';
import { type Decision, EntryDecisions, type FileDecision, type Folder, PackageScope } from './entryDecision.ts';
import { comparable } from './fileNames.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import type { LeftOut, LeftOutReason, PlannedFile, PlanWarning } from './packageContents.ts';
import { isMissingFile, PackingError } from './packingError.ts';
import { baseName, join, uriBelow } from './paths.ts';
import { readProjectRules, type FolderRules } from './projectRules.ts';
import { isOfTool, type Layout } from '../layout.ts';
import type { WebProject } from '../projectSearch.ts';

/** Files and folders that are looked at. */
const MAX_ENTRIES = 200_000;

/** Entries that are looked at together, without a pause. */
const ENTRIES_AT_ONCE = 16;

/** A file that would be sent. */
export interface WalkedFile extends Pick<FileDecision, 'names' | 'hasSecretName' | 'isRequested'> {
  readonly file: PlannedFile;
}

interface WalkedContent {
  readonly project: WebProject;
  readonly layout: Layout;
  /** Files that config.xml names, below the project. */
  readonly named: readonly string[];
  /** Files that the first page loads, below the project. */
  readonly loaded: readonly string[];
  /** Whether a script makes the pages in a folder of their own, which is why Git ignores them, or some of them. */
  readonly isMade: boolean;
}

interface WalkedProject {
  readonly files: readonly WalkedFile[];
  readonly leftOut: readonly LeftOut[];
  readonly warnings: readonly PlanWarning[];
}

/**
 * Reads a project's folder. Links inside the project are packed as what they lead to; in a folder that a link leads to, no
 * link to another folder is followed.
 *
 * @throws PackingError, TooManyRulesError, CancelledError
 */
export async function walkProject(
  projectFolder: ProjectFolder,
  { project, layout, named, loaded, isMade }: WalkedContent,
): Promise<WalkedProject> {
  const { tree, path } = projectFolder;
  try {
    const needed = [...(layout.config === undefined ? [] : [layout.config]), ...named, ...loaded];
    const content = {
      folder: join(path, layout.pages),
      isMade,
      needed: needed.map((file) => join(path, file)),
    };
    const { rules, generated } = await readProjectRules(projectFolder, content);
    const decisions = new EntryDecisions(tree, path, new PackageScope(layout, named), rules);
    const walk = new PackageWalk(projectFolder, project, decisions);
    const top = { path, realPath: path, isLinked: false, hasSecretName: false, isTakenIn: false };
    await walk.read({ ...top, rules, targetRules: undefined });
    const folder = layout.pages === '' ? '' : `${layout.pages}/`;
    return {
      files: walk.files,
      leftOut: walk.leftOut,
      // That Git leaves out what a tool makes is how it should be.
      warnings:
        generated === undefined || isMade || isOfTool(layout)
          ? []
          : [{ kind: 'generatedContent', folder, ...generated.rule }],
    };
  } catch (error) {
    throw error instanceof BuildServiceError ? error : PackingError.ofFolder(baseName(project.uri), error);
  }
}

class PackageWalk {
  readonly files: WalkedFile[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #folder: ProjectFolder;
  readonly #project: WebProject;
  readonly #decisions: EntryDecisions;
  /** Of files and folders, as a file system that ignores case compares them. */
  readonly #paths = new Set<string>();
  readonly #pauses = new WorkPauses();
  #entries = 0;

  constructor(folder: ProjectFolder, project: WebProject, decisions: EntryDecisions) {
    this.#folder = folder;
    this.#project = project;
    this.#decisions = decisions;
  }

  /** Reads a folder and all below it. @throws what the file system throws, PackingError, CancelledError */
  async read(folder: Folder): Promise<void> {
    const { tree, signal } = this.#folder;
    const entries = await cancellable(tree.list(folder.path), signal);
    this.#entries += entries.length;
    if (this.#entries > MAX_ENTRIES) {
      throw PackingError.tooManyFiles(baseName(this.#project.uri), MAX_ENTRIES);
    }
    const rules = await folder.rules.inside(folder.path, entries);
    const targetRules = await folder.targetRules?.inside(folder.realPath, entries);
    const inside = { ...folder, rules, targetRules };
    const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (let start = 0; start < sorted.length; start += ENTRIES_AT_ONCE) {
      await this.#pauses.pauseIfDue();
      const some = sorted.slice(start, start + ENTRIES_AT_ONCE);
      const decisions = Promise.all(some.map((entry) => this.#decisions.of(inside, entry)));
      for (const decision of await cancellable(decisions, signal)) {
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

  #addFile(path: string, { details, names, hasSecretName, isRequested, overruled }: FileDecision): void {
    const { sizeBytes, mode, modifiedMs, inode } = details;
    const file = {
      path,
      uri: uriBelow(this.#project.uri, path),
      sizeBytes,
      mode,
      modifiedMs,
      inode,
      ...(overruled && { overruled }),
    };
    this.files.push({ file, names, hasSecretName, isRequested });
  }

  async #addFolder(path: string, folder: Omit<Folder, 'rules'>, rules: FolderRules): Promise<void> {
    try {
      await this.read({ ...folder, rules });
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
}
