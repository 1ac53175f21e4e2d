/** The start of a PNG file: its signature, and the head of the chunk IHDR (PNG, Third Edition, §5.2 and §11.2.1). */
const START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** Bytes of a PNG file up to the end of its size. */
export const PNG_HEAD_BYTES = START.length + 8;

/**
 * The size of a PNG image, in pixels.
 *
 * @param head the first {@link PNG_HEAD_BYTES} bytes of a file, or more
 * @returns `undefined` for a file that is none
 */
export function pngSize(head: Buffer): { readonly width: number; readonly height: number } | undefined {
  return head.length < PNG_HEAD_BYTES || !head.subarray(0, START.length).equals(START)
    ? undefined
    : { width: head.readUInt32BE(START.length), height: head.readUInt32BE(START.length + 4) };
}
