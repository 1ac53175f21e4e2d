import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { build, type Plugin } from 'esbuild';

import { repositoryRoot } from '../support/repository.ts';

const configFile = pathToFileURL(path.join(repositoryRoot, 'esbuild.config.mjs')).href;
const { throughFaces } = (await import(configFile)) as { readonly throughFaces: Plugin };

/** This limit may only be lowered. */
const MAX_FILES = 77;

/** Lists the files of `src/` that a module needs at run time: imports of values, except lazy ones. */
async function reachedFrom(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: repositoryRoot,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    plugins: [throughFaces],
  });
  const reached = new Set([entry]);
  for (const file of reached) {
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) {
        reached.add(path);
      }
    }
  }
  return [...reached].sort();
}

describe('the main job', () => {
  it(`reaches at most ${MAX_FILES} files from the command to the uploaded package`, async () => {
    const files = await reachedFrom('src/extension/apps/builds/buildFolder.ts');
    assert.ok(
      files.includes('src/web-project/projectLayout.ts') && files.includes('src/extension/apps/builds/startBuild.ts'),
    );
    assert.ok(files.length <= MAX_FILES, `${files.length}:\n${files.join('\n')}`);
  });
});
