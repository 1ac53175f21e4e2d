import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { checkPackage, unpackPackage } from '../../../../../src/build-service/builds/packages/uploadedPackage.ts';
import { createZip, type ZipEntry } from '../../../../support/archives.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';
import { PackageError } from '../../../../../src/android-package/index.ts';

const PAGE: ZipEntry = { name: 'index.html', content: '<!doctype html>' };
const GIB = 1024 ** 3;

let folder: string;
useFolderForEachTest((made) => (folder = made));

async function save(bytes: Buffer | string): Promise<string> {
  const path = join(folder, 'upload');
  await writeFile(path, bytes);
  return path;
}

const check = async (bytes: Buffer | string): ReturnType<typeof checkPackage> => checkPackage(await save(bytes));

/** Asserts that the work fails with a short sentence without special formatting characters. */
async function assertRefusal(work: Promise<unknown>, sentence: RegExp): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof PackageError, String(error));
    assert.match(error.message, sentence);
    assert.doesNotMatch(error.message, /\p{Cc}|\p{Cf}|\uFFFD/u);
    assert.ok(error.message.length < 400, error.message);
    return true;
  });
}

/** Asserts that unpacking is rejected without leaving a file. */
async function assertNotUnpacked(path: string, sentence: RegExp): Promise<void> {
  const target = join(folder, 'unpacked');
  await mkdir(target);
  await assertRefusal(unpackPackage(path, 'zip', target, new AbortController().signal), sentence);
  assert.deepEqual(await readdir(target), []);
  assert.deepEqual((await readdir(folder)).sort(), ['unpacked', 'upload']);
}

describe('packages: recognizing their types', () => {
  const config = '<widget id="com.example.a" version="1.2.0"><name>An app</name><plugin name="p" spec="~2"/></widget>';

  it('recognizes zip and HTML by the content, and reads config.xml', async () => {
    assert.partialDeepStrictEqual(
      await check(createZip([PAGE, { name: 'config.xml', content: config, deflate: true }])),
      {
        ...{ type: 'zip', unpackedSize: 15 + config.length, fileCount: 2 },
        config: { id: 'com.example.a', version: '1.2.0', name: 'An app', plugins: [{ name: 'p', version: '~2' }] },
      },
    );
    for (const page of [
      '<!DOCTYPE html><p>',
      '\uFEFF \n<html lang="en">',
      '<!-- page --><html>',
      '<?xml version="1.0"?>\n<!doctype html>',
      '<meta charset="utf-8"><p>',
    ]) {
      const info = { type: 'html', unpackedSize: Buffer.byteLength(page), fileCount: 1, config: undefined };
      assert.deepEqual(await check(page), info);
    }
  });

  it('accepts absolute paths, backslashes, Unicode names, and folder entries, which clients send', async () => {
    const app = ['home/me/app/www/index.html', 'home\\me\\app\\config.xml', 'home/me/app/www/日本/é 👩‍🚀.png', 'www/'];
    assert.equal((await check(createZip(app.map((name) => ({ name }))))).fileCount, 3);
  });

  it('ignores a config.xml that is unreadable, too large, or in another folder', async () => {
    for (const entry of [
      { name: 'config.xml', content: '<widget>' },
      { name: 'gallery/config.xml', content: config },
      { name: 'config.xml', content: config + ' '.repeat(1024 ** 2), deflate: true },
    ]) {
      assert.equal((await check(createZip([PAGE, entry]))).config, undefined);
    }
  });

  const others: Readonly<Record<string, readonly [Buffer | string, RegExp]>> = {
    'an empty file': ['', /^The file is empty\. Send the app as a \.zip file or as a single HTML page\.$/],
    text: ['hello', /^The file’s type isn’t supported\. /],
    XML: ['<?xml version="1.0"?><widget/>', /^The file’s type isn’t supported\. /],
    'a tar.gz archive': [gzipSync('index.html'), /^The file is compressed with gzip\. Send the app as a \.zip file/],
    'an archive without files': [
      createZip([{ name: 'www/' }]),
      /^The archive doesn’t contain any files\. Pack the app’s files/,
    ],
  };
  for (const [name, [bytes, sentence]] of Object.entries(others)) {
    it(`rejects ${name}`, () => assertRefusal(check(bytes), sentence));
  }
});

describe('packages: checking the entries', () => {
  const LEADS_OUTSIDE = /leads outside the archive\. Pack the files again/;
  const DEVICE = /has the name of a Windows device\. Rename it/;
  const BAD_END = /has a name that ends with a dot or a space/;
  const names: readonly (readonly [name: string, sentence: RegExp])[] = [
    ['../evil', /^"\.\.\/evil" leads outside/],
    ['www/../../evil', LEADS_OUTSIDE],
    ['..\\evil', LEADS_OUTSIDE],
    ['a\u202eb/../..', /^"ab\/\.\.\/\.\." leads outside/],
    ['/etc/passwd', /^"\/etc\/passwd" is an absolute path\./],
    ['\\\\host\\share', /is an absolute path/],
    ['C:/evil', /^"C:\/evil" names a drive\./],
    ['a:stream', /names a drive/],
    ['page.html:stream', /has a colon in its name/],
    ['a\nb', /^"ab" has a control character in its name\. Rename it\.$/],
    ['a\u2028b', /control character/],
    ['dot.', BAD_END],
    ['space /x', BAD_END],
    ['www/NUL', DEVICE],
    ['aux.html', DEVICE],
    ['com1 .txt', DEVICE],
    ['LPT¹', DEVICE],
    ...(process.platform === 'win32' ? ['a<b>.html', '*'] : []).map(
      (name) => [name, /has a character in its name that Windows doesn’t allow/] as const,
    ),
    [`${'deep/'.repeat(200)}x`, /is longer than 800 bytes/],
    ['', /^"" is a file with the name of a folder\./],
  ];
  const pairs: readonly (readonly [first: string, second: string, sentence: RegExp])[] = [
    ['a.html', './/a.html', /^"a\.html" is in the archive twice\. Pack the files again\.$/],
    ['a.html', 'A.HTML', /^"A\.HTML" and "a\.html" differ only by case\. Rename one of them/],
    ['www/a', 'WWW/b', /^"WWW" and "www" differ only by case\./],
    ['caf\u00e9', 'cafe\u0301', /differ only by case/],
    ['a', 'a/b', /^"a" is both a file and a folder in the archive\./],
    ['a/b', 'a', /^"a" is both a file and a folder in the archive\./],
  ];
  const entries: Readonly<Record<string, readonly [ZipEntry, RegExp]>> = {
    'a symbolic link': [{ name: 'l', content: '/etc', mode: 0o120777 }, /^"l" is a symbolic link\. Pack the file that/],
    'a link that is a folder': [{ name: 'l/', mode: 0o120777 }, /is a symbolic link/],
    'a device': [{ name: 'd', mode: 0o020666 }, /^"d" is neither a regular file nor a folder\. Remove it\.$/],
    'a folder with the name of a file': [{ name: 'f', mode: 0o040755 }, /is neither a regular file nor a folder/],
    'a folder with content': [{ name: 'f/', content: 'x' }, /is broken at "f\/": a folder has content\./],
    'an encrypted file': [
      { name: 'e', content: 'x'.repeat(20), size: 8, flags: 1 },
      /^"e" is encrypted\. Pack the files without a password\.$/,
    ],
    'a strongly encrypted file': [{ name: 'e', flags: 0x41 }, /^The zip archive is encrypted\. Pack the files without/],
    'a masked header': [{ name: 'e', flags: 0x2000 }, /is encrypted/],
    'another compression': [{ name: 'x', method: 12 }, /^"x" is compressed with method 12, which isn’t supported\./],
  };
  const refused: readonly (readonly [what: string, entries: readonly ZipEntry[], sentence: RegExp])[] = [
    ...names.map(([name, sentence]) => [JSON.stringify(name.slice(0, 40)), [PAGE, { name }], sentence] as const),
    ...pairs.map(
      ([first, second, sentence]) => [`${first} and ${second}`, [{ name: first }, { name: second }], sentence] as const,
    ),
    ...Object.entries(entries).map(([what, [entry, sentence]]) => [what, [PAGE, entry], sentence] as const),
  ];
  for (const [what, zipped, sentence] of refused) {
    it(`rejects ${what} in a zip archive`, async () => {
      const path = await save(createZip(zipped));
      await assertRefusal(checkPackage(path), sentence);
      await assertNotUnpacked(path, sentence);
    });
  }
});

describe('packages: checking zip archives', () => {
  const page: ZipEntry = { name: 'index.html', content: 'x'.repeat(1000), deflate: true };
  const BEYOND = /an entry reaches beyond the end of the file/;
  const zip64 = (value: bigint): Buffer => {
    const extra = Buffer.from([1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    extra.writeBigUInt64LE(value, 4);
    return extra;
  };
  const broken: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
    'truncated before its directory': [createZip([page]).subarray(0, 60), /^The zip archive is broken: End of central/],
    'whose directory is beyond its end': [
      createZip([page], { directoryOffset: 0xfffffff0 }),
      /is broken: it is cut off\./,
    ],
    'whose entry is beyond its end': [createZip([{ ...page, offset: 0x7fffffff }]), BEYOND],
    'whose entry is longer than the file': [createZip([{ ...page, packedSize: 0x7fffffff }]), BEYOND],
    'whose entries overlap': [
      createZip([
        { name: 'a', content: Buffer.alloc(60_000) },
        ...['b', 'c'].map((name) => ({ name, size: 50_000, packedSize: 50_000, offset: 0 })),
      ]),
      BEYOND,
    ],
    'with a zip64 record at an impossible position': [
      createZip([page], { zip64: { recordOffset: 2n ** 63n } }),
      /it is cut off/,
    ],
    'with a zip64 directory at an impossible position': [
      createZip([page], { zip64: { directoryOffset: 2n ** 64n - 1n } }),
      /it is cut off/,
    ],
    'with a zip64 entry at an impossible position': [
      createZip([{ ...page, offset: 0xffffffff, extra: zip64(2n ** 63n) }]),
      BEYOND,
    ],
    'with a zip64 size of exbibytes': [
      createZip([{ ...page, size: 0xffffffff, extra: zip64(2n ** 62n) }]),
      /unpacks to more than 1 GiB/,
    ],
    'that declares 2^60 entries': [
      createZip([page], { zip64: { count: 2n ** 60n } }),
      /contains more than 20,000 files/,
    ],
  };
  for (const [name, [bytes, sentence]] of Object.entries(broken)) {
    it(`rejects an archive ${name}`, () => assertRefusal(check(bytes), sentence));
  }

  const lies: Readonly<Record<string, readonly [ZipEntry, RegExp]>> = {
    'less content than declared': [{ ...page, size: 2000 }, /is broken at "index\.html": not enough bytes/],
    'more content than declared': [{ ...page, size: 10 }, /is broken at "index\.html": too many bytes/],
    'a different checksum': [
      { ...page, checksum: 1 },
      /is broken at "index\.html": its checksum is wrong\. Pack the files/,
    ],
  };
  for (const [name, [entry, sentence]] of Object.entries(lies)) {
    it(`doesn’t unpack an archive with ${name}`, async () => {
      const path = await save(createZip([{ name: 'www/first', content: 'first' }, entry]));
      assert.equal((await checkPackage(path)).fileCount, 2);
      await assertNotUnpacked(path, sentence);
    });
  }

  it('accepts 20,000 entries and rejects more, including folders that appear only in paths', async () => {
    const sentence =
      /^The archive contains more than 20,000 files and folders\. Remove those .*, such as node_modules\.$/;
    const entries = Array.from({ length: 20_001 }, (_, index) => ({ name: `d${index % 100}/${index}` }));
    await assertRefusal(check(createZip(entries)), sentence);
    assert.equal((await check(createZip(entries.slice(1)))).fileCount, 20_000);
    const deep = Array.from({ length: 500 }, (_, index) => ({ name: `${index}/${'x/'.repeat(45)}y` }));
    await assertRefusal(check(createZip(deep)), sentence);
  });

  it('accepts 1 GiB of declared unpacked size and rejects more', async () => {
    const two = ['a', 'b'].map((name) => ({ name, content: 'x', deflate: true, size: GIB / 2 }));
    assert.equal((await check(createZip(two))).unpackedSize, GIB);
    await assertRefusal(
      check(createZip([...two, { name: 'c', content: 'x' }])),
      /^The archive unpacks to more than 1 GiB\./,
    );
  });
});
