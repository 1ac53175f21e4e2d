import assert from 'node:assert/strict';

import { apkFixture, headersOf, layoutOf, patched, withFlippedBit } from '../../../support/apk/apkFixtures.ts';
import { refuses } from '../../../support/apk/refuses.ts';
import { verifyApk } from '../../../support/apk/verifyApk.ts';

const apk = apkFixture('rsa.apk');
const layout = layoutOf(apk);
const PAGE = 'assets/www/index.html';
const STORED = 'assets/www/grün.txt';

/** The offsets of a field that both headers of an entry have, by its offset in the local one. */
function both(name: string, field: number): readonly number[] {
  const { local, directory } = headersOf(apk, name);
  return [local + field, directory + field + 2];
}

/** The package whose entry says another number of itself, in both places. */
function withField(name: string, field: number, value: number): Buffer {
  return patched(apk, (copy) => both(name, field).forEach((offset) => copy.writeUInt16LE(value, offset)));
}

/** The package whose entry has another name, of as many bytes. */
function renamed(name: string, to: string | Buffer): Buffer {
  const { local, directory } = headersOf(apk, name);
  const bytes = Buffer.from(to);
  assert.equal(bytes.length, Buffer.byteLength(name));
  return patched(apk, (copy) => [local + 30, directory + 46].forEach((offset) => bytes.copy(copy, offset)));
}

/** The package with more bytes at an offset among the entries, and what the directory and the end record say moved by as many. */
function withInserted(at: number, inserted: Buffer, source = apk): Buffer {
  const { directory, endRecord } = layoutOf(source);
  const moved = patched(source, (copy) => {
    copy.writeUInt32LE(directory + inserted.length, endRecord + 16);
    for (let header = directory; header < endRecord;) {
      const offset = copy.readUInt32LE(header + 42);
      copy.writeUInt32LE(offset < at ? offset : offset + inserted.length, header + 42);
      header += 46 + [28, 30, 32].reduce((sum, field) => sum + copy.readUInt16LE(header + field), 0);
    }
  });
  return Buffer.concat([moved.subarray(0, at), inserted, moved.subarray(at)]);
}

/** The package whose stored entry is one byte further behind. */
function misaligned(): Buffer {
  const { local } = headersOf(apk, STORED);
  const nameEnd = local + 30 + Buffer.byteLength(STORED);
  const longer = patched(apk, (copy) => copy.writeUInt16LE(copy.readUInt16LE(local + 28) + 1, local + 28));
  return withInserted(nameEnd, Buffer.alloc(1), longer);
}

const REFUSED: readonly (readonly [what: string, bytes: Buffer, rule: RegExp])[] = [
  ['nothing', Buffer.alloc(0), /ends with the end record/],
  ['a byte appended', Buffer.concat([apk, Buffer.alloc(1)]), /ends with the end record/],
  ['a byte cut off', apk.subarray(0, -1), /ends with the end record/],
  ['the first byte cut off', apk.subarray(1), /directory ends where the end record begins/],
  ['a comment that is not there', withFlippedBit(apk, apk.length - 2), /without a comment/],
  ['another disk', withFlippedBit(apk, layout.endRecord + 4), /one disk/],
  ['one entry more in the end record', withFlippedBit(apk, layout.endRecord + 10, 3), /counts the entries/],
  [
    'as many entries as only zip64 has',
    patched(apk, (copy) => copy.fill(0xff, layout.endRecord + 8, layout.endRecord + 12)),
    /zip64/,
  ],
  ['another offset of the directory', withFlippedBit(apk, layout.endRecord + 16), /directory ends where/],
  [
    'one entry less in the directory than it says',
    [8, 10].reduce((bytes, field) => withFlippedBit(bytes, layout.endRecord + field, 3), apk),
    /says 15 entries, there are 7/,
  ],
  ['a directory that is none', withFlippedBit(apk, layout.directory), /consists of headers/],
  ['a bit of a stored entry', withFlippedBit(apk, apk.indexOf('ü\n')), /zip: the crc of assets\/www\/grün.txt/],
  [
    'a bit of a deflated entry',
    withFlippedBit(apk, headersOf(apk, PAGE).local + 30 + PAGE.length + 20),
    /zip: .*index\.html/,
  ],
  ['a data descriptor', withField(PAGE, 6, 0x0008), /no data descriptor/],
  ['an encrypted entry', withField(PAGE, 6, 0x0001), /has flags 0x1/],
  ['another method of compression', withField(PAGE, 8, 12), /stored or deflated, not 12/],
  ['a newer version of zip', withField(PAGE, 4, 45), /version 45/],
  ['another crc', withField(PAGE, 14, 1), /crc of .*index\.html is right/],
  ['an entry of another disk', withFlippedBit(apk, headersOf(apk, PAGE).directory + 34), /one disk/],
  [
    'a size as only zip64 has it',
    patched(apk, (copy) => both(PAGE, 22).forEach((offset) => copy.writeUInt32LE(0xffffffff, offset))),
    /zip64/,
  ],
  ['a larger size', withField(PAGE, 22, 102), /to 102 bytes|has 102 bytes/],
  ['a smaller size', withField(PAGE, 22, 100), /zip: .*index\.html/],
  ['a larger compressed size', withField(PAGE, 18, 55), /deflated to its last byte|can be inflated/],
  [
    'a local header that says otherwise',
    withFlippedBit(apk, headersOf(apk, PAGE).local + 10),
    /say the same of assets/,
  ],
  [
    'a name that is another one in front',
    withFlippedBit(apk, headersOf(apk, PAGE).local + 30),
    /say the same of assets/,
  ],
  ['no local header', withFlippedBit(apk, headersOf(apk, PAGE).directory + 42), /has a local header/],
  ['a parent folder', renamed(PAGE, 'assets/www/../ex.html'), /relative path/],
  ['an absolute path', renamed(PAGE, '/ssets/www/index.html'), /relative path/],
  ['a backslash', renamed(PAGE, 'assets\\www/index.html'), /relative path/],
  ['a folder', renamed(PAGE, 'assets/www/index.htm/'), /relative path/],
  ['a name with NUL', renamed(PAGE, 'assets/www/index\0html'), /relative path/],
  ['two entries of one name', renamed('res/mipmap-anydpi-v26/icon.xml', 'res/mipmap-xxxhdpi-v4/icon.png'), /one name/],
  ['a name that is not UTF-8', renamed(STORED, Buffer.from('assets/www/gr\xfc\xfcn.txt', 'latin1')), /names are UTF-8/],
  ['a name that is not marked as UTF-8', withField(STORED, 6, 0), /not marked as UTF-8/],
  ['a stored entry that is not aligned', misaligned(), /aligned to 4 bytes/],
  [
    'a gap in front of an entry',
    withInserted(headersOf(apk, PAGE).local, Buffer.alloc(4)),
    /the one before it ends at/,
  ],
  ['a gap in front of the first entry', withInserted(0, Buffer.alloc(4)), /the one before it ends at 0/],
  ['a bit of the directory that no rule of zip is about', withFlippedBit(apk, layout.directory + 38), /v2: the digest/],
];

describe('verifyApk: zip', () => {
  for (const [what, bytes, rule] of REFUSED) {
    it(`${what} is refused`, () => {
      refuses(() => verifyApk(bytes), rule);
    });
  }
});
