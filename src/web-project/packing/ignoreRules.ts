import { posix } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { MAX_CONFIGURATION_BYTES, MAX_PATH_BYTES } from '../limits.ts';
import { folderAbove, isBelow, join } from '../paths.ts';
import type { DiskTree, ProjectFolder } from '../projectFolder.ts';
import { PackingError } from './packingError.ts';

/** A line of an ignore file. */
export interface IgnoreRule {
  /** Path of the ignore file, for display. */
  readonly file: string;
  /** The line as written. */
  readonly rule: string;
}

/**
 * Matches a character that isn't part of a wildcard. If the last segment of a negated pattern contains one, the pattern
 * refers to a specific name.
 */
const NAMED = /[^*?./\s\\]/;

/**
 * The rules of ignore files, which work as in Git. The last matching rule wins. An entry in an excluded folder can't be
 * included again. Paths are relative to the top folder and use `/`.
 *
 * Source: git-scm.com/docs/gitignore
 */
export class IgnoreRules {
  readonly #isCaseSensitive: boolean;
  /** All rules. The mark of each rule is its {@link IgnoreRule} in JSON. */
  readonly #all: Ignore;
  /** Only the negated patterns that refer to a specific name. */
  readonly #named: Ignore;

  constructor(isCaseSensitive: boolean, all = ignore(), named = ignore()) {
    this.#isCaseSensitive = isCaseSensitive;
    this.#all = all;
    this.#named = named;
  }

  /**
   * Returns these rules with those of another ignore file, which take precedence.
   *
   * @param folder the folder of the ignore file. The rules apply to that folder's entries
   * @param file the ignore file's name in {@link IgnoreRule}
   * @throws PackingError if the file is too large, or if a rule is longer than any path and therefore can't match
   */
  with(text: string, folder: string, file: string): IgnoreRules {
    const lines = text
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      // A file name can't consist only of slashes.
      .filter((line) => !line.startsWith('#') && /[^/ ]/.test(line.replace(/^!/, '')));
    if (text.length > MAX_CONFIGURATION_BYTES || lines.some(({ length }) => length > MAX_PATH_BYTES)) {
      throw PackingError.forIgnoreFile(file);
    }
    const added = lines.map((rule) => ({ pattern: rebaseRule(folder, rule), mark: JSON.stringify({ file, rule }) }));
    const named = added.filter(({ pattern }) => pattern.startsWith('!') && NAMED.test(lastSegment(pattern)));
    return added.length === 0 ? this : this.#and(this.#rules().add(added), this.#rules().add(named));
  }

  /** Returns these rules followed by others, which take precedence. */
  followedBy(others: IgnoreRules): IgnoreRules {
    return this.#and(others.#all, others.#named);
  }

  /** Returns the rule that excludes a path or one of the folders above it. */
  ruleAgainst(path: string, isFolder: boolean): IgnoreRule | undefined {
    const { rule } = this.#all.test(isFolder ? `${path}/` : path);
    return rule?.mark === undefined ? undefined : (JSON.parse(rule.mark) as IgnoreRule);
  }

  /**
   * Reports whether a negated rule refers to this specific path. `!*.p12` refers to `a.p12`, but `!www/` and `!www/**`
   * don't refer to `www/a.p12`.
   */
  names(path: string, isFolder: boolean): boolean {
    return this.#named.test(isFolder ? `${path}/` : path).unignored;
  }

  #and(all: Ignore, named: Ignore): IgnoreRules {
    return new IgnoreRules(
      this.#isCaseSensitive,
      this.#rules().add([this.#all, all]),
      this.#rules().add([this.#named, named]),
    );
  }

  #rules(): Ignore {
    return ignore({ ignorecase: !this.#isCaseSensitive });
  }
}

function lastSegment(pattern: string): string {
  return pattern.slice(1).replace(/\/ *$/, '').split('/').at(-1) ?? '';
}

/** Rewrites a rule of a subfolder's ignore file for the top folder. */
function rebaseRule(folder: string, line: string): string {
  if (folder === '') {
    return line;
  }
  const isNegated = line.startsWith('!');
  const body = isNegated ? line.slice(1) : line;
  const prefix = folder.replace(/[\\*?[\]!# ]/g, '\\$&');
  // A slash at the beginning or in the middle anchors a rule to its folder.
  const isTied = /\/ *[^/ ]/.test(body);
  const path = body.replace(/^\//, '');
  // Git has no such rule, but the pages may be beside the project.
  const rebased = path.startsWith('../') ? posix.join(prefix, path) : `${prefix}/${isTied ? '' : '**/'}${path}`;
  return `${isNegated ? '!' : ''}${rebased}`;
}

/**
 * The rules of the `.gitignore` files in the folders of a tree. For a project, the rules of its parent folders also
 * apply, up to the root of its repository but not of an enclosing repository. Paths are relative to the top of the
 * tree.
 */
export class GitRules {
  readonly #tree: DiskTree;
  readonly #project: string;
  readonly #rules = new Map<string, Promise<IgnoreRules>>();

  constructor(tree: DiskTree, project: string) {
    this.#tree = tree;
    this.#project = project;
  }

  /**
   * Returns the rules that apply in a folder.
   *
   * @throws PackingError if an ignore file can't be read
   */
  in(folder: string): Promise<IgnoreRules> {
    const rules = this.#rules.get(folder) ?? this.#read(folder);
    this.#rules.set(folder, rules);
    return rules;
  }

  async #read(folder: string): Promise<IgnoreRules> {
    const none = new IgnoreRules(this.#tree.isCaseSensitive);
    const file = join(folder, '.gitignore');
    const mayBeginHere = folder === this.#project || isBelow(this.#project, folder);
    if (folder === '' || (mayBeginHere && (await this.#tree.kind(join(folder, '.git'))) !== undefined)) {
      return this.with(none, file);
    }
    const above = await this.in(folderAbove(folder));
    // The user chose the project, so rules don't exclude the project's own folder.
    const isLeftOut = folder === this.#project && above.ruleAgainst(folder, true) !== undefined;
    return this.with(isLeftOut ? none : above, file);
  }

  /**
   * Returns the rules followed by those of an ignore file, if it exists. Like Git, doesn't follow a link to an ignore
   * file.
   */
  async with(rules: IgnoreRules, file: string): Promise<IgnoreRules> {
    if ((await this.#tree.kind(file)) !== 'file') {
      return rules;
    }
    const shown = posix.relative(this.#project, file);
    const bytes = await this.#tree.head(file, MAX_CONFIGURATION_BYTES + 1).catch((error: unknown) => {
      throw PackingError.forFile(shown, error);
    });
    return rules.with(new TextDecoder().decode(bytes), folderAbove(file), shown);
  }
}

/** The pages folder, whether a script generates it, and the files that the app needs. */
interface ProjectContent {
  readonly pages: string;
  readonly isMade: boolean;
  readonly needed: readonly string[];
}

/**
 * The rules of a project's ignore files. The rules of its `.appbuildignore` take precedence. The rules of `.gitignore`
 * don't apply in the folder of generated pages, which are the app, or to files that the app needs. Paths are relative
 * to the top of the tree.
 */
export class ProjectRules {
  /** The rule of `.gitignore` that excludes the pages. They're packaged anyway. */
  readonly generated: IgnoreRule | undefined;
  readonly #git: GitRules;
  readonly #own: IgnoreRules;
  /** The pages folder, if `.gitignore` doesn't apply in it. */
  readonly #pages: string | undefined;
  readonly #needed: readonly string[];
  /** The rules of `.gitignore`, mapped to those rules followed by the rules of `.appbuildignore`. */
  readonly #all = new Map<IgnoreRules, IgnoreRules>();

  private constructor(git: GitRules, own: IgnoreRules, content: ProjectContent, generated: IgnoreRule | undefined) {
    this.#git = git;
    this.#own = own;
    this.generated = generated;
    this.#pages = content.isMade || generated !== undefined ? content.pages : undefined;
    this.#needed = content.needed;
  }

  /**
   * Reads the ignore files.
   *
   * @throws PackingError if an ignore file can't be read, because otherwise the files that it excludes would be
   * packaged
   */
  static async read({ tree, path }: ProjectFolder, content: ProjectContent): Promise<ProjectRules> {
    const git = new GitRules(tree, path);
    const own = await git.with(new IgnoreRules(tree.isCaseSensitive), join(path, '.appbuildignore'));
    const pages = await git.in(content.pages);
    const page = join(content.pages, 'index.html');
    const isRefused = own.ruleAgainst(page, false) !== undefined;
    return new ProjectRules(git, own, content, isRefused ? undefined : pages.ruleAgainst(page, false));
  }

  /**
   * Returns the rules that apply in a folder of the project.
   *
   * @throws PackingError
   */
  async in(folder: string): Promise<IgnoreRules> {
    const git = await this.#git.in(folder);
    const all = this.#all.get(git) ?? git.followedBy(this.#own);
    this.#all.set(git, all);
    return all;
  }

  /**
   * Returns the rule that excludes a path.
   *
   * @param all the rules that apply in its folder
   */
  ruleAgainst(all: IgnoreRules, path: string, isFolder: boolean): IgnoreRule | undefined {
    const isNeeded = this.#needed.some((file) => (isFolder ? path !== '' && isBelow(file, path) : file === path));
    return (isNeeded || this.#isInPages(path) ? this.#own : all).ruleAgainst(path, isFolder);
  }

  /** Returns the rule that would exclude a file that the app needs, unless `.appbuildignore` includes the file. */
  findOverruledRule(all: IgnoreRules, path: string): IgnoreRule | undefined {
    return this.#needed.includes(path) && !this.#isInPages(path) ? all.ruleAgainst(path, false) : undefined;
  }

  /**
   * Reports whether a line of `.appbuildignore` specifically includes a path that would otherwise never be packaged.
   */
  requests(path: string, isFolder: boolean): boolean {
    return this.#own.names(path, isFolder);
  }

  /**
   * Reports whether a path is the pages folder, is in it, or is one of its parents, such as `.output` for
   * `.output/public`.
   */
  #isInPages(path: string): boolean {
    const folder = this.#pages;
    return folder !== undefined && (path === folder || isBelow(path, folder) || isBelow(folder, path));
  }
}

/** A file or folder, relative to the project, with `/`. */
export interface IgnoredPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Returns the line of an ignore file that excludes exactly one path. The line begins with `/`, which anchors it to the
 * folder of the ignore file. Escapes special characters.
 *
 * Source: git-scm.com/docs/gitignore
 */
export function ignoreLine({ path, isFolder }: IgnoredPath): string {
  const escaped = path.replace(/[\\*?[\]]/g, '\\$&');
  // Git removes trailing spaces that aren't escaped.
  return `/${isFolder ? `${escaped}/` : escaped.replace(/(?<! ) +$/, (spaces) => '\\ '.repeat(spaces.length))}`;
}

/**
 * Returns the text of an ignore file with a line added that excludes a path, unless the rules already exclude it.
 *
 * @throws PackingError
 */
export function withLine(text: string, path: IgnoredPath): string {
  // On a case-insensitive file system, this may add a redundant line, which does no harm.
  const rules = new IgnoreRules(true).with(text, '', '.appbuildignore');
  // Rules can't be tested with a path out of the folder.
  if (!path.path.startsWith('../') && rules.ruleAgainst(path.path, path.isFolder) !== undefined) {
    return text;
  }
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : end;
  return text + start + ignoreLine(path) + end;
}

/** Returns the text without the lines that {@link withLine} adds for a path. */
export function withoutLine(text: string, path: IgnoredPath): string {
  const line = ignoreLine(path);
  return text
    .split('\n')
    .filter((each) => each.replace(/\r$/, '') !== line)
    .join('\n');
}
