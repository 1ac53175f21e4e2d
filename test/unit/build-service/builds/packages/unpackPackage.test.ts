import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

import { checkPackage, unpackPackage } from '../../../../../src/build-service/builds/packages/uploadedPackage.ts';
import { chooseWebRoot, PackageError, readAppFiles } from '../../../../../src/android-package/index.ts';
import { zipFolder } from '../../../../../src/build-service/builds/packages/zipArchive.ts';
import { createZip } from '../../../../support/archives.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';

const signal = new AbortController().signal;

let folder: string;
let upload: string;
let target: string;
useFolderForEachTest((made) => {
  folder = made;
  upload = join(folder, 'upload');
  target = join(folder, 'unpacked');
  return mkdir(target);
});

/** Reads a folder: the content of files by path, and `null` for folders. */
async function getContent(path: string): Promise<Record<string, string | null>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const contents = entries.map(async (entry): Promise<[string, string | null]> => {
    const full = join(entry.parentPath, entry.name);
    return [relative(path, full).replaceAll('\\', '/'), entry.isFile() ? await readFile(full, 'utf8') : null];
  });
  return Object.fromEntries(await Promise.all(contents));
}

describe('packages: unpacking', () => {
  const files = {
    'www/index.html': '<!doctype html>',
    'www/js/app.js': 'large'.repeat(600_000),
    'config.xml': '<widget/>',
    'www/empty.txt': '',
    // These names are invalid on Windows, which rejects them earlier.
    ...(process.platform === 'win32' ? {} : { 'www/what? "<|>*.txt': 'odd' }),
  };
  const expected = { ...files, www: null, 'www/js': null, 'www/none': null };

  it('writes exactly the content of a zip archive, in files that only their owner can read', async () => {
    const entries = Object.entries(files).map(([name, content], index) => ({
      name,
      content,
      deflate: index % 2 === 1,
    }));
    await writeFile(upload, createZip([...entries, { name: 'www/none/' }]));
    assert.equal((await checkPackage(upload)).type, 'zip');
    await unpackPackage(upload, 'zip', target, signal);
    assert.deepEqual(await getContent(target), expected);
    if (process.platform !== 'win32') {
      for (const [path, content] of Object.entries(expected)) {
        assert.equal((await lstat(join(target, path))).mode & 0o777, content === null ? 0o700 : 0o600, path);
      }
    }
  });

  it('rejects a tar.gz archive, which earlier versions accepted', async () => {
    await writeFile(upload, gzipSync('index.html'));
    await assert.rejects(unpackPackage(upload, 'tar.gz', target, signal), {
      name: 'PackageError',
      message: 'The app is a tar.gz archive. Send the app as a .zip file or as a single HTML page.',
    });
    assert.deepEqual(await readdir(target), []);
  });

  it('creates an index.html from a single page', async () => {
    await writeFile(upload, '<html>page</html>');
    await chmod(upload, 0o644);
    await unpackPackage(upload, 'html', target, signal);
    assert.deepEqual(await getContent(target), { 'index.html': '<html>page</html>' });
    assert.equal((await lstat(join(target, 'index.html'))).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o600);
  });

  it('never writes through a link', async () => {
    await writeFile(join(folder, 'outside'), 'before');
    await writeFile(upload, createZip([{ name: 'a', content: 'after' }]));
    await symlink(join(folder, 'outside'), join(target, 'a'));
    await assert.rejects(unpackPackage(upload, 'zip', target, signal), PackageError);
    assert.equal(await readFile(join(folder, 'outside'), 'utf8'), 'before');
  });

  it('reports the first damaged file, and leaves none of the files that are written at the same time', async () => {
    const content = 'x'.repeat(2_000_000);
    const others = Array.from({ length: 12 }, (_, index) => ({ name: `other${index}`, content, deflate: true }));
    for (const deflate of [true, false]) {
      await writeFile(
        upload,
        createZip([{ name: 'small', content: 'y'.repeat(500), deflate, checksum: 1 }, ...others]),
      );
      await assert.rejects(unpackPackage(upload, 'zip', target, signal), /broken at "small": its checksum is wrong/);
      assert.deepEqual(await readdir(target), []);
    }
  });

  it('stops with the signal’s reason when aborted, and leaves no files', async () => {
    const entries = Array.from({ length: 500 }, (_, index) => ({ name: `${index}`, content: 'x'.repeat(5000) }));
    await writeFile(upload, createZip(entries));
    const reason = new Error('the build is wanted no more');
    await assert.rejects(unpackPackage(upload, 'zip', target, AbortSignal.abort(reason)), reason);
    assert.deepEqual(await readdir(target), []);
    const controller = new AbortController();
    const work = unpackPackage(upload, 'zip', target, controller.signal);
    while ((await readdir(target)).length === 0) {
      await new Promise(setImmediate);
    }
    controller.abort(reason);
    await assert.rejects(work, reason);
    assert.deepEqual(await readdir(target), []);
  });
});

describe('packages: packing a folder', () => {
  it('packs plain files in sorted order, skips links, and compresses uncompressed files', async () => {
    const source = join(folder, 'source');
    const files = {
      'a.txt': 'text'.repeat(1000),
      'www/img/é.png': 'png'.repeat(100),
      'www/index.html': '<html>',
    };
    await mkdir(join(source, 'www/img'), { recursive: true });
    await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(source, name), content)));
    await symlink('/etc', join(source, 'folder-link'));
    await symlink(join(folder, 'upload'), join(source, 'www/file-link'));
    await zipFolder(source, upload, signal);
    const bytes = await readFile(upload, 'latin1');
    assert.ok(bytes.indexOf('a.txt') < bytes.indexOf('index.html'));
    assert.ok(bytes.includes('png'.repeat(100)) && !bytes.includes('text'.repeat(10)));
    await unpackPackage(upload, 'zip', target, signal);
    assert.deepEqual(await getContent(target), { ...files, www: null, 'www/img': null });
    await assert.rejects(zipFolder(source, upload, signal), { code: 'EEXIST' });
    const reason = new Error('enough');
    await assert.rejects(zipFolder(source, join(folder, 'other'), AbortSignal.abort(reason)), reason);
  });

  it('fails if a file disappears while the folder is packed', async () => {
    const source = join(folder, 'source');
    await mkdir(source);
    await writeFile(join(source, 'a'), Buffer.alloc(32 * 1024 ** 2));
    await writeFile(join(source, 'b'), '');
    const packing = zipFolder(source, upload, signal);
    while (!existsSync(upload)) {
      await new Promise(setImmediate);
    }
    await rm(join(source, 'b'));
    await assert.rejects(packing, { code: 'ENOENT' });
  });
});

describe('packages: the web root', () => {
  const choices: readonly (readonly [paths: readonly string[], index?: string | undefined, config?: string])[] = [
    [['index.html'], 'index.html'],
    [['config.xml', 'www/index.html'], 'www/index.html', 'config.xml'],
    [['config.xml', 'index.html', 'www/index.html'], 'www/index.html', 'config.xml'],
    [['www/config.xml', 'www/index.html', 'www/a/index.html'], 'www/index.html', 'www/config.xml'],
    [['home/me/app/config.xml', 'home/me/app/www/index.html'], 'home/me/app/www/index.html', 'home/me/app/config.xml'],
    [['config.xml', 'platforms/x/www/index.html', 'www/index.html'], 'www/index.html', 'config.xml'],
    [['index.html', 'gallery/config.xml'], 'index.html'],
    [['b/index.html', 'a/index.html'], 'a/index.html'],
    [['app/src/index.html', 'app/www/index.html', 'deep/er/a/index.html'], 'app/www/index.html'],
    [
      ['node_modules/x/index.html', '__MACOSX/index.html', '.git/index.html', 'deep/er/index.html'],
      'deep/er/index.html',
    ],
    [['www/Index.html', 'index.htm', 'myindex.html']],
    [['config.xml', 'a/config.xml'], undefined, 'config.xml'],
  ];
  for (const [paths, index, config] of choices) {
    it(`is found in ${paths.join(', ')}`, () => {
      assert.deepEqual(chooseWebRoot(paths), { index, config });
      assert.deepEqual(chooseWebRoot(paths.toReversed()), { index, config });
    });
  }

  it('is the folder of config.xml’s start page if no index.html exists', async () => {
    await mkdir(join(target, 'app/www'), { recursive: true });
    await writeFile(join(target, 'app/config.xml'), '<widget><content src="start.html"/></widget>');
    await assert.rejects(readAppFiles(target, 'ios'), /^PackageError: The app doesn’t have an index\.html\. /);
    await writeFile(join(target, 'app/www/start.html'), '');
    assert.equal((await readAppFiles(target, 'ios')).webRoot, join(target, 'app/www'));
  });
});
