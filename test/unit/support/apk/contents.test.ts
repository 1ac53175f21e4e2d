import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';

import { apkFixture, patched, replaced, withDexChecksums, withFlippedBit } from '../../../support/apk/apkFixtures.ts';
import { readBinaryXml, type XmlElement } from '../../../support/apk/binaryXml.ts';
import { readDexClasses } from '../../../support/apk/dexFile.ts';
import { checkManifest, childrenOf } from '../../../support/apk/manifest.ts';
import { refuses } from '../../../support/apk/refuses.ts';
import { readResourceTable } from '../../../support/apk/resourceTable.ts';
import { contentOf, readContents, verifyApk } from '../../../support/apk/verifyApk.ts';
import type { ZipEntry } from '../../../support/apk/zipEntries.ts';

const apk = verifyApk(apkFixture('ec.apk'));
const manifest = contentOf(apk, 'AndroidManifest.xml');
const table = contentOf(apk, 'resources.arsc');
const dex = contentOf(apk, 'classes.dex');

type Refused = readonly (readonly [what: string, bytes: Buffer, rule: RegExp])[];

/** A `Res_value`. */
function valueOf(type: number, data: number): Buffer {
  const bytes = Buffer.from([8, 0, 0, type, 0, 0, 0, 0]);
  bytes.writeUInt32LE(data, 4);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Bytes with another number of four bytes at an offset. */
function withUint32(bytes: Buffer, offset: number, value: number): Buffer {
  return patched(bytes, (copy) => copy.writeUInt32LE(value, offset));
}

/** Where the n-th chunk of a type begins that is directly in another, whose header has as many bytes. */
function chunkAt(bytes: Buffer, type: number, start: number, index = 0): number {
  let left = index;
  for (let at = start; at < bytes.length; at += bytes.readUInt32LE(at + 4)) {
    if (bytes.readUInt16LE(at) === type && left-- === 0) {
      return at;
    }
  }
  return assert.fail('no such chunk');
}

const VERSION_CODE = valueOf(0x10, 10203);
const MIN_SDK = valueOf(0x10, 24);
const TARGET_SDK = valueOf(0x10, 34);
const TRUE = valueOf(0x12, 0xffffffff);
const ICON = valueOf(0x01, 0x7f020000);
const THEME = valueOf(0x01, 0x7f040000);
const map = chunkAt(manifest, 0x0180, 8);
const pool = 8;
const element = chunkAt(manifest, 0x0102, 8);
const namespace = chunkAt(manifest, 0x0100, 8);
const strings = pool + manifest.readUInt32LE(pool + 20);

describe('verifyApk: compiled XML', () => {
  const REFUSED: Refused = [
    ['nothing', Buffer.alloc(0), /ends too early/],
    ['a text', Buffer.from('<?xml version="1.0"?><manifest/>'), /AndroidManifest\.xml: ends too early/],
    ['something behind it', Buffer.concat([manifest, Buffer.alloc(4)]), /4 bytes are left over/],
    ['its last bytes missing', manifest.subarray(0, -4), /ends too early/],
    ['a file that begins with another chunk', withFlippedBit(manifest, 0, 3), /begins with chunk 0x3/],
    ['a size that is not a multiple of 4', withFlippedBit(manifest, element + 4), /has a header of 16 and/],
    ['a chunk that is smaller than its header', withUint32(manifest, element + 4, 8), /has a header of 16 and 8 bytes/],
    ['a header of 4 bytes', patched(manifest, (copy) => copy.writeUInt16LE(4, element + 2)), /has a header of 4 and/],
    ['a longer header', patched(manifest, (copy) => copy.writeUInt16LE(12, 2)), /header: 4 bytes are left over/],
    ['no string pool', withFlippedBit(manifest, pool, 3), /there is a string pool/],
    ['something else than a resource map', withFlippedBit(manifest, map, 2), /header: ends too early/],
    [
      'a resource map of more strings than there are',
      withLonger(map, 4 * 1000),
      /the resource map is of strings in the pool/,
    ],
    ['strings with styles', withUint32(manifest, pool + 12, 1), /no styles/],
    ['styles', withUint32(manifest, pool + 24, 4), /no styles/],
    ['unknown flags of strings', withUint32(manifest, pool + 16, 2), /its flags are known/],
    ['strings elsewhere', withUint32(manifest, pool + 20, 32), /the strings follow their offsets/],
    ['more strings than fit', withUint32(manifest, pool + 8, 0x40000000), /1073741824 strings/],
    ['something behind the strings', withLonger(pool, 4), /zeros follow the last string/],
    ['something behind an element', withLonger(element, 4), /4 bytes are left over/],
    ['a string that is too long', patched(manifest, (copy) => copy.writeUInt16LE(0x7fff, strings)), /ends too early/],
    ['a string that does not end', patched(manifest, (copy) => copy.writeUInt16LE(3, strings)), /ends with a zero/],
    ['half of a surrogate pair', replaced(manifest, '😀', '\ud83dx'), /is utf-16le/],
    [
      'an unknown node',
      patched(manifest, (copy) => copy.writeUInt16LE(0x0104, element)),
      /0x104 is an element or a namespace/,
    ],
    ['a comment that is not there', withUint32(manifest, element + 12, 1000), /comment: there is a string 1000/],
    ['an element that is not there', withUint32(manifest, element + 20, 1000), /there is a string 1000/],
    ['an element with a namespace', withUint32(manifest, element + 16, 0), /the element has no namespace/],
    [
      'attributes elsewhere',
      patched(manifest, (copy) => copy.writeUInt16LE(24, element + 24)),
      /attributes of 20 bytes/,
    ],
    ['more attributes than there are', withFlippedBit(manifest, element + 28, 3), /ends too early/],
    ['an id that is no attribute', withFlippedBit(manifest, element + 30, 4), /id, class and style/],
    [
      'a namespace of an attribute that has not begun',
      withUint32(manifest, element + 36, 1),
      /its namespace has begun/,
    ],
    [
      'an ID without a namespace',
      withUint32(manifest, element + 36, 0xffffffff),
      /an ID exactly when it has a namespace/,
    ],
    ['an attribute without a name', withUint32(manifest, element + 40, 1000), /there is a string 1000/],
    ['a raw value that is not there', withUint32(manifest, element + 44, 1000), /there is a string 1000/],
    ['a raw value that is another', withUint32(manifest, element + 64, 0), /its raw value is its value/],
    [
      'a value of other length',
      replaced(manifest, VERSION_CODE, Buffer.from('0c00001000000000', 'hex')),
      /a value has 8 bytes/,
    ],
    [
      'a value of unknown type',
      replaced(manifest, VERSION_CODE, valueOf(0x13, 0)),
      /the type 0x13 of a value is known/,
    ],
    ['a text that is not there', replaced(manifest, VERSION_CODE, valueOf(0x03, 1000)), /there is a string 1000/],
    ['a boolean that is 2', replaced(manifest, TRUE, valueOf(0x12, 2)), /a boolean is 0, 1 or -1/],
    [
      'attributes that are not sorted',
      patched(manifest, (copy) => {
        const [one, two] = [36, 56].map((offset) =>
          Buffer.from(manifest.subarray(element + offset, element + offset + 20)),
        );
        two?.copy(copy, element + 36);
        one?.copy(copy, element + 56);
      }),
      /attributes are sorted by their IDs/,
    ],
    [
      'an attribute twice',
      patched(manifest, (copy) => copy.copy(copy, element + 56, element + 36, element + 56)),
      /sorted by their IDs, each there once/,
    ],
    [
      'an attribute without ID twice',
      patched(manifest, (copy) => copy.copy(copy, element + 36 + 5 * 20, element + 36 + 4 * 20, element + 36 + 5 * 20)),
      /no two attributes have one name/,
    ],
    [
      'an ID behind none',
      withUint32(manifest, element + 36 + 3 * 20, 0xffffffff),
      /an ID exactly when it has a namespace/,
    ],
    [
      'an element that another one ends',
      withUint32(manifest, chunkAt(manifest, 0x0103, 8) + 20, manifest.readUInt32LE(element + 20)),
      /the element that ends is the one that began last/,
    ],
    [
      'a namespace whose prefix another one ends',
      withUint32(manifest, chunkAt(manifest, 0x0101, 8) + 16, 0),
      /the namespace that ends/,
    ],
    [
      'a namespace that another one ends',
      withUint32(manifest, chunkAt(manifest, 0x0101, 8) + 20, manifest.readUInt32LE(namespace + 16)),
      /the namespace that ends/,
    ],
    ['elements that do not end', truncatedTree(3), /everything ends/],
    ['two roots', withSize(Buffer.concat([manifest, manifest.subarray(namespace)])), /there is one root/],
    ['no root', withSize(manifest.subarray(0, namespace)), /there is one root/],
    ['elements in each other without end', deepTree(), /no more than 100 elements/],
  ];
  for (const [what, bytes, rule] of REFUSED) {
    it(`${what} is refused`, () => refuses(() => readBinaryXml(bytes, 'AndroidManifest.xml'), rule));
  }
});

/** The manifest without its last chunks. */
function truncatedTree(chunks: number): Buffer {
  const starts: number[] = [];
  for (let at = 8; at < manifest.length; at += manifest.readUInt32LE(at + 4)) {
    starts.push(at);
  }
  const end = starts.at(-chunks);
  assert.ok(end !== undefined);
  return withSize(manifest.subarray(0, end));
}

/** A file whose outer chunk says that it is as long as it is. */
function withSize(bytes: Buffer): Buffer {
  return withUint32(bytes, 4, bytes.length);
}

/** The manifest with a chunk that is longer, by zeros. */
function withLonger(chunk: number, more: number): Buffer {
  const size = manifest.readUInt32LE(chunk + 4);
  const end = chunk + size;
  const longer = Buffer.concat([manifest.subarray(0, end), Buffer.alloc(more), manifest.subarray(end)]);
  return withSize(withUint32(longer, chunk + 4, size + more));
}

/** The manifest whose first element begins again and again. */
function deepTree(): Buffer {
  const begin = manifest.subarray(element, element + manifest.readUInt32LE(element + 4));
  return withSize(Buffer.concat([manifest.subarray(0, element), ...Array.from({ length: 20_000 }, () => begin)]));
}

function launcherClassOf(bytes: Buffer): string {
  return checkManifest(readBinaryXml(bytes, 'AndroidManifest.xml'));
}

describe('verifyApk: the manifest', () => {
  const mapEntry = (index: number): number => map + 8 + index * 4;
  const REFUSED: Refused = [
    ['another root', replaced(manifest, 'manifest', 'manifesd'), /its root is <manifest>/],
    ['a package with a space', replaced(manifest, 'example.fixture', 'example fixture'), /is the name of a package/],
    ['a package of one part', replaced(manifest, 'example.fixture', 'example_fixture'), /is the name of a package/],
    [
      'a package with a digit first',
      replaced(manifest, 'example.fixture', 'example.1ixture'),
      /is the name of a package/,
    ],
    [
      'a versionCode that is hexadecimal',
      replaced(manifest, VERSION_CODE, valueOf(0x11, 1)),
      /its type is integer, not hexadecimal/,
    ],
    ['a versionCode of 0', replaced(manifest, VERSION_CODE, valueOf(0x10, 0)), /versionCode is above 0/],
    ['a versionCode below 0', replaced(manifest, VERSION_CODE, valueOf(0x10, 0x80000000)), /versionCode is above 0/],
    ['no uses-sdk', replaced(manifest, 'uses-sdk', 'uses_sdk'), /there is one <uses-sdk>/],
    ['an old minSdkVersion', replaced(manifest, MIN_SDK, valueOf(0x10, 23)), /minSdkVersion is 24 or more/],
    ['a targetSdkVersion below it', replaced(manifest, TARGET_SDK, valueOf(0x10, 23)), /no less than minSdkVersion/],
    ['no application', replaced(manifest, 'application', 'applikation'), /there is one <application>/],
    ['no activity', replaced(manifest, 'activity', 'activitz'), /one activity for the launcher/],
    ['no action MAIN', replaced(manifest, 'action.MAIN', 'action.VIEW'), /one activity for the launcher/],
    ['no category LAUNCHER', replaced(manifest, 'LAUNCHER', 'DEFAULTS'), /one activity for the launcher/],
    ['no intent filter', replaced(manifest, 'intent-filter', 'intent_filter'), /one activity for the launcher/],
    ['an activity that is not exported', replaced(manifest, TRUE, valueOf(0x12, 0), 1), /is exported/],
    [
      'exported that is a number',
      replaced(manifest, TRUE, valueOf(0x10, 1), 1),
      /android:exported: its type is boolean/,
    ],
    ['a name that is a number', replaced(manifest, 'launchMode', 'launchNode'), /the test knows the ID/],
    ['an icon that is no reference', replaced(manifest, ICON, valueOf(0x1c, 0)), /android:icon: its type is reference/],
    [
      'a label by the name of another attribute',
      replaced(manifest, 'label', 'value'),
      /android:value: its ID is 0x1010024/,
    ],
    ['the ID of another attribute', withFlippedBit(manifest, mapEntry(0)), /android:\w+: its ID is 0x101/],
    ['no versionName', replaced(manifest, 'versionName', 'versionNamf'), /the test knows the ID/],
    ['no package', replaced(manifest, 'package', 'packagf'), /<manifest> has package/],
  ];
  for (const [what, bytes, rule] of REFUSED) {
    it(`${what} is refused`, () => refuses(() => launcherClassOf(bytes), rule));
  }

  /** The manifest whose elements of a name are others. */
  function withElements(name: string, change: (element: XmlElement) => XmlElement): XmlElement {
    const rebuild = (each: XmlElement): XmlElement => {
      const copy = { ...each, children: each.children.map(rebuild) };
      return each.name === name ? change(copy) : copy;
    };
    return rebuild(apk.manifest);
  }

  const without =
    (attribute: string) =>
    (each: XmlElement): XmlElement => ({
      ...each,
      attributes: each.attributes.filter(({ name }) => name !== attribute),
    });

  const REFUSED_TREES: readonly (readonly [what: string, root: XmlElement, rule: RegExp])[] = [
    ['a service for others that does not say so', withService(), /<service> with an intent filter says whether/],
    ['no theme', withElements('application', without('theme')), /has a theme/],
    ['no label', withElements('application', without('label')), /<application> has android:label/],
    ['no icon', withElements('application', without('icon')), /<application> has android:icon/],
    ['an activity without a name', withElements('activity', without('name')), /<activity> has android:name/],
    ['no versionCode', withElements('manifest', without('versionCode')), /<manifest> has android:versionCode/],
    ['no versionName', withElements('manifest', without('versionName')), /<manifest> has android:versionName/],
    ['no minSdkVersion', withElements('uses-sdk', without('minSdkVersion')), /<uses-sdk> has android:minSdkVersion/],
    [
      'no targetSdkVersion',
      withElements('uses-sdk', without('targetSdkVersion')),
      /<uses-sdk> has android:targetSdkVersion/,
    ],
    [
      'a package that is a number',
      withElements('manifest', (each) => ({
        ...each,
        attributes: each.attributes.map((attribute) =>
          attribute.name === 'package' ? { name: 'package', type: 'integer', value: 1 } : attribute,
        ),
      })),
      /package is a text/,
    ],
    [
      'two activities for the launcher',
      withElements('application', (each) => ({ ...each, children: [...each.children, ...each.children] })),
      /one activity for the launcher/,
    ],
    [
      'a package name that is too long',
      withElements('manifest', (each) => ({
        ...each,
        attributes: each.attributes.map((attribute) =>
          attribute.name === 'package' ? { name: 'package', type: 'string', value: `a.${'b'.repeat(222)}` } : attribute,
        ),
      })),
      /is the name of a package/,
    ],
  ];
  for (const [what, root, rule] of REFUSED_TREES) {
    it(`${what} is refused`, () => refuses(() => checkManifest(root), rule));
  }

  /** The activity as a service as well, without `exported`. */
  function withService(): XmlElement {
    return withElements('application', (each) => ({
      ...each,
      children: [
        ...each.children,
        ...each.children.map((child) => ({ ...without('exported')(child), name: 'service' })),
      ],
    }));
  }

  it('the theme may be that of the activity', () => {
    const [theme] = apk.manifest.children.flatMap(({ attributes }) =>
      attributes.filter(({ name }) => name === 'theme'),
    );
    assert.ok(theme);
    const themeless = withElements('application', without('theme'));
    const [application] = childrenOf(themeless, 'application');
    assert.ok(application);
    const themed = application.children.map((each) => ({ ...each, attributes: [theme, ...each.attributes] }));
    checkManifest({
      ...themeless,
      children: [...themeless.children.slice(0, -1), { ...application, children: themed }],
    });
  });

  it('the class of the activity has the package in front', () => {
    assert.equal(launcherClassOf(manifest), 'example.fixture.MainActivity');
    assert.equal(
      launcherClassOf(replaced(manifest, '.MainActivity', 'XMainActivity')),
      'example.fixture.XMainActivity',
    );
    assert.equal(launcherClassOf(replaced(manifest, '.MainActivity', 'X.ainActivity')), 'X.ainActivity');
  });
});

describe('verifyApk: resources.arsc', () => {
  const tablePackage = chunkAt(table, 0x0200, 12);
  const inPackage = tablePackage + table.readUInt16LE(tablePackage + 2);
  const spec = chunkAt(table, 0x0202, inPackage, 1);
  const type = chunkAt(table, 0x0201, inPackage, 0);
  const entry = type + table.readUInt32LE(type + 16);
  const style = chunkAt(table, 0x0201, inPackage, 3);
  const bag = style + table.readUInt32LE(style + 16);
  const valuePool = 12;
  const typeId = table.readUInt8(spec + 8);
  const REFUSED: Refused = [
    ['nothing', Buffer.alloc(0), /ends too early/],
    ['something behind it', Buffer.concat([table, Buffer.alloc(4)]), /4 bytes are left over/],
    ['two packages', withUint32(table, 8, 2), /there is one package/],
    [
      'a string whose length is wrong',
      withFlippedBit(table, valuePool + table.readUInt32LE(valuePool + 20)),
      /as long as it says/,
    ],
    [
      'a string that is not UTF-8',
      replaced(table, Buffer.from('res/mipmap-x'), Buffer.from('res/mipmap-\xff', 'latin1')),
      /is utf-8/,
    ],
    ['a package that is none', withFlippedBit(table, tablePackage), /a package follows the strings/],
    ['a package of another kind', withUint32(table, tablePackage + 8, 2), /the package is 0x7f/],
    [
      'a package without a name',
      patched(table, (copy) => copy.writeUInt16LE(0, tablePackage + 12)),
      /name ends with a zero/,
    ],
    ['names of types elsewhere', withUint32(table, tablePackage + 268, 0), /the names of types follow/],
    ['names of entries elsewhere', withUint32(table, tablePackage + 276, 0), /the names of entries follow/],
    ['types that begin at 2', withUint32(table, tablePackage + 284, 1), /the IDs of types begin at 1/],
    [
      'another header of the package',
      patched(table, (copy) => copy.writeUInt16LE(280, tablePackage + 2)),
      /284 or 288 bytes/,
    ],
    ['a chunk that is none of a package', withFlippedBit(table, spec, 2), /is a type or its specification/],
    ['a type that is specified twice', patched(table, (copy) => copy.writeUInt8(1, spec + 8)), /specified once/],
    ['a type 0', withTypeId(0), /the IDs of types begin at 1/],
    ['a type without a name', withTypeId(9), /type 9: there is a string 8/],
    [
      'a type that is not specified',
      patched(table, (copy) => copy.writeUInt8(9, type + 8)),
      /specified before its values/,
    ],
    ['flags of a specification', withFlippedBit(table, spec + 9), /a specification has no flags/],
    ['a specification of more entries', withUint32(table, spec + 12, 2), /a number for each of its 2 entries/],
    ['sparse entries', withFlippedBit(table, type + 9), /not sparse/],
    ['more entries than specified', withUint32(table, type + 12, 2), /as many as it is specified with/],
    ['entries elsewhere', withUint32(table, type + 16, 0), /follow their offsets/],
    ['a configuration that is too small', withUint32(table, type + 20, 24), /ends with its configuration/],
    ['an entry elsewhere', withUint32(table, entry - 4, 4), /without a gap/],
    ['no entry, but its bytes', withUint32(table, entry - 4, 0xffffffff), /16 bytes are left over/],
    ['an entry of another size', patched(table, (copy) => copy.writeUInt16LE(12, entry)), /an entry has 8 bytes/],
    [
      'unknown flags of an entry',
      patched(table, (copy) => copy.writeUInt16LE(8, entry + 2)),
      /the flags of an entry are known/,
    ],
    ['an entry without a name', withUint32(table, entry + 4, 1000), /the name of an entry: there is a string 1000/],
    ['an entry of two names', withUint32(table, entry + 4, 1), /has one name in all configurations/],
    ['a value that is not there', withUint32(table, entry + 12, 1000), /there is a string 1000/],
    ['a value of unknown type', patched(table, (copy) => copy.writeUInt8(0x40, entry + 11)), /type 0x40/],
    ['a bag of too many items', withUint32(table, bag + 12, 0x10000000), /a bag of 268435456 items/],
    ['a bag whose items are not sorted', withUint32(table, bag + 16, 0x01010452), /the items of a bag are sorted/],
    ['a bag whose items are one', withUint32(table, bag + 16, 0x01010451), /each there once/],
    [
      'a configuration twice',
      patched(table, (copy) => {
        const second = chunkAt(table, 0x0201, inPackage, 1);
        copy.copy(copy, second + 20, type + 20, type + table.readUInt16LE(type + 2));
      }),
      /mipmap has each configuration once/,
    ],
  ];
  for (const [what, bytes, rule] of REFUSED) {
    it(`${what} is refused`, () => refuses(() => readResourceTable(bytes), rule));
  }

  /** The table whose second type has another ID wherever it is named. */
  function withTypeId(id: number): Buffer {
    return patched(table, (copy) => {
      for (let at = inPackage; at < table.length; at += table.readUInt32LE(at + 4)) {
        if ([0x0201, 0x0202].includes(table.readUInt16LE(at)) && table.readUInt8(at + 8) === typeId) {
          copy.writeUInt8(id, at + 8);
        }
      }
    });
  }
});

describe('verifyApk: classes.dex', () => {
  const classes = dex.readUInt32LE(0x64);
  const types = dex.readUInt32LE(0x44) + dex.readUInt32LE(classes) * 4;
  const strings = dex.readUInt32LE(0x3c) + dex.readUInt32LE(types) * 4;
  const endless = Buffer.concat([dex, Buffer.from([1, 65])]);
  it('its classes have the names that Java gives them', () => {
    assert.deepEqual(readDexClasses(dex), ['example.fixture.MainActivity']);
  });

  const REFUSED: Refused = [
    ['nothing', Buffer.alloc(0), /ends too early/],
    ['another magic', withFlippedBit(dex, 0), /begins with the magic/],
    [
      'a version that Android 7 does not know',
      replaced(dex, Buffer.from('dex\n037'), Buffer.from('dex\n039')),
      /the magic/,
    ],
    ['another checksum', withFlippedBit(dex, 8), /its checksum is right/],
    [
      'another signature',
      patched(dex, (copy) => withDexChecksums(withFlippedBit(dex, 40)).copy(copy, 8, 8, 12)),
      /checksum/,
    ],
    ['a bit of its code', withFlippedBit(dex, dex.length - 1), /its checksum is right/],
    ['a signature of other bytes', withSignatureOf(withFlippedBit(dex, dex.length - 1)), /its signature is right/],
    ['another size of the header', withDexChecksums(withFlippedBit(dex, 0x24)), /its header is known/],
    ['another order of bytes', withDexChecksums(withFlippedBit(dex, 0x28)), /its header is known/],
    ['a class of no type', withDexChecksums(withUint32(dex, classes, 1000)), /there is a type 1000/],
    ['a type of no string', withDexChecksums(withUint32(dex, types, 1000)), /there is a string 1000/],
    ['more classes than fit', withDexChecksums(withUint32(dex, 0x60, 0x40000000)), /1073741824 classes/],
    ['classes elsewhere', withDexChecksums(withUint32(dex, 0x64, dex.length)), /ends too early/],
    [
      'a name that does not end',
      withDexChecksums(withUint32(endless, strings, endless.length - 2)),
      /strings end with a zero/,
    ],
    ['something behind it', Buffer.concat([dex, Buffer.alloc(4)]), /as long as it says/],
    ['its last bytes missing', dex.subarray(0, -4), /as long as it says/],
  ];
  for (const [what, bytes, rule] of REFUSED) {
    it(`${what} is refused`, () => refuses(() => readDexClasses(bytes), rule));
  }
});

/** classes.dex with the signature of other bytes, and its own checksum. */
function withSignatureOf(other: Buffer): Buffer {
  const signature = withDexChecksums(other).subarray(12, 32);
  return patched(dex, (copy) => {
    signature.copy(copy, 12);
    deflateSync(copy.subarray(12)).subarray(-4).reverse().copy(copy, 8);
  });
}

describe('verifyApk: what one file says of another', () => {
  /** The entries, of which one has another content. */
  function withContent(name: string, content: Buffer): readonly ZipEntry[] {
    return apk.entries.map((entry) => (entry.name === name ? { ...entry, content: () => content } : entry));
  }

  function without(name: string): readonly ZipEntry[] {
    return apk.entries.filter((entry) => entry.name !== name);
  }

  const withManifest = (from: Buffer | string, to: Buffer | string): readonly ZipEntry[] =>
    withContent('AndroidManifest.xml', replaced(manifest, from, to));
  const withTable = (from: Buffer, to: Buffer): readonly ZipEntry[] =>
    withContent('resources.arsc', replaced(table, from, to));
  const adaptive = 'res/mipmap-anydpi-v26/icon.xml';
  const REFUSED: readonly (readonly [what: string, entries: readonly ZipEntry[], rule: RegExp])[] = [
    ...['AndroidManifest.xml', 'classes.dex', 'resources.arsc', adaptive, 'res/mipmap-xxxhdpi-v4/icon.png'].map(
      (name) => [`a package without ${name}`, without(name), new RegExp(`there is an entry ${name}`)] as const,
    ),
    [
      'a deflated table',
      apk.entries.map((entry) => (entry.name === 'resources.arsc' ? { ...entry, method: 'deflated' } : entry)),
      /resources\.arsc is stored/,
    ],
    [
      'an icon that is no PNG',
      withContent('res/mipmap-xxxhdpi-v4/icon.png', Buffer.from('GIF89a')),
      /icon\.png is a PNG/,
    ],
    ['an icon that is no XML', withContent(adaptive, Buffer.from('<icon/>')), /icon\.xml: ends too early/],
    [
      'an icon whose parts are not there',
      withContent(adaptive, replaced(contentOf(apk, adaptive), valueOf(1, 0x7f030000), valueOf(1, 0x7f030001))),
      /icon\.xml: <background> drawable: there is a resource 0x7f030001/,
    ],
    [
      'an icon whose attributes have other IDs',
      withContent(adaptive, replaced(contentOf(apk, adaptive), uint32(0x01010199), uint32(0x01010198))),
      /android:drawable: its ID is 0x1010199/,
    ],
    ['an icon that is not there', withManifest(ICON, valueOf(1, 0x7f020001)), /icon: there is a resource 0x7f020001/],
    [
      'an icon of a package that is not there',
      withManifest(ICON, valueOf(1, 0x02020000)),
      /there is a resource 0x2020000/,
    ],
    ['an icon that is a style', withManifest(ICON, valueOf(1, 0x7f040000)), /icon is of mipmap or drawable/],
    ['a theme that is not there', withManifest(THEME, valueOf(1, 0x7f040001)), /theme: there is a resource 0x7f040001/],
    ['a theme that is a color', withManifest(THEME, valueOf(1, 0x7f030000)), /theme is of style/],
    [
      'an activity without a class',
      withManifest('.MainActivity', '.MainActivitz'),
      /has the class example\.fixture\.MainActivitz/,
    ],
    [
      'a style of an attribute that is not there',
      withTable(uint32(0x01010451), uint32(0x7f010000)),
      /there is a resource 0x7f010000/,
    ],
    [
      'a style with a parent that is not there',
      withTable(uint32(0x01030241), uint32(0x7f040002)),
      /style\/Shell: there is a resource/,
    ],
    [
      'a style with a color that is not there',
      withTable(valueOf(1, 0x7f030000), valueOf(1, 0x7f030009)),
      /style\/Shell: there is/,
    ],
    [
      'a table that names a file that is not there',
      withTable(Buffer.from('xxxhdpi-v4'), Buffer.from('xxxhdpi-v5')),
      /there is an entry res\/mipmap-xxxhdpi-v5\/icon\.png/,
    ],
    [
      'a style that is a color',
      withTable(Buffer.from('style'), Buffer.from('color')),
      /color\/Shell: of all types only style, .* are bags/,
    ],
  ];
  it('the same entries are accepted', () => {
    assert.deepEqual(readContents(apk.entries), { manifest: apk.manifest, resources: apk.resources });
  });
  it('a theme of Android is accepted', () => {
    readContents(withManifest(THEME, valueOf(1, 0x01030241)));
  });
  for (const [what, entries, rule] of REFUSED) {
    it(`${what} is refused`, () => refuses(() => readContents(entries), rule));
  }
});
