import { demand } from './invalidApkError.ts';

/** Reads little-endian numbers and slices one after the other, never past the end. */
export class ByteReader {
  readonly bytes: Buffer;
  /** What these bytes are, for messages. */
  readonly title: string;
  #position: number;

  constructor(bytes: Buffer, title: string, position = 0) {
    this.bytes = bytes;
    this.title = title;
    this.#position = position;
  }

  get position(): number {
    return this.#position;
  }

  get isAtEnd(): boolean {
    return this.#position === this.bytes.length;
  }

  /** Whether a number of two bytes comes next. */
  isBefore(uint16: number): boolean {
    return this.#position + 2 <= this.bytes.length && this.bytes.readUInt16LE(this.#position) === uint16;
  }

  uint8(): number {
    return this.bytes.readUInt8(this.#advance(1));
  }

  uint16(): number {
    return this.bytes.readUInt16LE(this.#advance(2));
  }

  uint32(): number {
    return this.bytes.readUInt32LE(this.#advance(4));
  }

  /** A number of eight bytes, which is an offset or a size in a file: what a number cannot hold exactly is refused. */
  uint64(): number {
    const value = this.bytes.readBigUInt64LE(this.#advance(8));
    demand(value <= BigInt(Number.MAX_SAFE_INTEGER), `${this.title}: a size of ${value} bytes`);
    return Number(value);
  }

  slice(length: number): Buffer {
    const start = this.#advance(length);
    return this.bytes.subarray(start, start + length);
  }

  /** What a length of four bytes says. */
  lengthPrefixed(title: string): ByteReader {
    return new ByteReader(this.slice(this.uint32()), title);
  }

  /** Whatever `read` reads, again and again until the end. */
  untilEnd<T>(read: (reader: ByteReader) => T): T[] {
    const all: T[] = [];
    while (!this.isAtEnd) {
      all.push(read(this));
    }
    return all;
  }

  /** @throws InvalidApkError when bytes are left over */
  end(): void {
    demand(this.isAtEnd, `${this.title}: ${this.bytes.length - this.#position} bytes are left over`);
  }

  /** @returns where these bytes begin */
  #advance(length: number): number {
    const start = this.#position;
    demand(start + length <= this.bytes.length, `${this.title}: ends too early, at byte ${start}`);
    this.#position = start + length;
    return start;
  }
}
