import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LivePages } from '../../../../src/extension/devices/livePages.ts';
import type { WebFiles } from '../../../../src/extension/devices/network/webFiles.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { addFiles, fileUri, plan } from '../../../support/packing.ts';

describe('a live view of a project’s pages', () => {
  let folder: string;
  let live: LivePages;
  let shown: WebFiles;
  let told: unknown[];
  useFolderForEachTest(async (made) => {
    folder = made;
    await addFiles(folder, { 'index.html': '<p>one</p>' });
  });

  beforeEach(async () => {
    told = [];
    live = new LivePages((signal) => plan(folder, '', signal));
    shown = await live.read();
    live.follow(fileUri(folder), {
      show: async (files) => {
        const before = shown;
        shown = files;
        told.push(await readFile(join(files.folder, 'index.html'), 'utf8'));
        await before.dispose();
      },
      failed: (error) => told.push(error instanceof Error ? 'failed' : error),
    });
  });

  afterEach(async () => {
    live.dispose();
    await shown.dispose();
  });

  it('shows the pages again when they change', async () => {
    await live.refresh();
    await addFiles(folder, { 'index.html': '<p>two</p>' });
    await live.refresh();
    assert.deepEqual(told, [undefined, '<p>two</p>', undefined]);
  });

  it('reports no failure if the pages are disposed while they’re read', async () => {
    await addFiles(folder, { 'index.html': '<p>two</p>' });
    const refreshed = live.refresh();
    live.dispose();
    await refreshed;
    assert.deepEqual(told, []);
  });
});
