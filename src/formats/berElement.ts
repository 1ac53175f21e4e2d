import { KeyFileError } from './keyEntry.ts';

/** Tags (X.690 §8.1.2), with the bit for what is made of other elements. */
const INTEGER = 0x02;
const OBJECT_IDENTIFIER = 0x06;
export const SEQUENCE = 0x30;
const CONSTRUCTED = 0x20;
/** The tag continues in further bytes, which no key file needs. */
const LONG_TAG = 0x1f;
/** No length is given: two zero bytes stand behind the last part. */
const INDEFINITE = 0x80;
const END_OF_CONTENTS = Buffer.alloc(2);

/** Elements within elements; key files have about 15. */
const MAX_DEPTH = 64;
/** Elements of a file, or of a part that it holds in its bytes: some hundred keys. */
const MAX_ELEMENTS = 20_000;
const MAX_LENGTH_BYTES = 4;
const MAX_INTEGER_BYTES = 6;
const MAX_OBJECT_IDENTIFIER_BYTES = 32;

/**
 * A value in BER (X.690), which includes DER: lengths may be indefinite, strings may come in pieces. Each method throws
 * {@link KeyFileError} `invalid` when the element is of another kind.
 */
export class BerElement {
  readonly tag: number;
  /** The whole element. */
  readonly encoding: Buffer;
  /** Its parts; empty when it is not made of elements. */
  readonly children: readonly BerElement[];
  readonly #content: Buffer;

  private constructor(tag: number, encoding: Buffer, content: Buffer, children: readonly BerElement[]) {
    this.tag = tag;
    this.encoding = encoding;
    this.children = children;
    this.#content = content;
  }

  /** Reads the element at the start of a file. @throws KeyFileError `invalid` where there is none, or only the start of one */
  static read(bytes: Buffer, depth = MAX_DEPTH, left = { elements: MAX_ELEMENTS }): BerElement {
    left.elements -= 1;
    const [tag = LONG_TAG, lengthByte = 0] = bytes;
    const isIndefinite = lengthByte === INDEFINITE;
    const lengthBytes = Math.max(0, lengthByte - INDEFINITE);
    const start = 2 + lengthBytes;
    const isConstructed = (tag & CONSTRUCTED) !== 0;
    if (
      (tag & LONG_TAG) === LONG_TAG ||
      lengthBytes > MAX_LENGTH_BYTES ||
      bytes.length < start ||
      depth === 0 ||
      left.elements < 0 ||
      (isIndefinite && !isConstructed)
    ) {
      throw new KeyFileError('invalid');
    }
    const length = lengthBytes === 0 ? lengthByte : bytes.readUIntBE(2, lengthBytes);
    const end = isIndefinite ? bytes.length : start + length;
    if (end > bytes.length) {
      throw new KeyFileError('invalid');
    }
    const content = bytes.subarray(start, end);
    if (!isConstructed) {
      return new BerElement(tag, bytes.subarray(0, end), content, []);
    }
    const children: BerElement[] = [];
    let position = 0;
    const isEnd = (): boolean =>
      isIndefinite ? content.subarray(position, position + 2).equals(END_OF_CONTENTS) : position === content.length;
    while (!isEnd()) {
      const child = BerElement.read(content.subarray(position), depth - 1, left);
      children.push(child);
      position += child.encoding.length;
    }
    const encoding = bytes.subarray(0, start + position + (isIndefinite ? END_OF_CONTENTS.length : 0));
    return new BerElement(tag, encoding, content.subarray(0, position), children);
  }

  /** The part at this place. */
  at(index: number): BerElement {
    const child = this.children[index];
    if (child === undefined) {
      throw new KeyFileError('invalid');
    }
    return child;
  }

  /** This element, when it has the tag. */
  expect(tag: number): this {
    if (this.tag !== tag) {
      throw new KeyFileError('invalid');
    }
    return this;
  }

  /** A string of bytes, whose pieces are put together; its tag may be another one. */
  octets(): Buffer {
    return this.children.length === 0 ? this.#content : Buffer.concat(this.children.map((child) => child.octets()));
  }

  /** A number that is not negative. */
  integer(): number {
    const bytes = this.expect(INTEGER).#content;
    const sign = bytes[0] ?? 0x80;
    if (sign >= 0x80 || bytes.length > MAX_INTEGER_BYTES) {
      throw new KeyFileError('invalid');
    }
    return bytes.readUIntBE(0, bytes.length);
  }

  /** An object identifier as numbers with dots between them (X.690 §8.19). */
  objectIdentifier(): string {
    const bytes = this.expect(OBJECT_IDENTIFIER).#content;
    if (bytes.length > MAX_OBJECT_IDENTIFIER_BYTES) {
      throw new KeyFileError('invalid');
    }
    const numbers: number[] = [];
    let number = 0;
    for (const byte of bytes) {
      number = number * 0x80 + (byte & 0x7f);
      if (byte < 0x80) {
        numbers.push(number);
        number = 0;
      }
    }
    const [both = 0, ...rest] = numbers;
    const first = Math.min(Math.floor(both / 40), 2);
    return [first, both - 40 * first, ...rest].join('.');
  }
}
