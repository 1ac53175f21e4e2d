import { colord } from 'colord';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';

const BLUE = '#2E6BC6';

/**
 * The icon of an app that has none: one picture for all of them, in the app's color. The picture is beside this file, and beside the
 * bundle. Its palette goes from the background to the foreground (PNG, Third Edition, §11.2.2).
 *
 * @param color as `#RRGGBB`; blue where it's undefined, translucent, or not a color
 */
export async function makePlainIcon(color: string | undefined): Promise<Uint8Array> {
  const background = colord(/^#[\da-f]{6}$/i.test(color ?? '') ? (color ?? BLUE) : BLUE);
  const foreground = colord(background.isLight() ? '#1B1F24' : '#FFFFFF');
  const image = await readFile(path.join(import.meta.dirname, 'plainIcon.png'));
  const type = image.indexOf('PLTE', 0, 'latin1');
  const bytes = image.readUInt32BE(type - 4);
  const [from, to] = [background.toRgb(), foreground.toRgb()];
  for (let at = 0; at < bytes; at += 1) {
    const part = Math.floor(at / 3) / (bytes / 3 - 1);
    const channel = (['r', 'g', 'b'] as const)[at % 3] ?? 'r';
    image[type + 4 + at] = Math.round(from[channel] + (to[channel] - from[channel]) * part);
  }
  image.writeUInt32BE(crc32(image.subarray(type, type + 4 + bytes)), type + 4 + bytes);
  return image;
}
