import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sampleFiles } from '../../src/apps/sampleFiles.ts';
import { repositoryRoot } from '../support/repository.ts';

/** Settings, sessions and the sample workspace that `npm start` keeps; git-ignored. */
export const startDirectory = path.join(repositoryRoot, '.vscode-test', 'start');

/** Makes a small app to build, unless it is there. @returns the absolute path of its folder. */
export async function sampleWorkspace(): Promise<string> {
  const folder = path.join(startDirectory, 'workspace');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(sampleFiles('Hello from your first app!'))) {
    await writeFile(path.join(folder, name), text, { flag: 'wx' }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    });
  }
  return folder;
}
