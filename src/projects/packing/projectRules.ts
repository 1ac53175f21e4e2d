import { cancellable } from './cancellation.ts';
import type { ProjectFolder, TreeEntry } from '../projectFolder.ts';
import { IgnoreRules, type IgnoreRule } from './ignoreRules.ts';
import { PackingError } from './packingError.ts';
import { isBelow, join } from './paths.ts';

const GIT_FILE = '.gitignore';
const OWN_FILE = '.appbuildignore';
/** More than is read as rules, so that a longer file is told from one that is cut. */
const MAX_RULES_BYTES = 1024 * 1024;

/** The folder of the pages, made by a tool, which is sent although a rule of `.gitignore` names it. */
interface GeneratedContent {
  /** Below the top of the tree. */
  readonly folder: string;
  readonly rule: IgnoreRule;
}

/** Reads the ignore files of a project. Paths are below the top of the tree. */
class IgnoreFiles {
  readonly #folder: ProjectFolder;

  constructor(folder: ProjectFolder) {
    this.#folder = folder;
  }

  list(folder: string): Promise<readonly TreeEntry[]> {
    return cancellable(this.#folder.tree.list(folder), this.#folder.signal);
  }

  /**
   * The rules, with those of an ignore file when the folder has one.
   *
   * @throws PackingError when it cannot be read: what it leaves out would be sent
   */
  async add(rules: IgnoreRules, folder: string, entries: readonly TreeEntry[], name = GIT_FILE): Promise<IgnoreRules> {
    // As git does, links to ignore files are not followed.
    if (!entries.some((entry) => entry.name === name && entry.kind === 'file')) {
      return rules;
    }
    const path = this.#shown(join(folder, name));
    const { tree, signal } = this.#folder;
    const head = tree.head(join(folder, name), MAX_RULES_BYTES).catch((error: unknown) => {
      throw PackingError.ofFile(path, error);
    });
    return rules.with(new TextDecoder().decode(await cancellable(head, signal)), folder, path);
  }

  /** The path of an ignore file below the project, or with `../` for each folder that it is above it. */
  #shown(path: string): string {
    const project = this.#folder.path;
    if (project === '') {
      return path;
    }
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const name = path.slice(folder.length);
    if (folder.startsWith(`${project}/`)) {
      return path.slice(project.length + 1);
    }
    const levels = project.split('/').length - (folder.split('/').length - 1);
    return `${'../'.repeat(levels)}${name}`;
  }
}

/** The rules that count in a folder of a project. */
export class FolderRules {
  readonly #files: IgnoreFiles;
  readonly #git: IgnoreRules;
  readonly #own: IgnoreRules;
  /** Both: `.appbuildignore` wins. */
  readonly #all: IgnoreRules;
  readonly #exceptions: GitExceptions;

  constructor(files: IgnoreFiles, git: IgnoreRules, own: IgnoreRules, exceptions: GitExceptions) {
    this.#files = files;
    this.#git = git;
    this.#own = own;
    this.#all = git.followedBy(own);
    this.#exceptions = exceptions;
  }

  /** The rules that count in a folder below, or in this one. @throws PackingError, CancelledError */
  async inside(folder: string, entries: readonly TreeEntry[]): Promise<FolderRules> {
    const git = await this.#files.add(this.#git, folder, entries);
    return git === this.#git ? this : new FolderRules(this.#files, git, this.#own, this.#exceptions);
  }

  /** The rule by which a path is left out. */
  ruleAgainst(path: string, isFolder: boolean): IgnoreRule | undefined {
    return (this.#exceptions.has(path, isFolder) ? this.#own : this.#all).ruleAgainst(path, isFolder);
  }

  /** The rule that would leave out a needed file; undefined if `.appbuildignore` takes it in. */
  overruled(path: string): IgnoreRule | undefined {
    return this.#exceptions.needs(path) ? this.#all.ruleAgainst(path, false) : undefined;
  }

  /** Whether a line of `.appbuildignore` asks for this path itself, though it would never be sent otherwise. */
  requests(path: string, isFolder: boolean): boolean {
    return this.#own.names(path, isFolder);
  }
}

/** Files that `.gitignore` doesn't leave out. Paths are below the top of the tree. */
class GitExceptions {
  readonly #generated: string | undefined;
  readonly #needed: ReadonlySet<string>;
  /** The folders of needed files. */
  readonly #folders = new Set<string>();

  /**
   * @param generated a folder, with everything in it
   * @param needed files
   */
  constructor(generated: string | undefined, needed: readonly string[]) {
    this.#generated = generated;
    this.#needed = new Set(needed);
    for (const file of needed) {
      for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
        this.#folders.add(file.slice(0, end));
      }
    }
  }

  /** Also of a folder on the way to them, such as `.output` of `.output/public`. */
  has(path: string, isFolder: boolean): boolean {
    return this.#isGenerated(path) || (isFolder ? this.#folders : this.#needed).has(path);
  }

  /** Whether it's a needed file outside of the generated folder. */
  needs(path: string): boolean {
    return this.#needed.has(path) && !this.#isGenerated(path);
  }

  #isGenerated(path: string): boolean {
    const folder = this.#generated;
    return folder !== undefined && (path === folder || isBelow(path, folder) || isBelow(folder, path));
  }
}

interface ProjectContent {
  /** The folder of the pages: the project, or one in it. */
  readonly folder: string;
  /** Whether a script makes the pages. */
  readonly isMade: boolean;
  /** Files that the app can't do without. */
  readonly needed: readonly string[];
}

/**
 * Reads the rules of a project: of the `.gitignore` files above it, and of its own `.appbuildignore`. Those of the folders
 * inside are read by {@link FolderRules.inside}.
 *
 * A project whose pages are left out by `.gitignore` is not sent empty: what a tool has generated is the app. Rules of
 * `.gitignore` do not count in that folder, nor for files that the app can't do without; those of `.appbuildignore` do.
 *
 * @throws PackingError, CancelledError
 */
export async function readProjectRules(
  project: ProjectFolder,
  { folder: content, isMade, needed }: ProjectContent,
): Promise<{ readonly rules: FolderRules; readonly generated: GeneratedContent | undefined }> {
  const { path } = project;
  const files = new IgnoreFiles(project);
  const none = new IgnoreRules(project.tree.isCaseSensitive);
  const entries = await files.list(path);
  const own = await files.add(none, path, entries, OWN_FILE);
  const above = await rulesAbove(files, none, path, entries);
  let inContent = await files.add(above, path, entries);
  if (content !== path) {
    // The content may be a link that leads nowhere.
    inContent = await files.add(inContent, content, await files.list(content).catch(() => []));
  }
  const page = join(content, 'index.html');
  const rule = inContent.ruleAgainst(page, false);
  const generated =
    rule === undefined || own.ruleAgainst(page, false) !== undefined ? undefined : { folder: content, rule };
  const exceptions = new GitExceptions(isMade ? content : generated?.folder, needed);
  return { rules: new FolderRules(files, above, own, exceptions), generated };
}

/** Rules of the folders above a project; none when they leave out the project itself, for it was chosen. */
async function rulesAbove(
  files: IgnoreFiles,
  none: IgnoreRules,
  project: string,
  projectEntries: readonly TreeEntry[],
): Promise<IgnoreRules> {
  const above: (readonly [folder: string, entries: readonly TreeEntry[]])[] = [];
  let folder = project;
  let entries = projectEntries;
  // A repository does not know the rules of the one that it lies in.
  while (folder !== '' && !entries.some(({ name }) => name === '.git')) {
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    entries = await files.list(folder);
    above.unshift([folder, entries]);
  }
  let rules = none;
  for (const [path, list] of above) {
    rules = await files.add(rules, path, list);
  }
  return project !== '' && rules.ruleAgainst(project, true) !== undefined ? none : rules;
}
