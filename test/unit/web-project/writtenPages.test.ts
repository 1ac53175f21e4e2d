import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import path from 'node:path';

import { DiskTree, ProjectFolder } from '../../../src/web-project/projectFolder.ts';
import { findWrittenPages } from '../../../src/web-project/writtenPages.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { addFiles } from '../../support/packing.ts';

describe('the search for the pages that a build wrote', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  /** Writes files of the project `app` with their modification times, in seconds since 1970. */
  async function write(times: Readonly<Record<string, number>>): Promise<void> {
    for (const [name, second] of Object.entries(times)) {
      await addFiles(folder, { [`app/${name}`]: '' });
      await utimes(path.join(folder, 'app', name), second, second);
    }
  }
  const written = (sinceMs?: number) => findWrittenPages(new ProjectFolder(new DiskTree(folder), 'app'), sinceMs);

  it('finds the folders whose index.html is new, the newest first', async () => {
    await write({
      'index.html': 99,
      'public/index.html': 10,
      'dist/www/index.html': 30,
      '.output/public/index.html': 40,
      'dist/docs/other.html': 50,
      'coverage/index.html': 20,
    });
    assert.deepEqual(await written(20_000), ['.output/public', 'dist/www', 'coverage']);
  });

  it('skips packages, native projects, and caches', async () => {
    const names = ['node_modules/a', 'android/app/public', 'ios/App', '.svelte-kit/out', 'platforms/android/www'];
    await write(Object.fromEntries(names.map((name) => [`${name}/index.html`, 50])));
    assert.deepEqual(await written(0), []);
  });

  it('is bounded', async () => {
    const names = Array.from({ length: 7 }, (_, index) => [`out/${index}/index.html`, 50 + index] as const);
    await write({ ...Object.fromEntries(names), 'a/b/c/d/index.html': 98, 'a/b/c/d/e/index.html': 99 });
    assert.deepEqual(await written(0), ['a/b/c/d', 'out/6', 'out/5', 'out/4', 'out/3']);
  });

  it('starts with the last change of package.json by default', async () => {
    await write({ 'package.json': 20, 'public/index.html': 20, 'dist/www/index.html': 21 });
    assert.deepEqual(await written(), ['dist/www']);
  });
});
