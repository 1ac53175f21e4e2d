import { MAX_ENTRIES } from './limits.ts';
import type { ProjectFolder } from './projectFolder.ts';
import { IgnoreRules } from './packing/ignoreRules.ts';
import { cancellable } from '../api/errors/cancelledError.ts';
import { join } from './paths.ts';
import type { Layout, ProjectKind } from './layout.ts';
import { BUILD_SCRIPTS, readPackageJson } from './projectJson.ts';

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

/**
 * The script that builds the pages of a project; undefined when its package.json has none. Package manager and packages are those
 * of its own folder, else of one above it, as in a repository of several packages.
 *
 * @throws CancelledError
 */
export async function buildStepOf(folder: ProjectFolder, kind: ProjectKind): Promise<BuildStep | undefined> {
  const json = await readPackageJson(folder);
  // Capacitor packages the pages that another tool makes.
  const maker = kind === 'capacitor' && json?.dependencies.includes('nuxt') === true ? 'nuxt' : kind;
  const script = (SCRIPTS[maker] ?? BUILD_SCRIPTS).find((name) => json?.scripts.has(name));
  if (json === undefined || script === undefined) {
    return undefined;
  }
  let manager: PackageManager | undefined;
  let isInstalled = false;
  for (const each of [folder, ...folder.above()]) {
    const names = await each.names();
    const lockFile = [...LOCK_FILES.keys()].find((name) => names.has(name));
    manager ??= lockFile === undefined ? undefined : LOCK_FILES.get(lockFile);
    isInstalled ||= INSTALLED.some((name) => names.has(name));
  }
  const named = /^(npm|pnpm|yarn|bun)@/.exec(json.packageManager ?? '')?.[1] as PackageManager | undefined;
  manager = named ?? manager ?? 'npm';
  const hasPackages = json.dependencies.length > 0;
  return { manager, script, command: `${manager} run ${script}`, needsInstall: hasPackages && !isInstalled };
}

/** Files that no page is made of: packages, projects of Android and iOS, caches of tools. */
const NO_SOURCE = /^(?:node_modules|android|ios|platforms|plugins)$|^\.|\.md$|lock/i;

/**
 * A source that was changed after the pages were built; undefined when there is none, or no way to find out. Pages that Git keeps
 * have the times of their checkout, which prove nothing.
 *
 * @returns its path below the project
 * @throws CancelledError
 */
export async function newerSource(
  project: ProjectFolder,
  { pages }: Pick<Layout, 'pages'>,
): Promise<string | undefined> {
  if (pages === '') {
    return undefined;
  }
  const folders = [...project.above().toReversed(), project];
  let rules = new IgnoreRules(project.tree.isCaseSensitive);
  for (const folder of folders) {
    rules = await folder.withOwnRules(rules);
  }
  const pagesPath = join(project.path, pages);
  const isInGit = (await Promise.all(folders.map((folder) => folder.names()))).some((names) => names.has('.git'));
  if (isInGit && rules.ruleAgainst(pagesPath, true) === undefined) {
    return undefined;
  }
  const search = new NewestFile();
  const built = await search.newestIn(project.at(pagesPath), new IgnoreRules(true), undefined);
  const source = await search.newestIn(project, rules, pagesPath);
  return built !== undefined && source !== undefined && source.modifiedMs > built.modifiedMs
    ? source.path.slice(project.path === '' ? 0 : project.path.length + 1)
    : undefined;
}

interface DatedFile {
  /** Below the top of the tree. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** Looks for the file that was changed last, among {@link MAX_ENTRIES}. */
class NewestFile {
  #files = 0;

  /** @param skipped a folder that is not looked into, below the top of the tree */
  async newestIn(
    folder: ProjectFolder,
    above: IgnoreRules,
    skipped: string | undefined,
  ): Promise<DatedFile | undefined> {
    const { tree, signal } = folder;
    const list = tree.list(folder.path).catch(() => []);
    const entries = await cancellable(list, signal);
    const rules = await folder.withOwnRules(above);
    let newest: DatedFile | undefined;
    for (const { name, kind } of entries) {
      const path = join(folder.path, name);
      const isLookedAt = (kind === 'folder' || kind === 'file') && !NO_SOURCE.test(name) && path !== skipped;
      if (!isLookedAt || this.#files >= MAX_ENTRIES || rules.ruleAgainst(path, kind === 'folder') !== undefined) {
        continue;
      }
      const file =
        kind === 'folder' ? await this.newestIn(folder.at(path), rules, skipped) : await this.#dated(folder, path);
      newest = file !== undefined && file.modifiedMs > (newest?.modifiedMs ?? 0) ? file : newest;
    }
    return newest;
  }

  async #dated({ tree, signal }: ProjectFolder, path: string): Promise<DatedFile | undefined> {
    this.#files += 1;
    const details = tree.details(path).catch(() => undefined);
    const modifiedMs = (await cancellable(details, signal))?.modifiedMs;
    return modifiedMs === undefined ? undefined : { path, modifiedMs };
  }
}
