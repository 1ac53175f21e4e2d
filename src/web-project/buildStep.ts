import { posix } from 'node:path';

import { MAX_ENTRIES } from './limits.ts';
import type { ProjectFolder } from './projectFolder.ts';
import { GitRules } from './packing/ignoreRules.ts';
import { cancellable } from '../errors/index.ts';
import { folderAbove, join, resolvePath } from './paths.ts';
import type { ProjectLayout, ProjectKind } from './projectLayout.ts';
import { BUILD_SCRIPTS, type PackageJson, readPackageJson } from './projectJson.ts';
import { readCapacitorConfig } from './tools/buildTools.ts';
import { findNxProject, findProjectTools } from './tools/nxProject.ts';
import { getText } from './tools/toolConfig.ts';

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** A script in package.json that builds the pages of a project. */
export interface BuildStep {
  readonly manager: PackageManager;
  /** Name of the script, such as `build`. */
  readonly script: string;
  /** The full command, such as `npm run build`. */
  readonly command: string;
  /** Whether the script's dependencies still have to be installed. */
  readonly needsInstall: boolean;
}

/** Package managers, keyed by the name of their lock file. */
const LOCK_FILES: ReadonlyMap<string, PackageManager> = new Map([
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]);
/** Names of the folder or file in which a package manager installs packages. Yarn may use the file. */
const INSTALLED = ['node_modules', '.pnp.cjs'] as const;

/** Commands that run a program of an installed package. */
const RUNNERS: Readonly<Record<PackageManager, string>> = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  yarn: 'yarn',
  bun: 'bunx',
};

/** `nuxt build` creates a server, and `nuxt generate` creates pages. */
const SCRIPTS: Partial<Record<ProjectKind, readonly string[]>> = { nuxt: ['generate', 'build'] };

/**
 * Returns the script that builds the pages of a project, or undefined if its package.json has none. The package manager
 * and the installed packages may be in a folder above the project, as in a monorepo.
 *
 * @throws CancelledError
 */
export async function findBuildStep(folder: ProjectFolder, kind: ProjectKind): Promise<BuildStep | undefined> {
  const json = await readPackageJson(folder);
  // Capacitor packages the pages that another tool builds.
  const inner = kind === 'capacitor' ? await findProjectTools(folder) : [];
  const maker = inner.find((tool) => tool.kind !== 'capacitor')?.kind ?? kind;
  const nx = maker === 'nx' ? await findNxProject(folder) : undefined;
  const script = nx === undefined ? json && (await findScript(folder, maker, json)) : 'build';
  if (script === undefined || (nx !== undefined && !/^[\w@/.-]+$/.test(nx.name))) {
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
  const named = /^(npm|pnpm|yarn|bun)@/.exec(json?.packageManager ?? '')?.[1] as PackageManager | undefined;
  manager = named ?? manager ?? 'npm';
  const hasPackages = nx !== undefined || (json !== undefined && json.dependencies.length > 0);
  const command = nx === undefined ? `${manager} run ${script}` : `${RUNNERS[manager]} nx build ${nx.name}`;
  return { manager, script, command, needsInstall: hasPackages && !isInstalled };
}

/** Returns the script that runs a tool's build. */
async function findScript(
  folder: ProjectFolder,
  maker: ProjectKind,
  { scripts }: PackageJson,
): Promise<string | undefined> {
  const usual = (SCRIPTS[maker] ?? BUILD_SCRIPTS).find((name) => scripts.has(name));
  if (maker !== 'quasar') {
    return usual;
  }
  // Quasar writes each mode to its own folder. Capacitor expects the pages of one of them.
  const config = await readCapacitorConfig(folder);
  const mode = posix.basename((config && getText(config.at('webDir'))) ?? '') === 'pwa' ? 'pwa' : 'spa';
  const modeOf = (command: string) =>
    /\bquasar build\b/.test(command) ? (/\s(?:-m|--mode)[ =]([\w-]+)/.exec(command)?.[1] ?? 'spa') : undefined;
  return [...scripts].find(([, command]) => modeOf(command) === mode)?.[0] ?? usual;
}

/**
 * Matches entries that don't contain sources of the pages: packages, Android and iOS projects, and caches of tools, such
 * as Hexo's db.json.
 */
const NO_SOURCE = /^(?:node_modules|android|ios|platforms|plugins|db\.json)$|^\.|\.md$|lock/i;

/**
 * Returns a source file that changed after the pages were built. Returns undefined if no file did, or if Git tracks the
 * pages, because the timestamps of tracked files are from their checkout.
 *
 * @returns its path, relative to the project
 * @throws CancelledError
 */
export async function newerSource(
  project: ProjectFolder,
  { pages }: Pick<ProjectLayout, 'pages'>,
): Promise<string | undefined> {
  if (pages === '') {
    return undefined;
  }
  const rules = new GitRules(project.tree, project.path);
  const pagesPath = resolvePath(project.path, pages);
  const isInGit = await Promise.all(
    [project, ...project.above()].map(async (each) => (await each.names()).has('.git')),
  );
  const isKept = (await rules.in(folderAbove(pagesPath))).ruleAgainst(pagesPath, true) === undefined;
  if (isInGit.includes(true) && isKept) {
    return undefined;
  }
  const built = await newestFile(project.at(pagesPath), () => Promise.resolve(false));
  const source = await newestFile(project, async (path, isFolder) => {
    return path === pagesPath || (await rules.in(folderAbove(path))).ruleAgainst(path, isFolder) !== undefined;
  });
  return built !== undefined && source !== undefined && source.modifiedMs > built.modifiedMs
    ? source.path.slice(project.path === '' ? 0 : project.path.length + 1)
    : undefined;
}

/**
 * Returns the most recently changed file among the first {@link MAX_ENTRIES}. The path is relative to the top of the
 * tree, and the time is in milliseconds since 1970.
 */
async function newestFile(
  { tree, path: top, signal }: ProjectFolder,
  isLeftOut: (path: string, isFolder: boolean) => Promise<boolean>,
): Promise<{ readonly path: string; readonly modifiedMs: number } | undefined> {
  let newest = { path: '', modifiedMs: 0 };
  let files = 0;
  const folders = [top];
  // The loop adds folders to the array while it runs.
  for (const folder of folders) {
    for (const { name, kind } of await cancellable(
      tree.list(folder).catch(() => []),
      signal,
    )) {
      const path = join(folder, name);
      const isLookedAt = (kind === 'folder' || kind === 'file') && !NO_SOURCE.test(name) && files < MAX_ENTRIES;
      if (!isLookedAt || (await isLeftOut(path, kind === 'folder'))) {
        continue;
      }
      if (kind === 'folder') {
        folders.push(path);
        continue;
      }
      files += 1;
      const details = await cancellable(
        tree.details(path).catch(() => undefined),
        signal,
      );
      newest = details !== undefined && details.modifiedMs > newest.modifiedMs ? { path, ...details } : newest;
    }
  }
  return newest.path === '' ? undefined : newest;
}
