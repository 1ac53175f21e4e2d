import { MAX_CONFIGURATION_BYTES } from '../limits.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import { IgnoreRules, type IgnoreRule } from './ignoreRules.ts';
import { PackingError } from './packingError.ts';
import { folderAbove, isBelow, join } from '../paths.ts';

const GIT_FILE = '.gitignore';
const OWN_FILE = '.appbuildignore';

/** The rules that count in a folder of a project. Paths are below the top of the tree. */
export class FolderRules {
  readonly git: IgnoreRules;
  readonly #own: IgnoreRules;
  /** Both: `.appbuildignore` wins. */
  readonly #all: IgnoreRules;
  readonly #exceptions: GitExceptions;

  constructor(git: IgnoreRules, own: IgnoreRules, exceptions: GitExceptions) {
    this.git = git;
    this.#own = own;
    this.#all = git.followedBy(own);
    this.#exceptions = exceptions;
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

/** Files that `.gitignore` doesn't leave out. */
class GitExceptions {
  readonly #generated: string | undefined;
  readonly #needed: readonly string[];

  /**
   * @param generated a folder, with everything in it
   * @param needed files
   */
  constructor(generated: string | undefined, needed: readonly string[]) {
    this.#generated = generated;
    this.#needed = needed;
  }

  /** Also of a folder on the way to them, such as `.output` of `.output/public`. */
  has(path: string, isFolder: boolean): boolean {
    return (
      this.#isGenerated(path) ||
      this.#needed.some((file) => (isFolder ? path !== '' && isBelow(file, path) : file === path))
    );
  }

  /** Whether it's a needed file outside of the generated folder. */
  needs(path: string): boolean {
    return this.#needed.includes(path) && !this.#isGenerated(path);
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

/** The rules of a project's ignore files. Paths are below the top of the tree. */
export class ProjectRules {
  /** The rule of `.gitignore` that names the pages, which are sent all the same. */
  generated: IgnoreRule | undefined;
  readonly #folder: ProjectFolder;
  readonly #none: IgnoreRules;
  readonly #rules = new Map<string, Promise<FolderRules>>();
  /** The rules of the folders above the project. */
  #above: IgnoreRules;
  #own: IgnoreRules;
  #exceptions = new GitExceptions(undefined, []);

  private constructor(folder: ProjectFolder) {
    this.#folder = folder;
    this.#none = new IgnoreRules(folder.tree.isCaseSensitive);
    this.#above = this.#none;
    this.#own = this.#none;
  }

  /**
   * A project whose pages are left out by `.gitignore` is not sent empty: what a tool has generated is the app. Rules of
   * `.gitignore` do not count in that folder, nor for files that the app can't do without; those of `.appbuildignore` do.
   *
   * @throws PackingError when an ignore file cannot be read, RulesTooLongError: what it leaves out would be sent
   */
  static async read(folder: ProjectFolder, content: ProjectContent): Promise<ProjectRules> {
    const rules = new ProjectRules(folder);
    rules.#own = await rules.#with(rules.#none, folder.path, OWN_FILE);
    rules.#above = await rules.#readAbove();
    const project = await rules.#with(rules.#above, folder.path);
    const pages = content.folder === folder.path ? project : await rules.#with(project, content.folder);
    const page = join(content.folder, 'index.html');
    rules.generated = rules.#own.ruleAgainst(page, false) === undefined ? pages.ruleAgainst(page, false) : undefined;
    const isSent = content.isMade || rules.generated !== undefined;
    rules.#exceptions = new GitExceptions(isSent ? content.folder : undefined, content.needed);
    return rules;
  }

  /** The rules that count in a folder of the project. @throws PackingError, RulesTooLongError */
  in(folder: string): Promise<FolderRules> {
    const rules = this.#rules.get(folder) ?? this.#readIn(folder);
    this.#rules.set(folder, rules);
    return rules;
  }

  async #readIn(folder: string): Promise<FolderRules> {
    const above = folder === this.#folder.path ? undefined : await this.in(folderAbove(folder));
    const git = await this.#with(above?.git ?? this.#above, folder);
    return above?.git === git ? above : new FolderRules(git, this.#own, this.#exceptions);
  }

  /** Rules of the folders above a project; none when they leave out the project itself, for it was chosen. */
  async #readAbove(): Promise<IgnoreRules> {
    const { path: project, tree } = this.#folder;
    const above: string[] = [];
    // A repository does not know the rules of the one that it lies in.
    for (let folder = project; folder !== '' && (await tree.kind(join(folder, '.git'))) === undefined;) {
      folder = folderAbove(folder);
      above.unshift(folder);
    }
    let rules = this.#none;
    for (const folder of above) {
      rules = await this.#with(rules, folder);
    }
    return project !== '' && rules.ruleAgainst(project, true) !== undefined ? this.#none : rules;
  }

  /** The rules, with those of an ignore file when the folder has one. As Git does, links to ignore files are not followed. */
  async #with(rules: IgnoreRules, folder: string, name = GIT_FILE): Promise<IgnoreRules> {
    const file = join(folder, name);
    const shown = this.#shown(file);
    const { tree } = this.#folder;
    const kind = await tree.kind(file);
    if (kind !== 'file') {
      return rules;
    }
    const bytes = await tree.head(file, MAX_CONFIGURATION_BYTES + 1).catch((error: unknown) => {
      throw PackingError.ofFile(shown, error);
    });
    return rules.with(new TextDecoder().decode(bytes), folder, shown);
  }

  /** The path of an ignore file below the project, or with `../` for each folder that it is above it. */
  #shown(file: string): string {
    const project = this.#folder.path;
    if (isBelow(file, project)) {
      return project === '' ? file : file.slice(project.length + 1);
    }
    const folder = folderAbove(file);
    const levels = project.split('/').length - (folder === '' ? 0 : folder.split('/').length);
    return '../'.repeat(levels) + file.slice(folder === '' ? 0 : folder.length + 1);
  }
}
