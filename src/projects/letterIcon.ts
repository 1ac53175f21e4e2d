import { crc32, deflateSync } from 'node:zlib';

/** A line from point to point. Letters are 100 units high, from the middle of a stroke to that of another; y grows downwards. */
type Stroke = readonly Point[];

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** Pixels of a side. */
const SIZE = 512;
/** Pixels from the middle that every mask leaves: those of Android's adaptive icons cut more than others. */
const RADIUS = 0.3 * SIZE;
/** Pixels of a unit at most, so that letters have about the same height. */
const MAX_SCALE = 2.1;
/** Half of the width of a stroke, in units. */
const HALF_STROKE = 10;
/** How far a letter moves from the middle of its box towards the middle of its strokes. An L and a P look centred then. */
const OPTICAL_SHIFT = 0.3;
const DEGREES_OF_A_LINE = 5;

const BLUE: Colour = { red: 46, green: 107, blue: 198 };
const WHITE: Colour = { red: 255, green: 255, blue: 255 };
const NEARLY_BLACK: Colour = { red: 27, green: 31, blue: 36 };

/** Latin letters that Unicode does not take apart into a letter and a mark. */
const SIMILAR: ReadonlyMap<string, string> = new Map(
  ['ÆA', 'ŒO', 'ØO', 'ĐD', 'ÐD', 'ŁL', 'ĦH', 'ŦT'].map(([letter = '', similar = '']) => [letter, similar]),
);

/** For a name of another script. */
const SQUARE: readonly Stroke[] = [
  [
    ...arc(18, 18, 18, 18, 180, 270),
    ...arc(66, 18, 18, 18, 270, 360),
    ...arc(66, 66, 18, 18, 0, 90),
    ...arc(18, 66, 18, 18, 90, 180),
    ...line(0, 18),
  ],
];

const LETTERS: Readonly<Record<string, readonly Stroke[]>> = {
  A: [line(0, 100, 40, 0, 80, 100), line(14, 66, 66, 66)],
  B: [
    line(0, 0, 0, 100),
    [...line(0, 0, 34, 0), ...arc(34, 24, 24, 24, -90, 90), ...line(34, 48, 0, 48)],
    [...line(0, 48, 38, 48), ...arc(38, 74, 26, 26, -90, 90), ...line(38, 100, 0, 100)],
  ],
  C: [arc(44, 50, 44, 50, -48, -312)],
  D: [[...line(28, 0, 0, 0, 0, 100, 28, 100), ...arc(28, 50, 46, 50, 90, -90)]],
  E: [line(58, 0, 0, 0, 0, 100, 58, 100), line(0, 49, 50, 49)],
  F: [line(58, 0, 0, 0, 0, 100), line(0, 50, 49, 50)],
  G: [[...arc(44, 50, 44, 50, -48, -356), ...line(88, 54, 50, 54)]],
  H: [line(0, 0, 0, 100), line(72, 0, 72, 100), line(0, 49, 72, 49)],
  I: [line(0, 0, 0, 100)],
  J: [[...line(48, 0, 48, 72), ...arc(22, 73, 26, 27, 0, 160)]],
  K: [line(0, 0, 0, 100), line(66, 0, 0, 63), line(26, 39, 70, 100)],
  L: [line(0, 0, 0, 100, 56, 100)],
  M: [line(0, 100, 0, 0, 44, 64, 88, 0, 88, 100)],
  N: [line(0, 100, 0, 0, 72, 100, 72, 0)],
  O: [arc(46, 50, 46, 50, 0, 360)],
  P: [line(0, 100, 0, 0), [...line(0, 0, 36, 0), ...arc(36, 28, 28, 28, -90, 90), ...line(36, 56, 0, 56)]],
  Q: [arc(46, 50, 46, 50, 0, 360), line(60, 72, 88, 106)],
  R: [
    line(0, 100, 0, 0),
    [...line(0, 0, 36, 0), ...arc(36, 27, 28, 27, -90, 90), ...line(36, 54, 0, 54)],
    line(36, 54, 66, 100),
  ],
  S: [[...arc(33, 24.5, 29, 24.5, -25, -270), ...arc(33, 74.5, 33, 25.5, -90, 155)]],
  T: [line(0, 0, 72, 0), line(36, 0, 36, 100)],
  U: [[...line(0, 0, 0, 64), ...arc(36, 64, 36, 36, 180, 0), ...line(72, 64, 72, 0)]],
  V: [line(0, 0, 39, 100, 78, 0)],
  W: [line(0, 0, 28, 100, 57, 16, 86, 100, 114, 0)],
  X: [line(0, 0, 74, 100), line(74, 0, 0, 100)],
  Y: [line(0, 0, 38, 54, 76, 0), line(38, 54, 38, 100)],
  Z: [line(0, 0, 68, 0, 0, 100, 68, 100)],
  0: [arc(35, 50, 35, 50, 0, 360)],
  1: [line(0, 24, 30, 0, 30, 100)],
  2: [[...arc(32, 30, 32, 30, -168, 46), ...line(0, 100, 66, 100)]],
  3: [[...arc(31, 24.5, 27, 24.5, -155, 90), ...arc(31, 74.5, 32, 25.5, -90, 155)]],
  4: [line(54, 100, 54, 0, 0, 70, 76, 70)],
  5: [[...line(60, 0, 11, 0, 6, 46), ...arc(31, 67, 33, 33, -140, 150)]],
  6: [[...line(50, 0), ...arc(33, 67, 33, 33, -137, 223)]],
  7: [line(0, 0, 66, 0, 22, 100)],
  8: [arc(33, 24, 27, 24, 0, 360), arc(33, 74, 33, 26, 0, 360)],
  9: [[...line(16, 100), ...arc(33, 33, 33, 33, 43, 403)]],
};

/**
 * The icon of an app that has none: the first letter or digit of its name, or a square for a script other than Latin.
 *
 * @param colour behind it, as `#RRGGBB`; blue where it is undefined, translucent, or no colour
 * @returns a PNG file, {@link SIZE} pixels wide and high
 */
export function letterIcon(name: string, colour: string | undefined): Uint8Array {
  const background = colourOf(colour) ?? BLUE;
  const isWhiteBetter = contrast(WHITE, background) >= contrast(NEARLY_BLACK, background);
  return png(coverageOf(strokesOf(name)), background, isWhiteBetter ? WHITE : NEARLY_BLACK);
}

function strokesOf(name: string): readonly Stroke[] {
  // An é is an e and its mark, a full-width A is an A.
  const [first = ''] = /[\p{L}\p{N}]/u.exec(name.normalize('NFKD')) ?? [];
  const [capital = ''] = first.toUpperCase();
  const letter = SIMILAR.get(capital) ?? capital;
  return LETTERS[letter] ?? SQUARE;
}

// Strokes

/** @param coordinates x and y of each point */
function line(...coordinates: readonly number[]): Stroke {
  return coordinates.flatMap((x, index) => (index % 2 === 0 ? [{ x, y: coordinates[index + 1] ?? 0 }] : []));
}

/** A part of an ellipse, as short lines. @param from in degrees, clockwise from the right */
function arc(centreX: number, centreY: number, radiusX: number, radiusY: number, from: number, to: number): Stroke {
  const lines = Math.ceil(Math.abs(to - from) / DEGREES_OF_A_LINE);
  return Array.from({ length: lines + 1 }, (_point, index) => {
    const angle = ((from + ((to - from) * index) / lines) * Math.PI) / 180;
    return { x: centreX + radiusX * Math.cos(angle), y: centreY + radiusY * Math.sin(angle) };
  });
}

// Drawing

/** How much of each pixel the strokes cover, from 0 to 255. */
function coverageOf(strokes: readonly Stroke[]): Uint8Array {
  const centre = opticalCentre(strokes);
  const farthest = Math.max(...strokes.flat().map(({ x, y }) => Math.hypot(x - centre.x, y - centre.y)));
  const scale = Math.min(MAX_SCALE, RADIUS / (farthest + HALF_STROKE));
  const inPixels = ({ x, y }: Point): Point => ({
    x: SIZE / 2 + (x - centre.x) * scale,
    y: SIZE / 2 + (y - centre.y) * scale,
  });
  const coverage = new Uint8Array(SIZE * SIZE);
  for (const stroke of strokes) {
    for (const [from, to] of linesOf(stroke)) {
      cover(coverage, inPixels(from), inPixels(to), HALF_STROKE * scale);
    }
  }
  return coverage;
}

function opticalCentre(strokes: readonly Stroke[]): Point {
  const points = strokes.flat();
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const box = { x: (Math.min(...xs) + Math.max(...xs)) / 2, y: (Math.min(...ys) + Math.max(...ys)) / 2 };
  const ink = { x: 0, y: 0, length: 0 };
  for (const [from, to] of strokes.flatMap(linesOf)) {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    ink.x += ((from.x + to.x) / 2) * length;
    ink.y += ((from.y + to.y) / 2) * length;
    ink.length += length;
  }
  const between = (middle: number, sum: number): number => middle + (sum / ink.length - middle) * OPTICAL_SHIFT;
  return { x: between(box.x, ink.x), y: between(box.y, ink.y) };
}

function linesOf(stroke: Stroke): readonly (readonly [from: Point, to: Point])[] {
  return stroke.slice(1).flatMap((to, index) => {
    const from = stroke[index];
    return from === undefined ? [] : [[from, to] as const];
  });
}

/** Covers the pixels that are near to a line. A pixel at the edge is covered in part, which makes the edge smooth. */
function cover(coverage: Uint8Array, from: Point, to: Point, halfWidth: number): void {
  const reach = halfWidth + 1;
  const left = Math.floor(Math.min(from.x, to.x) - reach);
  const right = Math.ceil(Math.max(from.x, to.x) + reach);
  const top = Math.floor(Math.min(from.y, to.y) - reach);
  const bottom = Math.ceil(Math.max(from.y, to.y) + reach);
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const inside = halfWidth + 0.5 - distance({ x: x + 0.5, y: y + 0.5 }, from, to);
      const at = y * SIZE + x;
      coverage[at] = Math.max(coverage[at] ?? 0, Math.round(255 * Math.min(1, Math.max(0, inside))));
    }
  }
}

/** From a point to the nearest one of a line. */
function distance(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = ((point.x - from.x) * dx + (point.y - from.y) * dy) / (dx * dx + dy * dy || 1);
  const nearest = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - from.x - nearest * dx, point.y - from.y - nearest * dy);
}

// Colours

function colourOf(text: string | undefined): Colour | undefined {
  const [, red = '', green = '', blue = ''] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text ?? '') ?? [];
  return red === ''
    ? undefined
    : { red: Number.parseInt(red, 16), green: Number.parseInt(green, 16), blue: Number.parseInt(blue, 16) };
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG 2.2, relative luminance. */
function luminance({ red, green, blue }: Colour): number {
  const linear = (value: number): number => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

// PNG

/** A picture of two colours and all between them (PNG, Third Edition, §11.2: colour type 3, 8 bits). */
function png(coverage: Uint8Array, background: Colour, foreground: Colour): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 3], 8);
  const mix = (from: number, to: number, part: number): number => Math.round(from + ((to - from) * part) / 255);
  const palette = Array.from({ length: 256 }, (_entry, part) => [
    mix(background.red, foreground.red, part),
    mix(background.green, foreground.green, part),
    mix(background.blue, foreground.blue, part),
  ]).flat();
  // Each row begins with its filter: none.
  const rows = Buffer.alloc(SIZE * (SIZE + 1));
  for (let y = 0; y < SIZE; y += 1) {
    rows.set(coverage.subarray(y * SIZE, (y + 1) * SIZE), y * (SIZE + 1) + 1);
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
