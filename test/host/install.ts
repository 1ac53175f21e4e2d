import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../support/repository.ts';
import { spawnNpm } from './npm.ts';
import type { VscodeVersion } from './versions.ts';

/** A folder in `packages/`: a package.json with exact versions and its lock file. */
type PackageSet = VscodeVersion | 'browser' | 'mutation' | 'plugins' | 'windows';

/** Extra npm options. Node for Windows is for a different system than this one, and tests only read the plugins' files. */
const OPTIONS: Partial<Record<PackageSet, readonly string[]>> = {
  plugins: ['--legacy-peer-deps', '--ignore-scripts'],
  windows: ['--force'],
};

/** Git-ignored. Contains PACKAGE SET/HASH OF ITS LOCK FILE. */
export const CACHE = path.join(repositoryRoot, '.vscode-test', 'host');

/**
 * Installs a package set from npm, once per lock file. The folder's name is a hash of the lock file and `preparation`,
 * so a change to either results in another folder.
 * @param preparation absolute paths of the source files that affect `prepare`
 * @param prepare changes the new installation before it's put into use
 * @returns the absolute path of the folder that contains `node_modules`
 * @throws Error if npm fails, after printing its output
 */
export async function installPackages(
  name: PackageSet,
  preparation: readonly string[],
  prepare: (directory: string) => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const manifests = ['package.json', 'package-lock.json'].map((file) =>
    path.join(import.meta.dirname, 'packages', name, file),
  );
  const sources = await Promise.all([...manifests, import.meta.filename, ...preparation].map((file) => readFile(file)));
  const hash = createHash('sha256').update(Buffer.concat(sources)).digest('hex').slice(0, 16);
  const directory = path.join(CACHE, name, hash);
  await prepareDirectory(directory, async (partial) => {
    console.log(`Installing test/host/packages/${name} from npm, once …`);
    const start = performance.now();
    for (const file of manifests) {
      await cp(file, path.join(partial, path.basename(file)));
    }
    await npmCi(partial, OPTIONS[name] ?? []);
    await prepare(partial);
    console.log(`Installed test/host/packages/${name} in ${Math.round((performance.now() - start) / 1000)} s.`);
  });
  await removeOutdated(directory);
  return directory;
}

/**
 * Creates `directory` completely or not at all: `fill` works in a sibling folder, which is then renamed. If several
 * processes do this at the same time, each fills its own folder, and the first rename wins.
 */
export async function prepareDirectory(directory: string, fill: (partial: string) => Promise<void>): Promise<void> {
  if (existsSync(directory)) {
    return;
  }
  const partial = path.join(path.dirname(directory), `partial-${process.pid}-${randomUUID()}`);
  await mkdir(partial, { recursive: true });
  try {
    await fill(partial);
    await rename(partial, directory);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(directory)) {
      throw error;
    }
  }
}

/**
 * Passes --ignore-scripts, because the packages' scripts compile native modules that the tests don't need and a bare computer can't build.
 */
function npmCi(directory: string, options: readonly string[]): Promise<void> {
  const args = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error', ...options];
  const child = spawnNpm([...args, '--prefix', directory], { cwd: directory, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) {
        resolve();
      } else {
        reject(new Error(`npm ci ended with ${code ?? signal ?? 'no code'}. Check the network and try again.`));
      }
    });
  });
}

/** Removes installations for other lock files, and incomplete folders of processes that have ended. */
export async function removeOutdated(current: string): Promise<void> {
  const parent = path.dirname(current);
  for (const name of await readdir(parent)) {
    const owner = /^partial-(\d+)-/.exec(name)?.[1];
    if (name !== path.basename(current) && (owner === undefined || !isRunning(Number(owner)))) {
      await rm(path.join(parent, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
