/** Encodes little-endian numbers, as in Android packages. */

/**
 * Encodes 16-bit numbers.
 *
 * @param numbers from 0 to 2^16 - 1
 */
export function uint16(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2);
  numbers.forEach((number, index) => bytes.writeUInt16LE(number, index * 2));
  return bytes;
}

/**
 * Encodes 32-bit numbers.
 *
 * @param numbers from -2^31 to 2^32 - 1
 */
export function uint32(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => bytes.writeUInt32LE(number >>> 0, index * 4));
  return bytes;
}
