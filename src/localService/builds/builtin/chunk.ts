/** The binary format of Android's compiled XML and resource tables (AOSP, `ResourceTypes.h`): chunks of little-endian numbers. */

/** No string, no namespace. */
export const NONE = 0xffffffff;

/** @param header what follows the type and the two sizes */
export function chunk(type: number, header: Buffer, ...content: readonly Buffer[]): Buffer {
  const headerSize = 8 + header.length;
  const size = content.reduce((sum, { length }) => sum + length, headerSize);
  return Buffer.concat([uint16(type, headerSize), uint32(size), header, ...content]);
}

export function uint8(...numbers: readonly number[]): Buffer {
  return Buffer.from(numbers);
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

/** A value of an attribute or a resource. */
export type Value =
  | { readonly type: 'text'; readonly text: string }
  /** The ID of a resource. */
  | { readonly type: 'reference'; readonly id: number }
  | { readonly type: 'integer' | 'flags'; readonly number: number }
  | { readonly type: 'boolean'; readonly isTrue: boolean }
  /** 32 bits: alpha, red, green, blue. */
  | { readonly type: 'colour'; readonly argb: number };

/** `Res_value`: its type, and a number that means the value. A text is in the pool. */
export function encodeValue(value: Value, pool: StringPool): Buffer {
  const encode = (type: number, data: number): Buffer => Buffer.concat([uint16(8), uint8(0, type), uint32(data)]);
  switch (value.type) {
    case 'reference':
      return encode(0x01, value.id);
    case 'text':
      return encode(0x03, pool.indexOf(value.text));
    case 'integer':
      return encode(0x10, value.number);
    case 'flags':
      return encode(0x11, value.number);
    case 'boolean':
      return encode(0x12, value.isTrue ? NONE : 0);
    case 'colour':
      return encode(0x1c, value.argb);
  }
}

/** The strings of a file, which the rest of it names by their index. */
export class StringPool {
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
