import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { formatSentence } from '../../src/errors/sentence.ts';
import { writeSampleProject } from '../../src/extension/commands/sampleFiles.ts';
import { repositoryRoot } from '../support/repository.ts';

/** Git-ignored folder of the settings, sessions, and sample workspace of `npm start`. */
export const startDirectory = path.join(repositoryRoot, '.vscode-test', 'start');

/** Creates a small sample app if it doesn't exist. @returns the absolute path of its folder */
export async function sampleWorkspace(): Promise<string> {
  const parent = path.join(startDirectory, 'workspace');
  const folder = path.join(parent, 'hello-app');
  if ((await stat(folder).catch(() => undefined)) === undefined) {
    await mkdir(parent, { recursive: true });
    await writeSampleProject(parent, 'cordova', { language: 'en', toText: formatSentence });
  }
  return folder;
}
