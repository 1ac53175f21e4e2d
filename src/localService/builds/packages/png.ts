/** What a PNG file begins with: its signature, and the head of the chunk IHDR, whose width and height follow (PNG, Third Edition, §5.2 and §11.2.1). */
export const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
