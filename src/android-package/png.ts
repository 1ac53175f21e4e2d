/**
 * First bytes of every PNG file: the signature and the header of the IHDR chunk (PNG, Third Edition, §5.2 and §11.2.1).
 */
const START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** Number of bytes at the start of a PNG file, through the image size. */
export const PNG_HEAD_BYTES = START.length + 8;

/**
 * Returns the size of a PNG image in pixels, or `undefined` if the file isn't a PNG.
 *
 * @param head at least the first {@link PNG_HEAD_BYTES} bytes of the file
 */
export function pngSize(head: Buffer): { readonly width: number; readonly height: number } | undefined {
  return head.length < PNG_HEAD_BYTES || !head.subarray(0, START.length).equals(START)
    ? undefined
    : { width: head.readUInt32BE(START.length), height: head.readUInt32BE(START.length + 4) };
}
