import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { repositoryRoot } from '../support/repository.ts';

/** The extension that is built, packaged and tested: this repository's, or the folder that APP_BUILD_EXTENSION names. */
export const extensionDirectory = process.env.APP_BUILD_EXTENSION ?? repositoryRoot;

/**
 * Builds dist/, as `npm run build` does. The folder that APP_BUILD_EXTENSION names is taken as it is, and so is what
 * APP_BUILD_IS_BUILT says has just been built.
 */
export async function buildExtension(): Promise<void> {
  if (extensionDirectory !== repositoryRoot || process.env.APP_BUILD_IS_BUILT !== undefined) {
    return;
  }
  await promisify(execFile)(process.execPath, ['esbuild.config.mjs'], { cwd: repositoryRoot });
}

/**
 * Packages an extension's folder, as `npm run package` does.
 * Its bundle must have been built.
 * @param target an absolute path. Default: the git-ignored out/.
 * @returns the absolute path of the VSIX, in that folder.
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
  await createVSIX({
    cwd: directory,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
    skipLicense: true,
  });
  return packagePath;
}
