import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../support/repository.ts';

/** Whoever opens the page waits for them. */
const MAX_PICTURE_BYTES = 150_000;

describe('the README', () => {
  it('shows the pictures that there are: each has what can be read in it beside it, and none is large', async () => {
    const folder = path.join(repositoryRoot, 'media', 'pictures');
    const readme = await readFile(path.join(repositoryRoot, 'README.md'), 'utf8');
    const images = [...readme.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, words = '', file = '']) => ({
      words,
      file,
    }));
    const files = await readdir(folder);
    const pictures = files.filter((file) => file.endsWith('.png'));
    assert.deepEqual(images.map(({ file }) => file).sort(), pictures.map((file) => `media/pictures/${file}`).sort());
    assert.deepEqual(files.sort(), pictures.flatMap((file) => [file, file.replace(/png$/, 'txt')]).sort());
    for (const { words, file } of images) {
      assert.ok(words.length > 20, `${file} is described for those who cannot see it`);
      const { size } = await stat(path.join(repositoryRoot, file));
      assert.ok(size <= MAX_PICTURE_BYTES, `${file}: ${size} bytes`);
    }
  });
});
