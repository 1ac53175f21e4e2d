import assert from 'node:assert/strict';

/** Reads little-endian numbers and slices one after the other, never past the end. */
export class ByteReader {
  readonly bytes: Buffer;
  /** Names these bytes in messages. */
  readonly title: string;
  position: number;

  constructor(bytes: Buffer, title: string, position = 0) {
    this.bytes = bytes;
    this.title = title;
    this.position = position;
  }

  uint16(): number {
    return this.slice(2).readUInt16LE();
  }

  uint32(): number {
    return this.slice(4).readUInt32LE();
  }

  uint64(): number {
    return Number(this.slice(8).readBigUInt64LE());
  }

  slice(length: number): Buffer {
    const start = this.position;
    assert.ok(start + length <= this.bytes.length, `${this.title}: ends too early, at byte ${start}`);
    this.position += length;
    return this.bytes.subarray(start, this.position);
  }

  /** The bytes that follow their own length in four bytes. */
  prefixed(title: string): ByteReader {
    return new ByteReader(this.slice(this.uint32()), title);
  }

  /** Calls `read` until no bytes are left. */
  untilEnd<T>(read: () => T): readonly T[] {
    const all: T[] = [];
    while (this.position < this.bytes.length) {
      all.push(read());
    }
    return all;
  }

  /** Fails when bytes are left over. */
  end(): void {
    assert.equal(this.position, this.bytes.length, `${this.title}: bytes are left over`);
  }
}
