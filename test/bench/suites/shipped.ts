/** What a person downloads and what VS Code loads, beside figures that similar extensions have published. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { packageExtension } from '../../host/vsix.ts';
import { activationFiles, bundledFiles } from '../../support/bundledFiles.ts';
import { repositoryRoot } from '../../support/repository.ts';
import { atMost, ratioAtMost } from '../row.ts';
import type { Measure } from '../suite.ts';

/** kB after bundling, as their pull requests say. */
const PUBLISHED = [
  { name: 'vscode-bazel (#561)', size: 270 },
  { name: 'vscode-clangd (#287)', size: 500 },
  { name: 'Helm-Intellisense (#49)', size: 532 },
];
/** The most similar extension: a tree over a remote service, with its client. */
const MOST_SIMILAR = { name: 'vscode-pull-request-github (#213)', size: 3000 };

export const measure: Measure = async () => {
  const dist = path.join(repositoryRoot, 'dist');
  const vsix = await kilobytes(await packageExtension());
  const loaded = await activationFiles();
  const main = await total(dist, loaded);
  const all = await total(dist, await bundledFiles());
  return [
    atMost('shipped, the VSIX: kB', [vsix], 900),
    atMost('shipped, loaded at activation: kB', [main], 50),
    atMost('shipped, loaded at activation: files', [loaded.length], 3),
    ...PUBLISHED.map(({ name, size }) =>
      ratioAtMost(
        `shipped, loaded at activation: kB, beside the published figure of ${name}`,
        { ours: [main], peer: [size] },
        1,
      ),
    ),
    ratioAtMost(
      `shipped, all JavaScript: kB, beside the published figure of ${MOST_SIMILAR.name}`,
      { ours: [all], peer: [MOST_SIMILAR.size] },
      1,
    ),
  ];
};

async function total(directory: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map((file) => kilobytes(path.join(directory, file))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function kilobytes(file: string): Promise<number> {
  return (await stat(file)).size / 1000;
}
