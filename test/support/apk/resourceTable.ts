/** resources.arsc: AOSP's ResourceTypes.h decides (`ResTable_…`). */
import type { ByteReader } from './byteReader.ts';
import { CHUNK_TYPES, NO_INDEX, readChunk, readOuterChunk, readStringPool, stringAt, type Chunk } from './chunk.ts';
import { demand } from './invalidApkError.ts';
import { readTypedValue, type TypedValue } from './typedValue.ts';

/** The package of an app's own resources; 0x01 is Android's. */
export const APP_PACKAGE_ID = 0x7f;
/** `ResTable_package` with `typeIdOffset`, and as it was before that. */
const PACKAGE_HEADER_SIZES = [288, 284];
/** `ResTable_type` without its config. */
const TYPE_HEADER_SIZE = 20;
/** The smallest `ResTable_config` that knows the version of the SDK. */
const MIN_CONFIG_SIZE = 28;
/** `ResTable_entry::FLAG_COMPLEX` and `FLAG_PUBLIC` */
const COMPLEX_FLAG = 0x0001;
const PUBLIC_FLAG = 0x0002;

export interface ResourceConfig {
  /** Dots per inch, 0xfffe: any, 0: not said. */
  readonly density: number;
  /** 0: not said. */
  readonly sdkVersion: number;
  /** At night only. */
  readonly isNight: boolean;
  /** All of it but its size, to tell one from another. */
  readonly hex: string;
}

/** A style, for example. */
export interface ResourceBag {
  readonly type: 'bag';
  /** Another bag, or 0. */
  readonly parent: number;
  /** By the IDs of their attributes. */
  readonly items: readonly { readonly id: number; readonly value: TypedValue }[];
}

export type ResourceValue = TypedValue | ResourceBag;

export interface Resource {
  readonly id: number;
  readonly name: string;
  readonly values: readonly { readonly config: ResourceConfig; readonly value: ResourceValue }[];
}

export interface ResourceType {
  readonly id: number;
  /** `mipmap`, `style` … */
  readonly name: string;
  /** Those with a value. */
  readonly entries: readonly Resource[];
}

export interface ResourceTable {
  readonly packageId: number;
  readonly packageName: string;
  readonly types: readonly ResourceType[];
}

/** The values of a type in one configuration. */
interface Configured {
  readonly config: ResourceConfig;
  readonly entries: readonly { readonly index: number; readonly name: string; readonly value: ResourceValue }[];
}

/** The strings that entries refer to. */
interface Pools {
  readonly values: readonly string[];
  readonly keys: readonly string[];
}

const TITLE = 'resources.arsc';

/** A table with the one package of an app. @throws InvalidApkError */
export function readResourceTable(bytes: Buffer): ResourceTable {
  const { header, body } = readOuterChunk(bytes, CHUNK_TYPES.table, TITLE);
  demand(header.uint32() === 1, `${TITLE}: there is one package`);
  header.end();
  const values = readStringPool(readChunk(body, TITLE));
  const chunk = readChunk(body, TITLE);
  body.end();
  demand(chunk.type === CHUNK_TYPES.package, `${TITLE}: a package follows the strings`);
  return readPackage(chunk, values);
}

/** The resource of an ID. */
export function resourceOf(table: ResourceTable, id: number): Resource | undefined {
  return table.types.flatMap(({ entries }) => entries).find((entry) => entry.id === id);
}

/** The resource of a name: `mipmap/icon`. */
export function resourceNamed(table: ResourceTable, name: string): Resource | undefined {
  return table.types
    .flatMap((type) => type.entries.map((entry) => ({ entry, path: `${type.name}/${entry.name}` })))
    .find(({ path }) => path === name)?.entry;
}

function readPackage({ header, headerSize, body }: Chunk, values: readonly string[]): ResourceTable {
  demand(PACKAGE_HEADER_SIZES.includes(headerSize), `${TITLE}: the package has a header of 284 or 288 bytes`);
  const packageId = header.uint32();
  demand(packageId === APP_PACKAGE_ID, `${TITLE}: the package is 0x7f, an app's`);
  const packageName = readPackageName(header);
  const typeStrings = header.uint32();
  header.uint32(); // The last public type.
  const keyStrings = header.uint32();
  header.uint32(); // The last public key.
  demand(header.isAtEnd || header.uint32() === 0, `${TITLE}: the IDs of types begin at 1`);
  header.end();
  demand(typeStrings === headerSize + body.position, `${TITLE}: the names of types follow the header`);
  const typeNames = readStringPool(readChunk(body, TITLE));
  demand(keyStrings === headerSize + body.position, `${TITLE}: the names of entries follow those of types`);
  const pools: Pools = { values, keys: readStringPool(readChunk(body, TITLE)) };

  const found = new Map<number, { readonly count: number; readonly configured: Configured[] }>();
  while (!body.isAtEnd) {
    const chunk = readChunk(body, TITLE);
    const id = chunk.header.uint8();
    if (chunk.type === CHUNK_TYPES.typeSpec) {
      demand(!found.has(id), `${TITLE}: the type ${id} is specified once`);
      found.set(id, { count: readTypeSpec(chunk), configured: [] });
    } else {
      demand(chunk.type === CHUNK_TYPES.type, `${TITLE}: 0x${chunk.type.toString(16)} is a type or its specification`);
      const type = found.get(id);
      demand(type !== undefined, `${TITLE}: the type ${id} is specified before its values`);
      type.configured.push(readType(chunk, type.count, pools));
    }
  }
  const types = [...found].map(([id, { configured }]) => {
    demand(id > 0, `${TITLE}: the IDs of types begin at 1`);
    const name = stringAt(typeNames, id - 1, `${TITLE}: type ${id}`);
    const configs = configured.map(({ config }) => config.hex);
    demand(new Set(configs).size === configs.length, `${TITLE}: ${name} has each configuration once`);
    return { id, name, entries: entriesOf(configured, ((packageId << 24) | (id << 16)) >>> 0) };
  });
  return { packageId, packageName, types };
}

/** 128 UTF-16 units, filled up with zeros. */
function readPackageName(header: ByteReader): string {
  const text = header.slice(256).toString('utf16le');
  const name = text.replace(/\0+$/, '');
  demand(name.length < 128 && name !== '' && !name.includes('\0'), `${TITLE}: the package's name ends with a zero`);
  return name;
}

/** @returns how many entries the type has */
function readTypeSpec({ header, body }: Chunk): number {
  demand(header.uint8() === 0, `${TITLE}: a specification has no flags`);
  header.uint16(); // The number of types that follow, or 0.
  const count = header.uint32();
  header.end();
  demand(body.bytes.length === count * 4, `${TITLE}: a specification has a number for each of its ${count} entries`);
  return count;
}

function readType({ header, headerSize, body }: Chunk, count: number, pools: Pools): Configured {
  demand(header.uint8() === 0 && header.uint16() === 0, `${TITLE}: the values of a type are not sparse`);
  demand(header.uint32() === count, `${TITLE}: the values of a type are as many as it is specified with`);
  const entriesStart = header.uint32();
  const configSize = header.uint32();
  demand(
    configSize >= MIN_CONFIG_SIZE && headerSize === TYPE_HEADER_SIZE + configSize,
    `${TITLE}: the header of a type ends with its configuration`,
  );
  const config = header.slice(configSize - 4);
  header.end();
  const offsets = Array.from({ length: count }, () => body.uint32());
  demand(entriesStart === headerSize + body.position, `${TITLE}: the values of a type follow their offsets`);

  const entries = offsets
    .map((offset, index) => ({ offset, index }))
    .filter(({ offset }) => offset !== NO_INDEX)
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ offset, index }) => {
      demand(entriesStart + offset === headerSize + body.position, `${TITLE}: values follow each other without a gap`);
      return { index, ...readEntry(body, pools) };
    });
  body.end();
  return {
    // Behind its size: MCC and MNC, locale, orientation and touchscreen, then the density … up to the mode of the UI.
    config: {
      density: config.readUInt16LE(10),
      sdkVersion: config.readUInt16LE(20),
      isNight: (config.readUInt8(25) & 0x30) === 0x20,
      hex: config.toString('hex'),
    },
    entries,
  };
}

function readEntry(body: ByteReader, pools: Pools): { readonly name: string; readonly value: ResourceValue } {
  const size = body.uint16();
  const flags = body.uint16();
  const isBag = (flags & COMPLEX_FLAG) !== 0;
  demand((flags & ~(COMPLEX_FLAG | PUBLIC_FLAG)) === 0, `${TITLE}: the flags of an entry are known`);
  demand(size === (isBag ? 16 : 8), `${TITLE}: an entry has 8 bytes, and a bag 16`);
  const name = stringAt(pools.keys, body.uint32(), `${TITLE}: the name of an entry`);
  return { name, value: isBag ? readBag(body, pools.values) : readTypedValue(body, pools.values) };
}

function readBag(body: ByteReader, strings: readonly string[]): ResourceBag {
  const parent = body.uint32();
  const count = body.uint32();
  demand(count <= body.bytes.length / 12, `${TITLE}: a bag of ${count} items`);
  const items = Array.from({ length: count }, () => ({ id: body.uint32(), value: readTypedValue(body, strings) }));
  demand(
    items.every(({ id }, index) => index === 0 || id > (items[index - 1]?.id ?? 0)),
    `${TITLE}: the items of a bag are sorted by their IDs, each there once`,
  );
  return { type: 'bag', parent, items };
}

/** The resources of a type, with what each of its configurations says of them. */
function entriesOf(configured: readonly Configured[], firstId: number): Resource[] {
  const all = configured.flatMap(({ config, entries }) => entries.map((entry) => ({ ...entry, config })));
  return [...new Set(all.map(({ index }) => index))].map((index) => {
    const same = all.filter((each) => each.index === index);
    const name = same[0]?.name ?? '';
    demand(
      same.every((each) => each.name === name),
      `${TITLE}: ${name} has one name in all configurations`,
    );
    return { id: firstId + index, name, values: same.map(({ config, value }) => ({ config, value })) };
  });
}
