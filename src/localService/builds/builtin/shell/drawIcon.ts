/** `node src/localService/builds/builtin/shell/drawIcon.ts`: draws `icon.png`, the icon of an app that has none. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

/** Android's largest density: 48 dp. */
const SIZE = 192;
/** Points a pixel, in each direction: they make the edges smooth. */
const SAMPLES = 4;

type Colour = readonly [red: number, green: number, blue: number];

const TOP: Colour = [56, 132, 255];
const BOTTOM: Colour = [29, 78, 190];
const WHITE: Colour = [255, 255, 255];

/** True inside of a square with round corners. */
function isInSquare(
  x: number,
  y: number,
  [left, top, side, radius]: readonly [number, number, number, number],
): boolean {
  const dx = Math.max(left + radius - x, x - (left + side - radius), 0);
  const dy = Math.max(top + radius - y, y - (top + side - radius), 0);
  return Math.hypot(dx, dy) <= radius;
}

/** A blue square with four white ones, of which the last is a disc. @returns undefined where nothing is */
function colourAt(x: number, y: number): Colour | undefined {
  const isWhite =
    isInSquare(x, y, [51, 51, 40, 9]) ||
    isInSquare(x, y, [101, 51, 40, 9]) ||
    isInSquare(x, y, [51, 101, 40, 9]) ||
    isInSquare(x, y, [101, 101, 40, 20]);
  if (isWhite) {
    return WHITE;
  }
  const part = y / SIZE;
  const mix = (index: 0 | 1 | 2): number => TOP[index] + (BOTTOM[index] - TOP[index]) * part;
  return isInSquare(x, y, [8, 8, 176, 40]) ? [mix(0), mix(1), mix(2)] : undefined;
}

function pixelAt(x: number, y: number): readonly number[] {
  const sum = [0, 0, 0];
  let inside = 0;
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const colour = colourAt(
      x + ((sample % SAMPLES) + 0.5) / SAMPLES,
      y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES,
    );
    inside += colour === undefined ? 0 : 1;
    colour?.forEach((value, index) => (sum[index] = (sum[index] ?? 0) + value));
  }
  const colour = sum.map((value) => Math.round(value / Math.max(inside, 1)));
  return [...colour, Math.round((255 * inside) / (SAMPLES * SAMPLES))];
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}

// One byte of filter, "none", before each row.
const rows = Array.from({ length: SIZE }, (_row, y) => [
  0,
  ...Array.from({ length: SIZE }, (_pixel, x) => pixelAt(x, y)).flat(),
]);
const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE, 0);
header.writeUInt32BE(SIZE, 4);
// 8 bits a channel, red, green, blue and alpha.
header.set([8, 6], 8);
const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', header),
  chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
  chunk('IEND', Buffer.alloc(0)),
]);
writeFileSync(path.join(import.meta.dirname, 'icon.png'), png);
