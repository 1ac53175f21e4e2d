import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { CancelledError, Failure } from '../../../../../src/errors/index.ts';
import {
  type CopiedFiles,
  copyWebFiles,
  unpackWebFiles,
  type WebFiles,
} from '../../../../../src/extension/devices/network/webFiles.ts';
import { MAX_RESOURCE_BYTES } from '../../../../../src/service-client/index.ts';
import { PackingError } from '../../../../../src/web-project/index.ts';
import { createZip, type ZipEntry } from '../../../../support/archives.ts';
import { useFolderForEachTest, useTemporaryFolderForEachTest } from '../../../../support/hooks.ts';
import { createPackage } from '../../../../support/networkSites.ts';
import { addFiles, type Files, plan } from '../../../../support/packing.ts';
import { privateKey } from '../../../../support/secrets.ts';
import { captureFailure } from '../../../../support/servers.ts';

const PAGE = { name: 'assets/www/index.html', content: '<h1>Shop</h1>' };
const LARGE = { name: 'assets/www/large', content: 'x', deflate: true };
const SYMBOLIC_LINK = 0o120777;

describe('unpacking the pages in a package', () => {
  let file = '';
  const unpacked: WebFiles[] = [];
  useFolderForEachTest((folder) => {
    file = join(folder, 'app.apk');
  });
  let temporary: string;
  useTemporaryFolderForEachTest((made) => (temporary = made));
  afterEach(() => Promise.all(unpacked.splice(0).map((files) => files.dispose())));

  async function unpack(bytes: Buffer): Promise<WebFiles> {
    await writeFile(file, bytes);
    const files = await unpackWebFiles(file, new AbortController().signal);
    unpacked.push(files);
    return files;
  }

  /** Returns the failure of unpacking, and asserts that it leaves no folder. */
  async function failure(bytes: Buffer): Promise<Failure> {
    const before = await readdir(temporary);
    const error = await captureFailure(Failure, unpack(bytes));
    assert.deepEqual(await readdir(temporary), before);
    return error;
  }

  it('writes to a folder that only this account can read, until it’s disposed', async () => {
    const files = await unpack(createPackage({ 'index.html': 'start', 'js/app.js': 'run()', 'empty.txt': '' }));
    assert.equal(await readFile(join(files.folder, 'js', 'app.js'), 'utf8'), 'run()');
    const names = await readdir(files.folder, { recursive: true });
    assert.deepEqual(names.sort(), ['empty.txt', 'index.html', 'js', join('js', 'app.js')]);
    assert.equal(process.platform === 'win32' || ((await stat(files.folder)).mode & 0o777) === 0o700, true);
    await files.dispose();
    await assert.rejects(stat(files.folder), { code: 'ENOENT' });
  });

  it('uses the shell’s start page, or Cordova’s in a package from Cordova', async () => {
    const starts: readonly (readonly [object | undefined, string, string | undefined])[] = [
      [undefined, '/index.html', undefined],
      [{ start: '', fallback: 'index.html' }, '/', '/index.html'],
      [{ start: 'pages/start.html#home', fallback: '' }, '/pages/start.html#home', undefined],
      [{ start: '/a b.html?x' }, '/a%20b.html?x', undefined],
      [{ start: 'https://shop.example/' }, '/', undefined],
      [{ start: '//shop.example/' }, '/', undefined],
      [{ start: '/.//shop.example/' }, '/', undefined],
      [{ start: '/x\r\nset-cookie: y' }, '/xset-cookie:%20y', undefined],
      [{ start: 7, fallback: {} }, '/', undefined],
    ];
    for (const [shell, start, fallback] of starts) {
      const files = await unpack(createPackage({ 'index.html': '' }, shell));
      assert.deepEqual([files.start, files.fallback, files.hasStandIn], [start, fallback, shell !== undefined]);
    }
  });

  it('ignores settings of the shell that are too large', async () => {
    const settings = JSON.stringify({ start: 'start.html' });
    for (const [size, start] of [
      [MAX_RESOURCE_BYTES, '/start.html'],
      [MAX_RESOURCE_BYTES + 1, '/index.html'],
    ] as const) {
      const shell = { name: 'assets/shell.json', content: settings.padEnd(size), deflate: true };
      const files = await unpack(createZip([PAGE, shell]));
      assert.deepEqual([files.start, files.hasStandIn], [start, start === '/start.html']);
    }
    const shell = { name: 'assets/shell.json', content: settings.padEnd(10 * MAX_RESOURCE_BYTES), deflate: true };
    const mislabeled = createZip([PAGE, { ...shell, size: 100 }]);
    assert.match((await failure(mislabeled)).message, /can’t be unpacked/);
  });

  it('omits links and hidden files', async () => {
    const odd: readonly ZipEntry[] = [
      { name: 'assets/www/link', content: '/etc/passwd', mode: SYMBOLIC_LINK },
      { name: 'assets/www/.env', content: 'x' },
      { name: 'assets/www/.git/config', content: 'x' },
      { name: 'assets/www/a//b.txt', content: 'x' },
      { name: 'assets/www/C:evil.txt', content: 'x' },
      { name: 'assets/wwwx/other.txt', content: 'x' },
      { name: 'classes.dex', content: 'x' },
    ];
    const { folder } = await unpack(createZip([PAGE, ...odd]));
    assert.deepEqual(await readdir(folder, { recursive: true }), ['index.html']);
  });

  for (const name of ['assets/www/../../../out.txt', '/assets/www/out.txt', 'assets\\www\\..\\out.txt', '../out.txt']) {
    it(`rejects a package with ${name}`, async () => {
      assert.match((await failure(createZip([PAGE, { name, content: 'x' }]))).message, /can’t be unpacked/);
    });
  }

  it('rejects too many, too large, mislabeled, duplicate, or missing pages', async () => {
    const cases: readonly (readonly [Buffer, RegExp])[] = [
      [createZip([PAGE, { ...LARGE, size: 1024 ** 3 }]), /too large/],
      // Every empty file occupies a block of the disk, so it counts toward the size.
      [
        createZip([{ ...LARGE, size: 1024 ** 3 - 4096 }, { name: 'assets/www/1' }, { name: 'assets/www/2' }]),
        /too large/,
      ],
      [
        createZip([PAGE, { name: 'assets/www/lie', content: 'x'.repeat(1000), deflate: true, size: 10 }]),
        /can’t be unpacked/,
      ],
      [createZip([PAGE, PAGE]), /can’t be unpacked/],
      [createZip([{ name: 'classes.dex', content: 'x' }]), /no web pages/],
      [createPackage({}, {}), /no web pages/],
      [Buffer.from('no archive'), /can’t be unpacked/],
      [createZip([PAGE, { name: 'assets/shell.json', content: '{' }]), /can’t be unpacked/],
    ];
    for (const [bytes, message] of cases) {
      assert.match((await failure(bytes)).message, message);
    }
  });

  it('stops when it’s canceled', async () => {
    await writeFile(file, createZip([PAGE]));
    await captureFailure(CancelledError, unpackWebFiles(file, AbortSignal.abort()));
  });
});

describe('copying the pages in a folder', () => {
  let folder = '';
  let temporary: string;
  const copies: CopiedFiles[] = [];
  useFolderForEachTest((made) => (folder = made));
  useTemporaryFolderForEachTest((made) => (temporary = made));
  afterEach(() => Promise.all(copies.splice(0).map((files) => files.dispose())));

  async function copy(files: Files, before?: CopiedFiles): Promise<CopiedFiles> {
    await addFiles(folder, files);
    const copied = await copyWebFiles(await plan(folder), new AbortController().signal, before);
    if (copied !== before) {
      copies.push(copied);
    }
    return copied;
  }
  const namesIn = async (files: WebFiles): Promise<readonly string[]> => {
    const names = await readdir(files.folder, { recursive: true, withFileTypes: true });
    return names
      .filter((each) => each.isFile())
      .map((each) => join(relative(files.folder, each.parentPath), each.name))
      .sort();
  };

  it('copies the files that the package contains', async () => {
    const copied = await copy({
      'index.html': '<h1>Shop</h1>',
      'js/app.js': 'run()',
      'js/key.js': privateKey(),
      '.env': 'SECRET=1',
      '.hidden/page.html': '',
      'release.keystore': '',
      'Shop-1.0.0.apk': '',
      'notes.txt': 'left out',
      '.appbuildignore': 'notes.txt',
      'node_modules/left/index.js': 'left()',
      '.git/config': '',
    });
    assert.deepEqual(await namesIn(copied), ['index.html', join('js', 'app.js')]);
    assert.equal(process.platform === 'win32' || ((await stat(copied.folder)).mode & 0o777) === 0o700, true);
  });

  it('uses the package’s start page', async () => {
    const config = (inner: string) => `<widget id="com.example.app">${inner}</widget>`;
    const page = { 'www/index.html': '', 'www/start.html': '' };
    const starts: readonly (readonly [Files, string, string | undefined])[] = [
      [page, '/', '/index.html'],
      [{ ...page, 'config.xml': config('<content src="index.html" />') }, '/', undefined],
      [{ ...page, 'config.xml': config('<content src="start.html#home" />') }, '/start.html#home', undefined],
      [{ ...page, 'config.xml': config('<content src="//other.example/" />') }, '/', undefined],
      [{ ...page, 'config.xml': config('<preference name="FallbackPage" value="start.html" />') }, '/', '/start.html'],
      [{ ...page, 'config.xml': config('<preference name="FallbackPage" value="../x" />') }, '/', undefined],
    ];
    for (const [files, start, fallback] of starts) {
      const copied = await copy(files);
      assert.deepEqual([copied.start, copied.fallback], [start, fallback], JSON.stringify(files));
      assert.deepEqual(await namesIn(copied), ['index.html', 'start.html']);
    }
  });

  it('copies the files again only if they changed', async () => {
    const first = await copy({ 'index.html': 'one', 'large.bin': 'x'.repeat(1000) });
    assert.equal(await copy({ '.env': 'SECRET=2' }, first), first);
    const second = await copy({ 'index.html': 'other' }, first);
    assert.equal(await readFile(join(first.folder, 'index.html'), 'utf8'), 'one');
    assert.equal(await readFile(join(second.folder, 'index.html'), 'utf8'), 'other');
    const [before, after] = await Promise.all([first, second].map((each) => stat(join(each.folder, 'large.bin'))));
    assert.equal(after?.ino, before?.ino);
    await first.dispose();
    // The copies share files with each other but not with the user's folder.
    await writeFile(join(folder, 'large.bin'), 'changed');
    assert.equal(await readFile(join(second.folder, 'large.bin'), 'utf8'), 'x'.repeat(1000));
    assert.equal((await namesIn(await copy({}, first))).length, 2);
  });

  it('leaves no copy if a file changes after it was read', async () => {
    await addFiles(folder, { 'index.html': 'one' });
    const planned = await plan(folder);
    await writeFile(join(folder, 'index.html'), 'changed');
    const before = await readdir(temporary);
    await assert.rejects(copyWebFiles(planned, new AbortController().signal), PackingError);
    assert.deepEqual(await readdir(temporary), before);
  });

  it('rejects pages that are too large', async () => {
    await addFiles(folder, { 'index.html': 'one' });
    const planned = { ...(await plan(folder)), totalBytes: 2 ** 31 };
    await assert.rejects(copyWebFiles(planned, new AbortController().signal), /too large to show here/);
  });
});
