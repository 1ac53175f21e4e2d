import assert from 'node:assert/strict';

import fc from 'fast-check';

import {
  APK_FIXTURES,
  apkFixture,
  withDexChecksums,
  withFlippedBit,
  type ApkFixture,
} from '../support/apk/apkFixtures.ts';
import { readBinaryXml } from '../support/apk/binaryXml.ts';
import { readDexClasses } from '../support/apk/dexFile.ts';
import { InvalidApkError } from '../support/apk/invalidApkError.ts';
import { checkManifest } from '../support/apk/manifest.ts';
import { readResourceTable } from '../support/apk/resourceTable.ts';
import { contentOf, readContents, verifyApk } from '../support/apk/verifyApk.ts';
import { holds } from './property.ts';

/** The small ones. */
const packages = (Object.keys(APK_FIXTURES) as ApkFixture[])
  .filter((name) => name.endsWith('.apk'))
  .map((name) => apkFixture(name));
const verified = verifyApk(apkFixture('ec.apk'));
const manifest = contentOf(verified, 'AndroidManifest.xml');
const table = contentOf(verified, 'resources.arsc');
const dex = contentOf(verified, 'classes.dex');

/** A package, and a place in it. */
const place = fc
  .constantFrom(...packages)
  .chain((bytes) => fc.tuple(fc.constant(bytes), fc.nat(bytes.length - 1), fc.nat(7)));

/** Bytes of which some are other numbers that readers take for lengths, or are missing or there twice. */
function changed(bytes: Buffer): fc.Arbitrary<Buffer> {
  const number = fc.oneof(
    fc.nat(0xff),
    fc.constantFrom(0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff),
    fc.nat(0xffff),
  );
  const write = fc.tuple(fc.nat(bytes.length - 4), fc.constantFrom(1, 2, 4), number);
  const cut = fc.tuple(fc.nat(bytes.length), fc.nat(bytes.length));
  return fc.oneof(
    fc.array(write, { minLength: 1, maxLength: 4 }).map((writes) => {
      const copy = Buffer.from(bytes);
      for (const [offset, length, value] of writes) {
        copy.writeUIntLE(value % 2 ** (8 * length), offset, length);
      }
      return copy;
    }),
    // Where the second cut is in front of the first, what is between them is there twice.
    cut.map(([end, start]) => Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)])),
  );
}

/** @returns what `read` returns, or undefined where it refuses; whatever else it throws is a fault of it */
function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    assert.ok(error instanceof InvalidApkError, String(error));
    return undefined;
  }
}

describe('packages of Android', () => {
  holds('a package with one bit flipped, wherever it is, is refused', place, ([bytes, offset, bit]) => {
    assert.equal(
      unlessRefused(() => verifyApk(withFlippedBit(bytes, offset, bit))),
      undefined,
    );
  });

  holds(
    'a package of which something else is changed, is missing or is there twice is refused',
    fc.constantFrom(...packages).chain((bytes) => fc.tuple(fc.constant(bytes), changed(bytes))),
    ([bytes, other]) => {
      assert.ok(unlessRefused(() => verifyApk(other)) === undefined || other.equals(bytes));
    },
  );

  holds('any bytes are refused', fc.uint8Array({ maxLength: 200 }), (bytes) => {
    assert.equal(
      unlessRefused(() => verifyApk(Buffer.from(bytes))),
      undefined,
    );
  });

  holds('any compiled XML is read or refused', changed(manifest), (bytes) => {
    unlessRefused(() => checkManifest(readBinaryXml(bytes, 'AndroidManifest.xml')));
  });

  holds('any resource table is read or refused, also with the files that it names', changed(table), (bytes) => {
    unlessRefused(() => readResourceTable(bytes));
    unlessRefused(() =>
      readContents(
        verified.entries.map((entry) => (entry.name === 'resources.arsc' ? { ...entry, content: () => bytes } : entry)),
      ),
    );
  });

  holds('any classes.dex that was changed is refused', changed(dex), (bytes) => {
    assert.ok(unlessRefused(() => readDexClasses(bytes)) === undefined || bytes.equals(dex));
  });

  holds('any classes.dex whose checksums are right is read or refused', changed(dex), (bytes) => {
    unlessRefused(() => readDexClasses(withDexChecksums(bytes)));
  });
});
