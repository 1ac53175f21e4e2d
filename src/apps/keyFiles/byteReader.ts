/** Reads numbers and texts from the start of a file. Each method throws RangeError where the file ends too early. */
export class ByteReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Bytes that have been read or skipped so far. */
  get position(): number {
    return this.#position;
  }

  bytes(length: number): Buffer {
    if (length > this.#bytes.length - this.#position) {
      throw new RangeError('The file ends too early.');
    }
    const start = this.#position;
    this.#position += length;
    return this.#bytes.subarray(start, this.#position);
  }

  /** Big-endian, as all numbers here. */
  uint32(): number {
    return this.bytes(4).readUInt32BE();
  }

  /** A text behind its length in two bytes. */
  text(): string {
    return this.bytes(this.bytes(2).readUInt16BE()).toString('utf8');
  }
}
