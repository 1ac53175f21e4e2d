import { posix } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { MAX_CONFIGURATION_BYTES, MAX_PATH_BYTES } from '../limits.ts';
import { folderAbove, isBelow, join } from '../paths.ts';
import type { DiskTree, ProjectFolder } from '../projectFolder.ts';
import { PackingError } from './packingError.ts';

/** A line of an ignore file. */
export interface IgnoreRule {
  /** Path of the ignore file, as it's shown. */
  readonly file: string;
  /** As it is written there. */
  readonly rule: string;
}

/** What is left of a negated pattern's last segment when its wildcards are taken away: it names something. */
const NAMED = /[^*?./\s\\]/;

/**
 * The rules of ignore files, as git reads them: the last one that matches decides, and what is in a folder that is left out
 * cannot be taken in again. Paths are below the folder at the top, with `/`.
 *
 * Source: git-scm.com/docs/gitignore
 */
export class IgnoreRules {
  readonly #isCaseSensitive: boolean;
  /** Each is marked with its {@link IgnoreRule}, in JSON. */
  readonly #all: Ignore;
  /** The negated patterns that name something, without the others. */
  readonly #named: Ignore;

  constructor(isCaseSensitive: boolean, all = ignore(), named = ignore()) {
    this.#isCaseSensitive = isCaseSensitive;
    this.#all = all;
    this.#named = named;
  }

  /**
   * These rules and those of one more ignore file, which win.
   *
   * @param folder of the ignore file: its rules are about what is below it
   * @param file how the ignore file is called in {@link IgnoreRule}
   * @throws PackingError: a rule becomes an expression, and one longer than any path matches none
   */
  with(text: string, folder: string, file: string): IgnoreRules {
    const lines = text
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      // Of nothing but slashes no file is made.
      .filter((line) => !line.startsWith('#') && /[^/ ]/.test(line.replace(/^!/, '')));
    if (text.length > MAX_CONFIGURATION_BYTES || lines.some(({ length }) => length > MAX_PATH_BYTES)) {
      throw PackingError.ofIgnoreFile(file);
    }
    const added = lines.map((rule) => ({ pattern: below(folder, rule), mark: JSON.stringify({ file, rule }) }));
    const named = added.filter(({ pattern }) => pattern.startsWith('!') && NAMED.test(lastSegment(pattern)));
    return added.length === 0 ? this : this.#and(this.#rules().add(added), this.#rules().add(named));
  }

  /** These rules and others, which win. */
  followedBy(others: IgnoreRules): IgnoreRules {
    return this.#and(others.#all, others.#named);
  }

  /** The rule by which a path is left out, also when that is about a folder above it. */
  ruleAgainst(path: string, isFolder: boolean): IgnoreRule | undefined {
    const { rule } = this.#all.test(isFolder ? `${path}/` : path);
    return rule?.mark === undefined ? undefined : (JSON.parse(rule.mark) as IgnoreRule);
  }

  /** Whether a negated rule names this path itself: `!*.p12` names `a.p12`; `!www/` and `!www/**` do not name `www/a.p12`. */
  names(path: string, isFolder: boolean): boolean {
    return this.#named.test(isFolder ? `${path}/` : path).unignored;
  }

  /** Rules that were read before are not read again. */
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

/** The same rule, written for the folder at the top instead of a folder below it. */
function below(folder: string, line: string): string {
  if (folder === '') {
    return line;
  }
  const isNegated = line.startsWith('!');
  const body = isNegated ? line.slice(1) : line;
  const prefix = folder.replace(/[\\*?[\]!# ]/g, '\\$&');
  // A slash at the beginning or in the middle ties a rule to its own folder.
  const isTied = /\/ *[^/ ]/.test(body);
  return `${isNegated ? '!' : ''}${prefix}/${isTied ? '' : '**/'}${body.replace(/^\//, '')}`;
}

/**
 * The rules of the `.gitignore` files in the folders of a tree. Those of the folders above a project count, too, down from the
 * repository that it is in: a repository does not know the rules of the one that it lies in. Paths are below the top of the tree.
 */
export class GitRules {
  readonly #tree: DiskTree;
  readonly #project: string;
  readonly #rules = new Map<string, Promise<IgnoreRules>>();

  constructor(tree: DiskTree, project: string) {
    this.#tree = tree;
    this.#project = project;
  }

  /** The rules that count in a folder. @throws PackingError if an ignore file can't be read */
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
    // A project was chosen, so its own folder isn't left out.
    const isLeftOut = folder === this.#project && above.ruleAgainst(folder, true) !== undefined;
    return this.with(isLeftOut ? none : above, file);
  }

  /** The rules, with those of an ignore file if there is one, which win. As Git does, links to ignore files are not followed. */
  async with(rules: IgnoreRules, file: string): Promise<IgnoreRules> {
    if ((await this.#tree.kind(file)) !== 'file') {
      return rules;
    }
    const shown = posix.relative(this.#project, file);
    const bytes = await this.#tree.head(file, MAX_CONFIGURATION_BYTES + 1).catch((error: unknown) => {
      throw PackingError.ofFile(shown, error);
    });
    return rules.with(new TextDecoder().decode(bytes), folderAbove(file), shown);
  }
}

/** The folder of the pages, whether a script makes them, and files that the app can't do without. */
interface ProjectContent {
  readonly pages: string;
  readonly isMade: boolean;
  readonly needed: readonly string[];
}

/**
 * The rules of a project's ignore files; those of its `.appbuildignore` win. A project whose pages are left out by `.gitignore` is not
 * sent empty: what a tool has generated is the app. So rules of `.gitignore` do not count in that folder, nor for files that the app
 * can't do without. Paths are below the top of the tree.
 */
export class ProjectRules {
  /** The rule of `.gitignore` that names the pages, which are sent all the same. */
  readonly generated: IgnoreRule | undefined;
  readonly #git: GitRules;
  readonly #own: IgnoreRules;
  /** The folder of the pages, if `.gitignore` does not count in it. */
  readonly #pages: string | undefined;
  readonly #needed: readonly string[];
  /** With those of `.appbuildignore`, by those of `.gitignore`. */
  readonly #all = new Map<IgnoreRules, IgnoreRules>();

  private constructor(git: GitRules, own: IgnoreRules, content: ProjectContent, generated: IgnoreRule | undefined) {
    this.#git = git;
    this.#own = own;
    this.generated = generated;
    this.#pages = content.isMade || generated !== undefined ? content.pages : undefined;
    this.#needed = content.needed;
  }

  /** @throws PackingError if an ignore file can't be read: what it leaves out would be sent */
  static async read({ tree, path }: ProjectFolder, content: ProjectContent): Promise<ProjectRules> {
    const git = new GitRules(tree, path);
    const own = await git.with(new IgnoreRules(tree.isCaseSensitive), join(path, '.appbuildignore'));
    const pages = await git.in(content.pages);
    const page = join(content.pages, 'index.html');
    const isRefused = own.ruleAgainst(page, false) !== undefined;
    return new ProjectRules(git, own, content, isRefused ? undefined : pages.ruleAgainst(page, false));
  }

  /** The rules that count in a folder of the project. @throws PackingError */
  async in(folder: string): Promise<IgnoreRules> {
    const git = await this.#git.in(folder);
    const all = this.#all.get(git) ?? git.followedBy(this.#own);
    this.#all.set(git, all);
    return all;
  }

  /** The rule by which a path is left out. @param all those that count in its folder */
  ruleAgainst(all: IgnoreRules, path: string, isFolder: boolean): IgnoreRule | undefined {
    const isNeeded = this.#needed.some((file) => (isFolder ? path !== '' && isBelow(file, path) : file === path));
    return (isNeeded || this.#isInPages(path) ? this.#own : all).ruleAgainst(path, isFolder);
  }

  /** The rule that would leave out a needed file; undefined if `.appbuildignore` takes it in. */
  overruled(all: IgnoreRules, path: string): IgnoreRule | undefined {
    return this.#needed.includes(path) && !this.#isInPages(path) ? all.ruleAgainst(path, false) : undefined;
  }

  /** Whether a line of `.appbuildignore` asks for this path itself, though it would never be sent otherwise. */
  requests(path: string, isFolder: boolean): boolean {
    return this.#own.names(path, isFolder);
  }

  /** Also of a folder on the way to them, such as `.output` of `.output/public`. */
  #isInPages(path: string): boolean {
    const folder = this.#pages;
    return folder !== undefined && (path === folder || isBelow(path, folder) || isBelow(folder, path));
  }
}

/** A file or folder, below the project, with `/`. */
export interface IgnoredPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * The line of an ignore file that leaves out one path and no other. It begins with `/`, which ties it to the folder of the
 * ignore file; what the format gives a meaning is escaped.
 *
 * Source: git-scm.com/docs/gitignore
 */
export function ignoreLine({ path, isFolder }: IgnoredPath): string {
  const escaped = path.replace(/[\\*?[\]]/g, '\\$&');
  // Spaces at the end would be taken away.
  return `/${isFolder ? `${escaped}/` : escaped.replace(/(?<! ) +$/, (spaces) => '\\ '.repeat(spaces.length))}`;
}

/** The text of an ignore file with the line that leaves out a path, unless its rules do already. @throws PackingError */
export function withLine(text: string, path: IgnoredPath): string {
  // On a file system that ignores case, a line too many does no harm.
  if (new IgnoreRules(true).with(text, '', '.appbuildignore').ruleAgainst(path.path, path.isFolder) !== undefined) {
    return text;
  }
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : end;
  return text + start + ignoreLine(path) + end;
}

/** The text without the lines that {@link withLine} adds for a path. */
export function withoutLine(text: string, path: IgnoredPath): string {
  const line = ignoreLine(path);
  return text
    .split('\n')
    .filter((each) => each.replace(/\r$/, '') !== line)
    .join('\n');
}
