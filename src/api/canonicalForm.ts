/**
 * What stays of a text when every escape of URLs, JSON, JavaScript and HTML is undone, however deeply they are nested, and
 * everything is dropped that is not seen: control characters, line breaks and all that is not ASCII. A value and all ways to
 * write it have the same canonical form, so one search finds them all.
 *
 * Takes one pass: an escape is undone as soon as its last character has been read, and what it stands for is read in its place.
 */
export class CanonicalForm {
  // Arrays and an index: a Buffer and an iterator are many times slower here, and bodies have megabytes.
  readonly #out: Uint8Array;
  /** How many escapes, one inside the other, each character was written in. */
  readonly #depths: Uint8Array;
  #length = 0;
  /** Where an escape may have begun. Most text is far from one. */
  #lastEscape = -MAX_ESCAPE_LENGTH;

  /** @param capacity bytes of all texts that are read. */
  constructor(capacity: number) {
    this.#out = new Uint8Array(capacity);
    this.#depths = new Uint8Array(capacity);
  }

  /** ASCII, at most as long as what was read. */
  toBytes(): Buffer {
    const bytes = Buffer.alloc(this.#length);
    let length = 0;
    for (let index = 0; index < this.#length; index += 1) {
      const byte = this.#out[index] ?? DELETE;
      // Backslashes that are left began no escape.
      if (byte !== BACKSLASH) {
        bytes[length] = byte;
        length += 1;
      }
    }
    return bytes.subarray(0, length);
  }

  /** Reads the next part of a text in UTF-8. */
  read(text: Uint8Array, start = 0, end = text.length): this {
    const out = this.#out;
    const depths = this.#depths;
    let length = this.#length;
    let lastEscape = this.#lastEscape;
    for (let index = start; index < end; index += 1) {
      let byte = text[index] ?? DELETE;
      let depth = 0;
      while (byte >= SPACE && byte < DELETE) {
        if (byte === PERCENT || byte === BACKSLASH || byte === AMPERSAND) {
          lastEscape = length;
        }
        if (length - lastEscape >= MAX_ESCAPE_LENGTH) {
          out[length] = byte === PLUS ? SPACE : byte;
          depths[length] = depth;
          length += 1;
          break;
        }
        if (length > 0 && out[length - 1] === BACKSLASH && !continuesEscape(byte)) {
          // `\n` and its like are white space; before anything else backslashes mean nothing, however many there are.
          const isWhiteSpace = isShortEscape(byte) && depth <= (depths[length - 1] ?? 0);
          do {
            length -= 1;
          } while (length > 0 && out[length - 1] === BACKSLASH);
          if (isWhiteSpace) {
            break;
          }
        }
        // Forms write a space as a plus sign.
        out[length] = byte === PLUS ? SPACE : byte;
        depths[length] = depth;
        length += 1;
        const escape =
          byte === SEMICOLON ? referenceLength(out, length) : isHex(byte) ? hexEscapeLength(out, length) : 0;
        if (escape === 0) {
          break;
        }
        let first = length - escape;
        byte = byte === SEMICOLON ? referencedByte(out, first, length) : hexByte(out, first, length);
        depth = (depths[first] ?? 0) + 1;
        // JSON doubles a backslash each time it is written inside a string.
        while (out[first] === BACKSLASH && out[first - 1] === BACKSLASH && depths[first - 1] === depths[first]) {
          first -= 1;
        }
        length = first;
        lastEscape = first;
      }
    }
    this.#length = length;
    this.#lastEscape = lastEscape;
    return this;
  }
}

const SPACE = 0x20;
const HASH = 0x23;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const PLUS = 0x2b;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;
const SMALL_X = 0x78;
/** Stands for what is dropped. */
const DELETE = 0x7f;
/** Characters of the longest escape that is read: `&#x0000041;`. */
const MAX_ESCAPE_LENGTH = 12;
/** Character references by the characters of their names, as one number. */
const NAMED_REFERENCES: ReadonlyMap<number, number> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }).map(([name, character]) => [
    Buffer.from(name).readUIntBE(0, name.length),
    character.charCodeAt(0),
  ]),
);

/** True for what may follow the backslash of `\u0041` and `\x41`: these letters, or the beginning of an escape for one. */
function continuesEscape(byte: number): boolean {
  return byte === SMALL_U || byte === SMALL_X || byte === PERCENT || byte === AMPERSAND || byte === BACKSLASH;
}

/** True for the letter in `\b`, `\f`, `\n`, `\r`, `\t`, `\v` and `\0`. */
function isShortEscape(byte: number): boolean {
  return (
    byte === 0x62 || byte === 0x66 || byte === 0x6e || byte === 0x72 || byte === 0x74 || byte === 0x76 || byte === 0x30
  );
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHex(byte: number | undefined): boolean {
  return byte !== undefined && (isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66));
}

/** Length of the `%41`, `\x41` or `\u0041` that a text ends with; 0 when there is none. */
function hexEscapeLength(text: Uint8Array, end: number): 0 | 3 | 4 | 6 {
  if (end < 3 || !isHex(text[end - 2])) {
    return 0;
  }
  if (text[end - 3] === PERCENT) {
    return 3;
  }
  if (text[end - 3] === SMALL_X && text[end - 4] === BACKSLASH) {
    return 4;
  }
  return text[end - 5] === SMALL_U && text[end - 6] === BACKSLASH && isHex(text[end - 3]) && isHex(text[end - 4])
    ? 6
    : 0;
}

/** The character of a {@link hexEscapeLength}. */
function hexByte(text: Uint8Array, start: number, end: number): number {
  return Math.min(numberIn(text, text[start] === PERCENT ? start + 1 : start + 2, end, 16) ?? DELETE, DELETE);
}

/** Length of the `&amp;`, `&#65;` or `&#x41;` that a text ends with; 0 when there is none. */
function referenceLength(text: Uint8Array, end: number): number {
  const first = Math.max(0, end - MAX_ESCAPE_LENGTH);
  for (let start = end - 2; start >= first; start -= 1) {
    if (text[start] === AMPERSAND) {
      return referencedByte(text, start, end) < 0 ? 0 : end - start;
    }
  }
  return 0;
}

/** The character of a reference; negative when it is none. */
function referencedByte(text: Uint8Array, start: number, end: number): number {
  if (text[start + 1] !== HASH) {
    let name = 0;
    for (let index = start + 1; index < end - 1; index += 1) {
      name = name * 256 + (text[index] ?? 0);
    }
    return NAMED_REFERENCES.get(name) ?? -1;
  }
  const hexadecimal = ((text[start + 2] ?? 0) | 0x20) === SMALL_X;
  const code = hexadecimal ? numberIn(text, start + 3, end - 1, 16) : numberIn(text, start + 2, end - 1, 10);
  return code === undefined ? -1 : Math.min(code, DELETE);
}

function numberIn(text: Uint8Array, start: number, end: number, base: 10 | 16): number | undefined {
  let number = 0;
  for (let index = start; index < end; index += 1) {
    const byte = text[index] ?? 0;
    if (!(base === 10 ? isDigit(byte) : isHex(byte))) {
      return undefined;
    }
    number = number * base + (isDigit(byte) ? byte - 0x30 : (byte | 0x20) - 0x57);
  }
  return start < end ? number : undefined;
}
