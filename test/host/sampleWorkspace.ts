import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../support/repository.ts';

/** Settings, sessions and the sample workspace that `npm start` keeps; git-ignored. */
export const startDirectory = path.join(repositoryRoot, '.vscode-test', 'start');

/** Makes a small folder to open, unless it is there. @returns its absolute path. */
export async function sampleWorkspace(): Promise<string> {
  const folder = path.join(startDirectory, 'workspace');
  await mkdir(folder, { recursive: true });
  const text = '# Sample workspace\n\nOpen the Application Build Service view in the activity bar.\n';
  await writeFile(path.join(folder, 'README.md'), text, { flag: 'wx' }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  });
  return folder;
}
