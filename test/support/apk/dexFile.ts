/** classes.dex: "Dalvik executable format" of Android's documentation decides. */
import { createHash } from 'node:crypto';

import { ByteReader } from './byteReader.ts';
import { demand } from './invalidApkError.ts';

const TITLE = 'classes.dex';
const HEADER_SIZE = 0x70;
/** The number of the format, in the magic. Android 7 reads up to 037. */
const VERSIONS = ['035', '037'];
const LITTLE_ENDIAN = 0x12345678;
const CLASS_SIZE = 32;

/**
 * The names of the classes that a file defines, as Java writes them, once its checksum and its signature are right.
 *
 * @throws InvalidApkError
 */
export function readDexClasses(bytes: Buffer): readonly string[] {
  const header = new ByteReader(bytes, TITLE);
  const magic = header.slice(8).toString('latin1');
  demand(
    VERSIONS.some((version) => magic === `dex\n${version}\0`),
    `${TITLE}: it begins with the magic`,
  );
  const checksum = header.uint32();
  const signature = header.slice(20);
  demand(header.uint32() === bytes.length, `${TITLE}: it is as long as it says`);
  demand(adler32(bytes.subarray(12)) === checksum, `${TITLE}: its checksum is right`);
  demand(createHash('sha1').update(bytes.subarray(32)).digest().equals(signature), `${TITLE}: its signature is right`);
  demand(header.uint32() === HEADER_SIZE && header.uint32() === LITTLE_ENDIAN, `${TITLE}: its header is known`);
  header.slice(3 * 4); // Links and the map.
  const strings = readTable(header);
  const types = readTable(header);
  header.slice(3 * 8); // Prototypes, fields and methods.
  const classes = readTable(header);

  const typeName = (type: number): string => {
    demand(type < types.count, `${TITLE}: there is a type ${type}`);
    const string = new ByteReader(bytes, TITLE, types.offset + type * 4).uint32();
    demand(string < strings.count, `${TITLE}: there is a string ${string}`);
    return readString(new ByteReader(bytes, TITLE, new ByteReader(bytes, TITLE, strings.offset + string * 4).uint32()));
  };
  demand(classes.count * CLASS_SIZE <= bytes.length, `${TITLE}: ${classes.count} classes`);
  return Array.from({ length: classes.count }, (_, index) => {
    const descriptor = typeName(new ByteReader(bytes, TITLE, classes.offset + index * CLASS_SIZE).uint32());
    return descriptor.replace(/^L|;$/g, '').replaceAll('/', '.');
  });
}

function readTable(header: ByteReader): { readonly count: number; readonly offset: number } {
  return { count: header.uint32(), offset: header.uint32() };
}

/** Behind its length as a ULEB128, up to a zero. The names of classes have no zeros. */
function readString(reader: ByteReader): string {
  let byte = reader.uint8();
  while (byte >= 0x80) {
    byte = reader.uint8();
  }
  const end = reader.bytes.indexOf(0, reader.position);
  demand(end >= 0, `${TITLE}: strings end with a zero`);
  return reader.bytes.toString('utf8', reader.position, end);
}

/** RFC 1950, section 9 */
function adler32(bytes: Buffer): number {
  let sum = 1;
  let sumOfSums = 0;
  for (const byte of bytes) {
    sum = (sum + byte) % 65521;
    sumOfSums = (sumOfSums + sum) % 65521;
  }
  return sumOfSums * 65536 + sum;
}
