import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { repositoryRoot } from '../support/repository.ts';

/** Folder of the extension to build, package, and test: this repository or APP_BUILD_EXTENSION. */
export const extensionDirectory = process.env.APP_BUILD_EXTENSION ?? repositoryRoot;

/**
 * Builds dist/, as `npm run build` does. Skips the build if APP_BUILD_EXTENSION names a folder, or if
 * APP_BUILD_IS_BUILT is set.
 */
export async function buildExtension(): Promise<void> {
  if (extensionDirectory !== repositoryRoot || process.env.APP_BUILD_IS_BUILT !== undefined) {
    return;
  }
  await promisify(execFile)(process.execPath, ['esbuild.config.mjs'], { cwd: repositoryRoot });
}

/** Folders that aren't packaged. Without this, the packager would look at each of their many thousand files. */
const LEFT_OUT = new Set(['.git', '.vscode-test', 'node_modules', 'out', 'src', 'test']);

/**
 * Packages an extension folder, as `npm run package` does.
 * Its bundle must exist.
 * @param target absolute path of the output folder. Defaults to the git-ignored out/
 * @returns the absolute path of the VSIX
 */
export async function packageExtension(
  directory: string = extensionDirectory,
  target = path.join(repositoryRoot, 'out'),
): Promise<string> {
  const { name, version } = JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const packagePath = path.join(target, `${name}-${version}.vsix`);
  await mkdir(path.dirname(packagePath), { recursive: true });
  const copy = await mkdtemp(path.join(os.tmpdir(), 'app-build-package-'));
  try {
    await cp(directory, copy, { recursive: true, filter: (source) => !LEFT_OUT.has(path.relative(directory, source)) });
    await createVSIX({
      cwd: copy,
      packagePath,
      dependencies: false,
      // Test extensions have no repository.
      allowMissingRepository: true,
      skipLicense: true,
    });
  } finally {
    await rm(copy, { recursive: true });
  }
  return packagePath;
}
