/**
 * RC2 (RFC 2268). Windows, macOS and Java before 17 put it around the certificates of a PKCS#12 file; OpenSSL 3 has given
 * it up.
 */

/** RFC 2268 §2: a permutation of all bytes, from the digits of pi. */
const PI_TABLE = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2179a59f587b34f1361456d8d09817d32' +
    'bd8f40eb86b77b0bf09521225c6b4e8254d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed708e8eade8052eef784aa72ac354d6a2a' +
    '961ad2715a1549744b9fd05e0418a4ecc2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a90d38341bab33ffb0bb480c5fb9b1cd2e' +
    'c5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
);

const BLOCK_BYTES = 8;
/** Bytes of an expanded key: 64 words. */
const EXPANDED_BYTES = 128;
/** By how many bits each of the four words of a block is rotated. */
const ROTATIONS = [1, 2, 3, 5] as const;
/** Mixing rounds between which the words are mashed. */
const ROUNDS = [5, 6, 5] as const;

/** Decrypts whole blocks in CBC mode. @param key 1 to 128 bytes @returns the text with its padding */
export function decryptRc2(key: Buffer, effectiveBits: number, iv: Buffer, encrypted: Buffer): Buffer {
  const expanded = expandKey(key, effectiveBits);
  const text = Buffer.from(encrypted);
  for (let start = 0; start + BLOCK_BYTES <= text.length; start += BLOCK_BYTES) {
    const block = text.subarray(start, start + BLOCK_BYTES);
    decryptBlock(expanded, block);
    const previous = start === 0 ? iv : encrypted.subarray(start - BLOCK_BYTES);
    block.forEach((byte, index) => block.writeUInt8(byte ^ previous.readUInt8(index), index));
  }
  return text;
}

/** RFC 2268 §2. */
function expandKey(key: Buffer, effectiveBits: number): Buffer {
  const expanded = Buffer.alloc(EXPANDED_BYTES);
  const substitute = (position: number, byte: number): unknown =>
    expanded.writeUInt8(PI_TABLE.readUInt8(byte & 0xff), position);
  const at = (position: number): number => expanded.readUInt8(position);
  key.copy(expanded);
  for (let position = key.length; position < EXPANDED_BYTES; position += 1) {
    substitute(position, at(position - 1) + at(position - key.length));
  }
  const effectiveBytes = Math.ceil(effectiveBits / 8);
  const last = EXPANDED_BYTES - effectiveBytes;
  substitute(last, at(last) & (0xff >> (8 * effectiveBytes - effectiveBits)));
  for (let position = last - 1; position >= 0; position -= 1) {
    substitute(position, at(position + 1) ^ at(position + effectiveBytes));
  }
  return expanded;
}

/** RFC 2268 §4, in place. */
function decryptBlock(expanded: Buffer, block: Buffer): void {
  const keyWord = (index: number): number => expanded.readUInt16LE(2 * index);
  /** A word of the block; the one before the first is the last. */
  const word = (index: number): number => block.readUInt16LE(2 * ((index + 4) % 4));
  const setWord = (index: number, value: number): unknown => block.writeUInt16LE(value & 0xffff, 2 * index);
  let keyIndex = EXPANDED_BYTES / 2;
  for (const [part, rounds] of ROUNDS.entries()) {
    if (part > 0) {
      for (let index = 3; index >= 0; index -= 1) {
        setWord(index, word(index) - keyWord(word(index - 1) % 64));
      }
    }
    for (let round = 0; round < rounds; round += 1) {
      for (let index = 3; index >= 0; index -= 1) {
        const rotation = ROTATIONS[index] ?? 0;
        const rotated = (word(index) >> rotation) | (word(index) << (16 - rotation));
        const mixed = (word(index - 1) & word(index - 2)) + (~word(index - 1) & word(index - 3));
        keyIndex -= 1;
        setWord(index, rotated - keyWord(keyIndex) - mixed);
      }
    }
  }
}
