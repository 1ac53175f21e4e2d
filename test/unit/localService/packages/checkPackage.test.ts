import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { checkPackage } from '../../../../src/localService/builds/packages/uploadedPackage.ts';
import { PackageError } from '../../../../src/localService/builds/packages/archiveContents.ts';
import { unpackPackage } from '../../../../src/localService/builds/packages/uploadedPackage.ts';
import { zipOf, type ZipEntry } from '../../../support/archives.ts';
import { folderOfEachTest } from '../../../support/hooks.ts';

const PAGE: ZipEntry = { name: 'index.html', content: '<!doctype html>' };
const signal = new AbortController().signal;

let folder: string;
folderOfEachTest((made) => (folder = made));

async function save(bytes: Buffer | string): Promise<string> {
  const path = join(folder, 'upload');
  await writeFile(path, bytes);
  return path;
}

/** The package is refused by the check, and by the unpacking too, which leaves nothing behind. */
async function assertRefused(bytes: Buffer | string, sentence: RegExp, type?: 'zip'): Promise<void> {
  const path = await save(bytes);
  const isExpected = (error: unknown): boolean => {
    assert.ok(error instanceof PackageError, String(error));
    assert.match(error.message, sentence);
    assert.doesNotMatch(error.message, /\p{Cc}|\p{Cf}|\uFFFD/u);
    assert.ok(error.message.length < 400, error.message);
    return true;
  };
  await assert.rejects(checkPackage(path), isExpected);
  if (type !== undefined) {
    const target = join(folder, 'unpacked');
    await mkdir(target);
    await assert.rejects(unpackPackage(path, type, target, signal), isExpected);
    assert.deepEqual(await readdir(target), []);
  }
  assert.deepEqual((await readdir(folder)).sort(), type === undefined ? ['upload'] : ['unpacked', 'upload']);
}

describe('packages: what they are', () => {
  const config = '<widget id="com.example.a" version="1.2.0"><name>An app</name><plugin name="p" spec="~2"/></widget>';
  const info = { unpackedSize: 15 + config.length, fileCount: 2 };
  const expectedConfig = {
    id: 'com.example.a',
    version: '1.2.0',
    name: 'An app',
    description: '',
    plugins: [{ name: 'p', version: '~2' }],
  };

  it('tells zip and HTML by the content, and reads config.xml', async () => {
    const zip = zipOf([PAGE, { name: 'config.xml', content: config, deflate: true }]);
    assert.partialDeepStrictEqual(await checkPackage(await save(zip)), {
      type: 'zip',
      ...info,
      config: expectedConfig,
    });
    for (const page of [
      '<!DOCTYPE html><p>',
      '\uFEFF \n<html lang="en">',
      '<!-- page --><html>',
      '<?xml version="1.0"?>\n<!doctype html>',
      '<meta charset="utf-8"><p>',
    ]) {
      const unpackedSize = Buffer.byteLength(page);
      assert.deepEqual(await checkPackage(await save(page)), {
        type: 'html',
        unpackedSize,
        fileCount: 1,
        config: undefined,
      });
    }
  });

  it('takes the paths that clients send: absolute ones without the first slash, with backslashes, Unicode, folders', async () => {
    const names = [
      'home/me/app/www/index.html',
      'home\\me\\app\\config.xml',
      'home/me/app/www/日本/é 👩‍🚀.png',
      'www/',
      'con.d/x',
    ];
    const checked = await checkPackage(
      await save(zipOf(names.map((name) => ({ name })).filter(({ name }) => name !== 'con.d/x'))),
    );
    assert.equal(checked.fileCount, 3);
  });

  it('passes over a config.xml that cannot be read, that is of another folder, or too large', async () => {
    const others: readonly ZipEntry[][] = [
      [{ name: 'config.xml', content: '<widget>' }],
      [{ name: 'gallery/config.xml', content: config }],
      [{ name: 'config.xml', content: config + ' '.repeat(1024 ** 2), deflate: true }],
    ];
    for (const entries of others) {
      assert.equal((await checkPackage(await save(zipOf([PAGE, ...entries])))).config, undefined);
    }
  });

  const others: Readonly<Record<string, readonly [Buffer | string, RegExp]>> = {
    'an empty file': ['', /^The file is empty\. Send the app as a \.zip file or as a single HTML page\.$/],
    'random bytes': [Buffer.from('0005fb8891c0de0099', 'hex'), /^The type of the file is not known\. Send/],
    text: ['hello', /^The type of the file is not known\. /],
    XML: ['<?xml version="1.0"?><widget/>', /^The type of the file is not known\. /],
    RAR: ['Rar!\x1a\x07\x01\x00', /^The type of the file is not known\. /],
    'a tar.gz archive': [
      gzipSync('index.html'.padEnd(1024, '\0')),
      /^The file is compressed by gzip\. Send the app as a \.zip file or as a single HTML page\.$/,
    ],
  };
  for (const [name, [bytes, sentence]] of Object.entries(others)) {
    it(`refuses ${name}`, () => assertRefused(bytes, sentence));
  }
});

/** Names that every other system has, so that they are taken there. */
const ON_WINDOWS = process.platform === 'win32' ? ['www/a?b', 'a<b>.html', '"a"', 'a|b', '*'] : [];

describe('packages: entries that are refused', () => {
  const names: readonly (readonly [name: string, sentence: RegExp])[] = [
    ['../evil', /^"\.\.\/evil" leads outside of the archive\. Pack the files again/],
    ['www/../../evil', /leads outside/],
    ['..\\evil', /leads outside/],
    ['/etc/passwd', /^"\/etc\/passwd" is an absolute path\./],
    ['\\\\host\\share', /is an absolute path/],
    ['C:/evil', /^"C:\/evil" names a drive\./],
    ['C:evil', /names a drive/],
    ['a:stream', /names a drive/],
    ['page.html:stream', /has a colon in its name/],
    ['a\nb', /^"ab" has a control character in its name\. Rename it\.$/],
    ['a\u2028b', /control character/],
    ['dot.', /ends with a dot or a space/],
    ['space /x', /ends with a dot or a space/],
    ['.../x', /ends with a dot or a space/],
    ['www/NUL', /has the name of a device of Windows/],
    ['aux.html', /has the name of a device/],
    ['com1 .txt', /has the name of a device/],
    ['LPT¹', /has the name of a device/],
    ...ON_WINDOWS.map(
      (name) => [name, /has a character in its name that Windows does not allow\. Rename it\.$/] as const,
    ),
    [`${'deep/'.repeat(200)}x`, /is longer than 800 bytes/],
  ];
  for (const [name, sentence] of names) {
    it(`${JSON.stringify(name.slice(0, 40))} in a zip archive`, () =>
      assertRefused(zipOf([PAGE, { name }]), sentence, 'zip'));
  }

  const pairs: readonly (readonly [first: string, second: string, sentence: RegExp])[] = [
    ['a.html', 'a.html', /^"a\.html" is in the archive twice\. Pack the files again\.$/],
    ['a.html', './/a.html', /^"a\.html" is in the archive twice\./],
    ['a.html', 'A.HTML', /^"A\.HTML" and "a\.html" differ by upper and lower case only\. Rename one of them/],
    ['www/a', 'WWW/b', /^"WWW" and "www" differ by upper and lower case only\./],
    ['caf\u00e9', 'cafe\u0301', /differ by upper and lower case only/],
    ['a', 'a/b', /^"a" is both a file and a folder in the archive\./],
    ['a/b', 'a', /^"a" is both a file and a folder in the archive\./],
  ];
  for (const [first, second, sentence] of pairs) {
    it(`${first} and ${second}`, () => assertRefused(zipOf([{ name: first }, { name: second }]), sentence, 'zip'));
  }

  const zipEntries: Readonly<Record<string, readonly [ZipEntry, RegExp]>> = {
    'a symbolic link': [
      { name: 'l', content: '/etc', mode: 0o120777 },
      /^"l" is a symbolic link\. Pack the file that it leads to/,
    ],
    'a link that is a folder': [{ name: 'l/', mode: 0o120777 }, /is a symbolic link/],
    'a device': [{ name: 'd', mode: 0o020666 }, /^"d" is neither a plain file nor a folder\. Leave it out\.$/],
    'a pipe': [{ name: 'p', mode: 0o010666 }, /is neither a plain file nor a folder/],
    'a folder with the name of a file': [{ name: 'f', mode: 0o040755 }, /is neither a plain file nor a folder/],
    'a folder with content': [
      { name: 'f/', content: 'x' },
      /^The zip archive is broken at "f\/": a folder has content\./,
    ],
    'an encrypted file': [
      { name: 'e', content: 'x'.repeat(20), size: 8, flags: 1 },
      /^"e" is encrypted\. Pack the files without a password\.$/,
    ],
    'a strongly encrypted file': [
      { name: 'e', flags: 0x41 },
      /^The zip archive is encrypted\. Pack the files without a password\.$/,
    ],
    'a masked header': [{ name: 'e', flags: 0x2000 }, /is encrypted/],
    'another compression': [{ name: 'x', method: 12 }, /^"x" is compressed by method 12, which is not supported\./],
    'a name that hides what follows': [{ name: 'a\u202eb/../..' }, /^"ab\/\.\.\/\.\." leads outside/],
    'an empty name': [{ name: '' }, /^"" is a file with the name of a folder\./],
  };
  for (const [name, [entry, sentence]] of Object.entries(zipEntries)) {
    it(`${name} in a zip archive`, () => assertRefused(zipOf([PAGE, entry]), sentence, 'zip'));
  }
});
