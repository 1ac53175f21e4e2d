import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { checkPackage } from '../../../../src/localService/builds/packages/uploadedPackage.ts';
import { PackageError } from '../../../../src/localService/builds/packages/archiveContents.ts';
import { unpackPackage } from '../../../../src/localService/builds/packages/uploadedPackage.ts';
import { zipOf, type ZipEntry } from '../../../support/archives.ts';
import { folderOfEachTest } from '../../../support/hooks.ts';

const GIB = 1024 ** 3;
const signal = new AbortController().signal;

let upload: string;
let target: string;
folderOfEachTest((folder) => {
  upload = join(folder, 'upload');
  target = join(folder, 'unpacked');
  return mkdir(target);
});

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof PackageError, String(error));
    return error.message;
  }
  return assert.fail('it is accepted');
}

describe('packages: broken zip archives', () => {
  const page: ZipEntry = { name: 'index.html', content: 'x'.repeat(1000), deflate: true };
  const whole = zipOf([page]);
  const none = 0xffffffff;
  const zip64 = (values: readonly bigint[]): Buffer => {
    const extra = Buffer.alloc(4 + 8 * values.length);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8 * values.length, 2);
    values.forEach((value, index) => extra.writeBigUInt64LE(value, 4 + 8 * index));
    return extra;
  };

  const broken: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
    'cut off before its directory': [
      whole.subarray(0, 60),
      /^The zip archive is broken: End of central directory record signature not found/,
    ],
    'whose directory is beyond its end': [
      zipOf([page], { directoryOffset: 0xfffffff0 }),
      /^The zip archive is broken: it is cut off\./,
    ],
    'whose entry is beyond its end': [
      zipOf([{ ...page, offset: 0x7fffffff }]),
      /an entry reaches beyond the end of the file/,
    ],
    'whose entry is longer than the file': [
      zipOf([{ ...page, packedSize: 0x7fffffff }]),
      /an entry reaches beyond the end/,
    ],
    'whose entries overlap': [
      zipOf([
        { name: 'a', content: Buffer.alloc(60_000) },
        ...['b', 'c'].map((name) => ({ name, size: 50_000, packedSize: 50_000, offset: 0 })),
      ]),
      /an entry reaches beyond the end/,
    ],
    'with a zip64 record at an impossible position': [
      zipOf([page], { zip64: { recordOffset: 2n ** 63n } }),
      /it is cut off/,
    ],
    'with a zip64 directory at an impossible position': [
      zipOf([page], { zip64: { directoryOffset: 2n ** 64n - 1n } }),
      /it is cut off/,
    ],
    'with a zip64 entry at an impossible position': [
      zipOf([{ ...page, offset: none, extra: zip64([2n ** 63n]) }]),
      /an entry reaches beyond the end/,
    ],
    'with a zip64 size of exbibytes': [
      zipOf([{ ...page, size: none, extra: zip64([2n ** 62n]) }]),
      /unpacks to more than 1 GiB/,
    ],
    'that counts 2^60 entries': [
      zipOf([page], { zip64: { count: 2n ** 60n } }),
      /holds more than 20,000 files and folders/,
    ],
    'without entries': [zipOf([]), /^The archive holds no files\. Pack the files of the app, with an index\.html\.$/],
    'with folders alone': [zipOf([{ name: 'www/' }]), /^The archive holds no files\./],
  };
  for (const [name, [bytes, sentence]] of Object.entries(broken)) {
    it(`refuses one ${name}`, async () => {
      await writeFile(upload, bytes);
      assert.match(await refusalOf(checkPackage(upload)), sentence);
    });
  }

  const lies: Readonly<Record<string, readonly [ZipEntry, RegExp]>> = {
    'less content than declared': [
      { ...page, size: 2000 },
      /^The zip archive is broken at "index\.html": not enough bytes in the stream/,
    ],
    'more content than declared': [
      { ...page, size: 10 },
      /^The zip archive is broken at "index\.html": too many bytes in the stream/,
    ],
    'another checksum': [
      { ...page, checksum: 1 },
      /^The zip archive is broken at "index\.html": its checksum is wrong\. Pack the files again\.$/,
    ],
  };
  for (const [name, [entry, sentence]] of Object.entries(lies)) {
    it(`unpacks nothing of one with ${name}`, async () => {
      await writeFile(upload, zipOf([{ name: 'www/first', content: 'first' }, entry]));
      assert.equal((await checkPackage(upload)).fileCount, 2);
      assert.match(await refusalOf(unpackPackage(upload, 'zip', target, signal)), sentence);
      assert.deepEqual(await readdir(target), []);
    });
  }
});

describe('packages: archives that are too large', () => {
  it('refuses 20,001 entries, and takes 20,000', async () => {
    const entries = Array.from({ length: 20_001 }, (_, index) => ({ name: `d${index % 100}/${index}` }));
    const sentence =
      /^The archive holds more than 20,000 files and folders\. Leave out what the app does not need, such as node_modules\.$/;
    await writeFile(upload, zipOf(entries));
    assert.match(await refusalOf(checkPackage(upload)), sentence);
    await writeFile(upload, zipOf(entries.slice(1)));
    assert.equal((await checkPackage(upload)).fileCount, 20_000);
  });

  it('refuses more than 20,000 folders that are in paths only', async () => {
    await writeFile(
      upload,
      zipOf(Array.from({ length: 500 }, (_, index) => ({ name: `${index}/${'x/'.repeat(45)}y` }))),
    );
    assert.match(await refusalOf(checkPackage(upload)), /more than 20,000 files and folders/);
  });

  it('refuses more than 1 GiB unpacked by what a zip archive declares', async () => {
    const half = { content: 'x', deflate: true, size: GIB / 2 };
    const two = [
      { name: 'a', ...half },
      { name: 'b', ...half },
    ];
    await writeFile(upload, zipOf(two));
    assert.equal((await checkPackage(upload)).unpackedSize, GIB);
    await writeFile(upload, zipOf([...two, { name: 'c', content: 'x' }]));
    const sentence = 'The archive unpacks to more than 1 GiB. Leave out what the app does not need.';
    assert.equal(await refusalOf(checkPackage(upload)), sentence);
  });
});
