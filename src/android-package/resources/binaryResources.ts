/** Encodes resources and XML in the format of packages: chunks of little-endian numbers (AOSP, `ResourceTypes.h`). */
import { uint16, uint32 } from './bytes.ts';
import {
  ANDROID_NAMESPACE,
  encodeFraction,
  firstSdk,
  groupByType,
  isStyle,
  PACKAGE_ID,
  sortAttributes,
  type ResourceAttribute,
  type ResourceConfig,
  type ResourceElement,
  type AndroidResource,
  type ResourceStyle,
  type ResourceValue,
} from './resources.ts';

/** Marks a missing string, namespace, or entry. */
const NONE = 0xffffffff;

/**
 * Encodes a chunk.
 *
 * @param header fields after the type and the two sizes
 */
function chunk(type: number, header: Buffer, ...content: readonly Buffer[]): Buffer {
  const headerSize = 8 + header.length;
  const size = content.reduce((sum, { length }) => sum + length, headerSize);
  return Buffer.concat([uint16(type, headerSize), uint32(size), header, ...content]);
}

/** Encodes a `Res_value`: its type, and a number that represents the value. Adds strings to the pool. */
function encodeValue(value: ResourceValue, pool: StringPool): Buffer {
  const encode = (type: number, data: number): Buffer => Buffer.concat([uint16(8), Buffer.of(0, type), uint32(data)]);
  if (typeof value === 'string') {
    return encode(0x03, pool.indexOf(value));
  }
  if (typeof value === 'number') {
    return encode(0x10, value);
  }
  if (typeof value === 'boolean') {
    return encode(0x12, value ? NONE : 0);
  }
  if ('file' in value) {
    return encode(0x03, pool.indexOf(value.file));
  }
  if ('reference' in value) {
    return encode(0x01, value.reference);
  }
  if ('fraction' in value) {
    return encode(0x06, encodeFraction(value.fraction));
  }
  return 'flags' in value ? encode(0x11, value.flags) : encode(0x1c, value.color);
}

/** The strings of a file. Other parts refer to them by index. */
class StringPool {
  readonly #strings: string[];
  readonly #indexes = new Map<string, number>();

  /**
   * @param reserved strings that receive the first indexes. These entries are never reused for other strings, even
   * equal ones.
   */
  constructor(reserved: readonly string[] = []) {
    this.#strings = [...reserved];
  }

  /** Returns the index of a string, and adds the string if it's missing. */
  indexOf(text: string): number {
    const index = this.#indexes.get(text) ?? this.#strings.push(text) - 1;
    this.#indexes.set(text, index);
    return index;
  }

  /** Encodes all strings in UTF-16. */
  encode(): Buffer {
    const strings = this.#strings.map(encodeString);
    const offsets = toOffsets(strings);
    const count = strings.length;
    const end = strings.reduce((sum, { length }) => sum + length, 0);
    // The numbers of strings and styles, flags (0 for UTF-16), and the offsets of the strings and styles.
    const header = uint32(count, 0, 0, 28 + 4 * count, 0);
    return chunk(0x0001, header, uint32(...offsets), ...strings, Buffer.alloc(-end & 3));
  }
}

/** Returns the offset of each of several consecutive parts. @param parts `undefined` for an omitted part */
function toOffsets(parts: readonly (Buffer | undefined)[]): readonly number[] {
  let end = 0;
  return parts.map((part) => {
    if (part === undefined) {
      return NONE;
    }
    end += part.length;
    return end - part.length;
  });
}

/**
 * Encodes a string: its length in UTF-16 code units, its text, and a zero. The length of a long string is encoded in
 * two code units.
 */
function encodeString(text: string): Buffer {
  const { length } = text;
  const head = length < 0x8000 ? uint16(length) : uint16(0x8000 | (length >>> 16), length & 0xffff);
  return Buffer.concat([head, Buffer.from(text, 'utf16le'), uint16(0)]);
}

/** Encodes a document (`ResXMLTree`). */
export function encodeBinaryXml(root: ResourceElement): Buffer {
  const ids = new Map(attributesIn(root).flatMap(({ name, id }) => (id === undefined ? [] : [[name, id] as const])));
  // The ID at index i of the map applies to the string at index i, wherever that string is used as an attribute name.
  // Therefore, these names must be the first strings, and nothing else may use them.
  const names = [...ids.keys()];
  const pool = new StringPool(names);
  const namespace = uint32(pool.indexOf('android'), pool.indexOf(ANDROID_NAMESPACE));
  let line = 0;
  const node = (type: number, content: Buffer): Buffer => {
    line += 1;
    return chunk(type, uint32(line, NONE), content);
  };
  const attribute = ({ name, id, value }: ResourceAttribute): Buffer =>
    Buffer.concat([
      uint32(id === undefined ? NONE : pool.indexOf(ANDROID_NAMESPACE)),
      uint32(id === undefined ? pool.indexOf(name) : names.indexOf(name)),
      uint32(typeof value === 'string' ? pool.indexOf(value) : NONE),
      encodeValue(value, pool),
    ]);
  const element = ({ name, attributes, children }: ResourceElement): Buffer => {
    const sorted = sortAttributes(attributes);
    const start = uint32(NONE, pool.indexOf(name));
    // Offset, size, and number of the attributes. None of them is `id`, `class`, or `style`.
    const counts = uint16(20, 20, sorted.length, 0, 0, 0);
    return Buffer.concat([
      node(0x0102, Buffer.concat([start, counts, ...sorted.map(attribute)])),
      ...children.map(element),
      node(0x0103, start),
    ]);
  };
  const nodes = [node(0x0100, namespace), element(root), node(0x0101, namespace)];
  const map = chunk(0x0180, Buffer.alloc(0), uint32(...ids.values()));
  return chunk(0x0003, Buffer.alloc(0), pool.encode(), map, ...nodes);
}

function attributesIn({ attributes, children }: ResourceElement): readonly ResourceAttribute[] {
  return [...attributes, ...children.flatMap(attributesIn)];
}

/** Encodes `resources.arsc` (`ResTable`). */
export function encodeBinaryTable(packageName: string, resources: readonly AndroidResource[]): Buffer {
  const [values, types, keys] = [new StringPool(), new StringPool(), new StringPool()];
  const chunks = groupByType(resources).flatMap(([type, own]) => {
    const id = types.indexOf(type) + 1;
    return typeChunks(id, own, (resource, value) => encodeEntry(keys.indexOf(resource.name), value, values));
  });
  const content = [types.encode(), keys.encode(), ...chunks];
  // A zero-terminated name of fixed size. The manifest contains the full name.
  const name = Buffer.alloc(256);
  name.write(packageName, 0, name.length - 2, 'utf16le');
  const headerSize = 288;
  const keysStart = headerSize + (content[0]?.length ?? 0);
  const header = Buffer.concat([uint32(PACKAGE_ID), name, uint32(headerSize, 0, keysStart, 0, 0)]);
  return chunk(0x0002, uint32(1), values.encode(), chunk(0x0200, header, ...content));
}

/**
 * Encodes a resource: one value, or a style's values sorted by the IDs of their attributes, because Android searches
 * them in this order.
 */
function encodeEntry(key: number, value: ResourceValue | ResourceStyle, values: StringPool): Buffer {
  if (!isStyle(value)) {
    return Buffer.concat([uint16(8, 0), uint32(key), encodeValue(value, values)]);
  }
  const sorted = [...value.items].sort(([left], [right]) => left.id - right.id);
  return Buffer.concat([
    uint16(16, 1),
    uint32(key, value.parent, sorted.length),
    ...sorted.map(([{ id }, item]) => Buffer.concat([uint32(id), encodeValue(item, values)])),
  ]);
}

/** Flags for the device properties that values depend on (AOSP, `configuration.h`). */
const DENSITY_CHANGES = 0x0100;
const SDK_CHANGES = 0x0400;
const NIGHT_CHANGES = 0x1000;
const CONFIG_SIZE = 64;

/**
 * Encodes the chunks of a type: the properties that each resource depends on, followed by the values for each
 * configuration.
 */
function typeChunks(
  id: number,
  resources: readonly AndroidResource[],
  encode: (resource: AndroidResource, value: ResourceValue | ResourceStyle) => Buffer,
): readonly Buffer[] {
  const head = Buffer.concat([Buffer.of(id, 0), uint16(0), uint32(resources.length)]);
  const changes = resources.map(({ values }) => values.reduce((all, [config]) => all | changesBy(config), 0));
  // Like aapt, start with the configuration for every phone.
  const configs = [...new Set(resources.flatMap(({ values }) => values.map(([config]) => configKey(config))))].sort();
  const entriesStart = 8 + head.length + 4 + CONFIG_SIZE + 4 * resources.length;
  const tables = configs.map((key) => {
    const entries = resources.map((resource) => {
      const found = resource.values.find(([config]) => configKey(config) === key);
      return found === undefined ? undefined : encode(resource, found[1]);
    });
    const header = Buffer.concat([head, uint32(entriesStart), Buffer.from(key, 'hex')]);
    return chunk(0x0201, header, uint32(...toOffsets(entries)), ...entries.filter((entry) => entry !== undefined));
  });
  return [chunk(0x0202, head, uint32(...changes)), ...tables];
}

function changesBy(config: ResourceConfig): number {
  return (
    (config.density === undefined ? 0 : DENSITY_CHANGES) |
    (config.isNight === true ? NIGHT_CHANGES : 0) |
    (firstSdk(config) > 0 ? SDK_CHANGES : 0)
  );
}

/** Returns a `ResTable_config` in hexadecimal, for use as a key. */
function configKey(config: ResourceConfig): string {
  const bytes = Buffer.alloc(CONFIG_SIZE);
  bytes.writeUInt32LE(CONFIG_SIZE, 0);
  bytes.writeUInt16LE(config.density ?? 0, 14);
  bytes.writeUInt16LE(firstSdk(config), 24);
  bytes.writeUInt8(config.isNight === true ? 0x20 : 0, 29);
  return bytes.toString('hex');
}
