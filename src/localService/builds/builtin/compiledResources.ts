/** The binary format of Android's compiled XML and resource tables (AOSP, `ResourceTypes.h`): chunks of little-endian numbers. */

/** No string, no namespace. */
const NONE = 0xffffffff;

/** @param header what follows the type and the two sizes */
function chunk(type: number, header: Buffer, ...content: readonly Buffer[]): Buffer {
  const headerSize = 8 + header.length;
  const size = content.reduce((sum, { length }) => sum + length, headerSize);
  return Buffer.concat([uint16(type, headerSize), uint32(size), header, ...content]);
}

export function uint16(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2);
  numbers.forEach((number, index) => bytes.writeUInt16LE(number, index * 2));
  return bytes;
}

/** @param numbers from -2^31 to 2^32 - 1 */
export function uint32(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => bytes.writeUInt32LE(number >>> 0, index * 4));
  return bytes;
}

/** A value of an attribute or a resource; a number is an integer. */
export type Value =
  | string
  | number
  | boolean
  /** The ID of a resource. */
  | { readonly reference: number }
  | { readonly flags: number }
  /** 32 bits: alpha, red, green, blue. */
  | { readonly colour: number };

/** `Res_value`: its type, and a number that means the value. A text is in the pool. */
function encodeValue(value: Value, pool: StringPool): Buffer {
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
  if ('reference' in value) {
    return encode(0x01, value.reference);
  }
  return 'flags' in value ? encode(0x11, value.flags) : encode(0x1c, value.colour);
}

/** The strings of a file, which the rest of it names by their index. */
class StringPool {
  readonly #strings: string[];
  readonly #indexes = new Map<string, number>();

  /** @param reserved strings that are the first ones, and are never taken for a string of the same text */
  constructor(reserved: readonly string[] = []) {
    this.#strings = [...reserved];
  }

  /** The index of a string, which is added when it is not there yet. */
  indexOf(text: string): number {
    const index = this.#indexes.get(text) ?? this.#strings.push(text) - 1;
    this.#indexes.set(text, index);
    return index;
  }

  /** All strings that were asked for, in UTF-16. */
  encode(): Buffer {
    const strings = this.#strings.map(encodeString);
    const offsets: number[] = [];
    let end = 0;
    for (const { length } of strings) {
      offsets.push(end);
      end += length;
    }
    const count = strings.length;
    // The count of strings and styles, flags (none: UTF-16), and where the strings and styles start.
    const header = uint32(count, 0, 0, 28 + 4 * count, 0);
    return chunk(0x0001, header, uint32(...offsets), ...strings, Buffer.alloc(-end & 3));
  }
}

/** The length in UTF-16 units, the string, and a zero. A long string has two units for its length. */
function encodeString(text: string): Buffer {
  const { length } = text;
  const head = length < 0x8000 ? uint16(length) : uint16(0x8000 | (length >>> 16), length & 0xffff);
  return Buffer.concat([head, Buffer.from(text, 'utf16le'), uint16(0)]);
}

const ANDROID = { prefix: 'android', uri: 'http://schemas.android.com/apk/res/android' };

export interface Element {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly children?: readonly Element[];
}

export interface Attribute {
  readonly name: string;
  /** The framework's ID of an attribute of the namespace `android`; `undefined` for one without a namespace. */
  readonly id: number | undefined;
  readonly value: Value;
}

/** Compiles a document (`ResXMLTree`). Attributes may come in any order. */
export function compileXml(root: Element): Buffer {
  const attributes = attributesIn(root);
  const ids = new Map(attributes.flatMap(({ name, id }) => (id === undefined ? [] : [[name, id] as const])));
  // Android takes the string at index i, wherever it names an attribute, for that with the ID at index i of the map. So
  // these names are the first strings, and nothing else shares them.
  const names = [...ids.keys()];
  const pool = new StringPool(names);
  const namespace = uint32(pool.indexOf(ANDROID.prefix), pool.indexOf(ANDROID.uri));
  let line = 0;
  const node = (type: number, content: Buffer): Buffer => {
    line += 1;
    return chunk(type, uint32(line, NONE), content);
  };
  const attribute = ({ name, id, value }: Attribute): Buffer =>
    Buffer.concat([
      uint32(id === undefined ? NONE : pool.indexOf(ANDROID.uri)),
      uint32(id === undefined ? pool.indexOf(name) : names.indexOf(name)),
      uint32(typeof value === 'string' ? pool.indexOf(value) : NONE),
      encodeValue(value, pool),
    ]);
  const element = ({ name, attributes: own, children = [] }: Element): Buffer => {
    // The framework searches them in the order of their IDs.
    const sorted = [...own].sort((left, right) => (left.id ?? NONE) - (right.id ?? NONE));
    const start = uint32(NONE, pool.indexOf(name));
    // Where attributes start, the size of one, how many there are; none of them is `id`, `class` or `style`.
    const counts = uint16(20, 20, sorted.length, 0, 0, 0);
    return Buffer.concat([
      node(0x0102, Buffer.concat([start, counts, ...sorted.map(attribute)])),
      ...children.map(element),
      node(0x0103, start),
    ]);
  };
  const nodes = [node(0x0100, namespace), element(root), node(0x0101, namespace)];
  return chunk(
    0x0003,
    Buffer.alloc(0),
    pool.encode(),
    chunk(0x0180, Buffer.alloc(0), uint32(...ids.values())),
    ...nodes,
  );
}

function attributesIn({ attributes, children = [] }: Element): readonly Attribute[] {
  return [...attributes, ...children.flatMap(attributesIn)];
}

const PACKAGE_ID = 0x7f;
const ICON_TYPE = 1;
const THEME_TYPE = 2;

export const ICON_ID = resourceId(ICON_TYPE);
export const THEME_ID = resourceId(THEME_TYPE);
/** The icon's name in the package. */
export const ICON_FILE = 'res/icon.png';

export interface Theme {
  /** The ID of a theme of the framework, which it inherits from. */
  readonly parent: number;
  /** By the IDs of the framework's attributes. */
  readonly items: ReadonlyMap<number, Value>;
}

/** The theme of the app by day and by night. */
export interface Themes {
  readonly day: Theme;
  readonly night: Theme;
}

/** A value of a resource, and when it counts. */
interface Configured {
  readonly config: Buffer;
  readonly entry: Buffer;
}

/** `resources.arsc` (`ResTable`): the icon and the theme, which the manifest refers to. */
export function encodeResourceTable(packageName: string, { day, night }: Themes): Buffer {
  const [values, types, keys] = [new StringPool(), new StringPool(), new StringPool()];
  const icon = Buffer.concat([uint16(8, 0), uint32(keys.indexOf('icon')), encodeValue(ICON_FILE, values)]);
  const style = (theme: Theme): Buffer => themeEntry(keys.indexOf('AppTheme'), theme, values);
  types.indexOf('mipmap');
  types.indexOf('style');
  const [dayStyle, nightStyle] = [style(day), style(night)];
  const content = [
    types.encode(),
    keys.encode(),
    ...typeChunks(ICON_TYPE, DENSITY_CHANGES, [{ config: ICON_CONFIG, entry: icon }]),
    ...typeChunks(THEME_TYPE, NIGHT_CHANGES | SDK_CHANGES, [
      { config: ANY_CONFIG, entry: dayStyle },
      { config: NIGHT_CONFIG, entry: nightStyle },
    ]),
  ];
  // With a zero at its end. The manifest has the whole name.
  const name = Buffer.alloc(256);
  name.write(packageName, 0, name.length - 2, 'utf16le');
  const headerSize = 288;
  const keysStart = headerSize + (content[0]?.length ?? 0);
  const header = Buffer.concat([uint32(PACKAGE_ID), name, uint32(headerSize, 0, keysStart, 0, 0)]);
  return chunk(0x0002, uint32(1), values.encode(), chunk(0x0200, header, ...content));
}

function resourceId(type: number): number {
  return (PACKAGE_ID << 24) | (type << 16);
}

/** A resource with a value for each of several attributes, which Android searches in the order of their IDs. */
function themeEntry(key: number, { parent, items }: Theme, values: StringPool): Buffer {
  const sorted = [...items].sort(([left], [right]) => left - right);
  return Buffer.concat([
    uint16(16, 1),
    uint32(key, parent, sorted.length),
    ...sorted.map(([id, value]) => Buffer.concat([uint32(id), encodeValue(value, values)])),
  ]);
}

const CONFIG_SIZE = 64;
/** What the values of a resource may differ by (AOSP, `configuration.h`). */
const DENSITY_CHANGES = 0x0100;
const SDK_CHANGES = 0x0400;
const NIGHT_CHANGES = 0x1000;

const ANY_CONFIG = encodeConfig({});
/** xxxhdpi, for the densest screens: launchers make the icon smaller, never larger. Android knows densities from version 4 on. */
const ICON_CONFIG = encodeConfig({ density: 640, sdk: 4 });
/** Android knows the night from version 8 on. */
const NIGHT_CONFIG = encodeConfig({ uiMode: 0x20, sdk: 8 });

/** `ResTable_config`: the phones and moments that a value is for; 0 for all. */
function encodeConfig({ density = 0, sdk = 0, uiMode = 0 }): Buffer {
  const config = Buffer.alloc(CONFIG_SIZE);
  config.writeUInt32LE(CONFIG_SIZE, 0);
  config.writeUInt16LE(density, 14);
  config.writeUInt16LE(sdk, 24);
  config.writeUInt8(uiMode, 29);
  return config;
}

/** The chunks of a type with one resource: what its values differ by, then each of them. */
function typeChunks(type: number, changes: number, values: readonly Configured[]): readonly Buffer[] {
  const head = Buffer.concat([Buffer.of(type, 0), uint16(0), uint32(1)]);
  const entriesStart = 8 + head.length + 4 + CONFIG_SIZE + 4;
  return [
    chunk(0x0202, head, uint32(changes)),
    ...values.map(({ config, entry }) =>
      chunk(0x0201, Buffer.concat([head, uint32(entriesStart), config]), uint32(0), entry),
    ),
  ];
}
