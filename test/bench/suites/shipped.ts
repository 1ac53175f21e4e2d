/** What a person downloads and what VS Code loads, beside figures that kindred extensions have published. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { packageExtension } from '../../host/vsix.ts';
import { repositoryRoot } from '../../support/repository.ts';
import { atMost, ratioAtMost } from '../row.ts';
import type { Measure } from '../suite.ts';

/** kB after bundling, as their pull requests tell. */
const published = [
  { name: 'vscode-bazel (#561)', size: 270 },
  { name: 'vscode-clangd (#287)', size: 500 },
  { name: 'Helm-Intellisense (#49)', size: 532 },
];
/** The nearest kin: a tree over a remote service, with its client in it. */
const nearest = { name: 'vscode-pull-request-github (#213)', size: 3000 };

export const measure: Measure = async () => {
  const dist = path.join(repositoryRoot, 'dist');
  const vsix = await kilobytes(await packageExtension());
  const main = await kilobytes(path.join(dist, 'extension.js'));
  const files = (await readdir(dist)).filter((name) => name.endsWith('.js'));
  const all = (await Promise.all(files.map((name) => kilobytes(path.join(dist, name))))).reduce(
    (sum, size) => sum + size,
    0,
  );
  return [
    atMost('shipped, the VSIX: kB', [vsix], 500),
    atMost('shipped, dist/extension.js: kB', [main], 60),
    ...published.map(({ name, size }) =>
      ratioAtMost(
        `shipped, dist/extension.js: kB, beside the published figure of ${name}`,
        { ours: [main], peer: [size] },
        1,
      ),
    ),
    ratioAtMost(
      `shipped, all JavaScript: kB, beside the published figure of ${nearest.name}`,
      { ours: [all], peer: [nearest.size] },
      1,
    ),
  ];
};

async function kilobytes(file: string): Promise<number> {
  return (await stat(file)).size / 1000;
}
