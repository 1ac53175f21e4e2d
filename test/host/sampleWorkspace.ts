import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sampleFiles } from '../../src/projects/samples/sampleFiles.ts';
import { repositoryRoot } from '../support/repository.ts';
import { SAMPLE_TEXTS } from '../support/sampleTexts.ts';

/** Settings, sessions and the sample workspace that `npm start` keeps; git-ignored. */
export const startDirectory = path.join(repositoryRoot, '.vscode-test', 'start');

/** Makes a small app to build, unless it is there. @returns the absolute path of its folder. */
export async function sampleWorkspace(): Promise<string> {
  const folder = path.join(startDirectory, 'workspace');
  for (const [name, content] of Object.entries(sampleFiles('cordova', SAMPLE_TEXTS).files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content, { flag: 'wx' }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    });
  }
  return folder;
}
