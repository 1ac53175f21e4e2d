/** What a person downloads and what VS Code loads. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { packageExtension } from '../../host/vsix.ts';
import { activationFiles } from '../../support/bundledFiles.ts';
import { repositoryRoot } from '../../support/repository.ts';
import { atMost, figure } from '../row.ts';
import type { Measure } from '../suite.ts';

const MAX_VSIX_KB = 1_500;
const MAX_LOADED_KB = 50;
const MAX_LOADED_FILES = 3;

export const measure: Measure = async () => {
  const dist = path.join(repositoryRoot, 'dist');
  const loaded = await activationFiles();
  return [
    atMost(
      { name: 'shipped, the VSIX', unit: 'kB', ours: [figure(await kilobytes(await packageExtension()))] },
      MAX_VSIX_KB,
    ),
    atMost(
      { name: 'shipped, loaded at activation', unit: 'kB', ours: [figure(await total(dist, loaded))] },
      MAX_LOADED_KB,
    ),
    atMost({ name: 'shipped, loaded at activation', unit: 'files', ours: [figure(loaded.length)] }, MAX_LOADED_FILES),
  ];
};

async function total(directory: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map((file) => kilobytes(path.join(directory, file))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function kilobytes(file: string): Promise<number> {
  return (await stat(file)).size / 1000;
}
