import { type DiskTree, ProjectFolder } from './projectFolder.ts';
import { IgnoreRules } from './packing/ignoreRules.ts';
import { cancellable } from './packing/cancellation.ts';
import { join } from './packing/paths.ts';
import type { Layout, ProjectKind } from './layout.ts';
import { readPackageJson } from './projectJson.ts';

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** How the pages of a project are built: a script of its package.json. */
export interface BuildStep {
  readonly manager: PackageManager;
  /** Name of the script, such as `build`. */
  readonly script: string;
  /** As a person types it, such as `npm run build`. */
  readonly command: string;
  /** The packages that the script needs are not installed yet. */
  readonly needsInstall: boolean;
}

/** The manager that wrote a lock file, by its name. */
const LOCK_FILES: ReadonlyMap<string, PackageManager> = new Map([
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]);
/** Where a manager has put packages: Yarn may keep them in a file. */
const INSTALLED = ['node_modules', '.pnp.cjs'] as const;

/** `nuxt build` makes a server; `nuxt generate` makes pages. */
const SCRIPTS: Partial<Record<ProjectKind, readonly string[]>> = { nuxt: ['generate', 'build'] };
const USUAL_SCRIPTS = ['build', 'build:prod', 'export'] as const;

/**
 * The script that builds the pages of a project; undefined when its package.json has none. Package manager and packages are those
 * of its own folder, else of one above it, as in a repository of several packages.
 *
 * @param path of the project below the top of the tree
 * @throws CancelledError
 */
export async function buildStepOf(
  tree: DiskTree,
  path: string,
  kind: ProjectKind,
  signal?: AbortSignal,
): Promise<BuildStep | undefined> {
  const json = await readPackageJson(new ProjectFolder(tree, path, signal));
  const script = (SCRIPTS[kind] ?? USUAL_SCRIPTS).find((name) => json?.scripts.has(name));
  if (json === undefined || script === undefined) {
    return undefined;
  }
  let manager: PackageManager | undefined;
  let isInstalled = false;
  for (const folder of [path, ...foldersAbove(path)]) {
    const names = await new ProjectFolder(tree, folder, signal).names();
    const lockFile = [...LOCK_FILES.keys()].find((name) => names.has(name));
    manager ??= lockFile === undefined ? undefined : LOCK_FILES.get(lockFile);
    isInstalled ||= INSTALLED.some((name) => names.has(name));
  }
  const named = /^(npm|pnpm|yarn|bun)@/.exec(json.packageManager ?? '')?.[1] as PackageManager | undefined;
  manager = named ?? manager ?? 'npm';
  const hasPackages = json.dependencies.length > 0;
  return { manager, script, command: `${manager} run ${script}`, needsInstall: hasPackages && !isInstalled };
}

/** The nearest first. */
function foldersAbove(path: string): readonly string[] {
  const names = path === '' ? [] : path.split('/');
  return names.map((_, index) => names.slice(0, names.length - 1 - index).join('/'));
}

/** Files that are looked at for the time of their last change. */
const MAX_FILES = 5_000;
/** What no page is made of: packages, projects of Android and iOS, what tools keep for themselves. */
const NO_SOURCE = /^(?:node_modules|android|ios|platforms|plugins|\..*|.*\.md|.*lock.*)$/i;

/**
 * A source that was changed after the pages were built; undefined when there is none, or that cannot be told. Pages that Git keeps
 * have the times of their checkout, which tell nothing.
 *
 * @param path of the project below the top of the tree
 * @returns its path below the project
 * @throws CancelledError
 */
export async function newerSource(
  tree: DiskTree,
  path: string,
  { pages }: Pick<Layout, 'pages'>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (pages === '') {
    return undefined;
  }
  const search = new NewestFile(tree, signal);
  const rules = await search.rulesAbove(path);
  const isKept = rules.ruleAgainst(join(path, pages), true) === undefined && (await search.isInGit(path));
  if (isKept) {
    return undefined;
  }
  const built = await search.newestIn(join(path, pages), new IgnoreRules(true), []);
  const source = await search.newestIn(path, rules, [join(path, pages)]);
  return built !== undefined && source !== undefined && source.modifiedMs > built.modifiedMs
    ? source.path.slice(path === '' ? 0 : path.length + 1)
    : undefined;
}

interface DatedFile {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** Looks for the file that was changed last. */
class NewestFile {
  readonly #tree: DiskTree;
  readonly #signal: AbortSignal | undefined;
  #files = 0;

  constructor(tree: DiskTree, signal: AbortSignal | undefined) {
    this.#tree = tree;
    this.#signal = signal;
  }

  /** The rules of Git that count in a folder. */
  async rulesAbove(path: string): Promise<IgnoreRules> {
    let rules = new IgnoreRules(this.#tree.isCaseSensitive);
    for (const folder of [...foldersAbove(path).toReversed(), path]) {
      rules = await this.#with(rules, folder);
    }
    return rules;
  }

  async isInGit(path: string): Promise<boolean> {
    for (const folder of [path, ...foldersAbove(path)]) {
      if ((await new ProjectFolder(this.#tree, folder, this.#signal).names()).has('.git')) {
        return true;
      }
    }
    return false;
  }

  /** @param skipped folders that are not looked into */
  async newestIn(folder: string, rules: IgnoreRules, skipped: readonly string[]): Promise<DatedFile | undefined> {
    let newest: DatedFile | undefined;
    const entries = await cancellable(
      this.#tree.list(folder).catch(() => []),
      this.#signal,
    );
    const inside = await this.#with(rules, folder);
    for (const { name, kind } of entries) {
      const path = join(folder, name);
      const isLookedAt = kind === 'folder' || kind === 'file';
      if (!isLookedAt || NO_SOURCE.test(name) || skipped.includes(path) || this.#files >= MAX_FILES) {
        continue;
      }
      if (inside.ruleAgainst(path, kind === 'folder') !== undefined) {
        continue;
      }
      const file = kind === 'folder' ? await this.newestIn(path, inside, skipped) : await this.#dated(path);
      newest = file !== undefined && file.modifiedMs > (newest?.modifiedMs ?? 0) ? file : newest;
    }
    return newest;
  }

  async #dated(path: string): Promise<DatedFile | undefined> {
    this.#files += 1;
    const details = await cancellable(
      this.#tree.details(path).catch(() => undefined),
      this.#signal,
    );
    return details && { path, modifiedMs: details.modifiedMs };
  }

  async #with(rules: IgnoreRules, folder: string): Promise<IgnoreRules> {
    const file = join(folder, '.gitignore');
    const text = await new ProjectFolder(this.#tree, folder, this.#signal).text('.gitignore');
    return text === undefined ? rules : rules.with(text, folder, file);
  }
}
