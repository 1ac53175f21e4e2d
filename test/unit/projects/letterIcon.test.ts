import assert from 'node:assert/strict';
import { crc32, inflateSync } from 'node:zlib';

import fc from 'fast-check';

import { letterIcon } from '../../../src/projects/letterIcon.ts';

const SIZE = 512;
const GLYPHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.split('');
const WHITE = 'ffffff';
const NEARLY_BLACK = '1b1f24';

interface Picture {
  /** As hexadecimal digits. */
  readonly colours: readonly string[];
  /** Of each pixel: which of the colours it has. */
  readonly pixels: Buffer;
}

function picture(png: Uint8Array): Picture {
  const bytes = Buffer.from(png);
  assert.equal(bytes.toString('hex', 0, 8), '89504e470d0a1a0a');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    assert.equal(bytes.readUInt32BE(end), crc32(bytes.subarray(at + 4, end)));
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, end));
    at = end + 4;
  }
  assert.deepEqual([...chunks.keys()], ['IHDR', 'PLTE', 'IDAT', 'IEND']);
  // 8 bits, a palette, not interlaced.
  assert.equal(chunks.get('IHDR')?.toString('hex'), '00000200000002000803000000');
  const rows = inflateSync(chunks.get('IDAT') ?? '');
  assert.equal(rows.length, SIZE * (SIZE + 1));
  const all = Array.from({ length: SIZE }, (_row, y) => {
    assert.equal(rows[y * (SIZE + 1)], 0, 'the filter');
    return rows.subarray(y * (SIZE + 1) + 1, (y + 1) * (SIZE + 1));
  });
  const colours = chunks.get('PLTE')?.toString('hex').match(/.{6}/g) ?? [];
  return { colours, pixels: Buffer.concat(all) };
}

/** Colours of the background and the letter. */
function coloursOf(name: string, colour: string | undefined): readonly (string | undefined)[] {
  const { colours, pixels } = picture(letterIcon(name, colour));
  return [colours[pixels[0] ?? -1], colours[Math.max(...new Set(pixels))]];
}

const pixelsOf = (name: string): Buffer => picture(letterIcon(name, undefined)).pixels;

describe('an icon with a letter', () => {
  const square = pixelsOf('日');

  it('each is a picture of its own, in the middle that a round mask leaves', () => {
    const seen = new Map([[square.toString('latin1'), 'the square']]);
    for (const glyph of GLYPHS) {
      const pixels = pixelsOf(glyph);
      const text = pixels.toString('latin1');
      assert.equal(seen.get(text), undefined, `${glyph} looks like another`);
      seen.set(text, glyph);
      let drawn = 0;
      pixels.forEach((value, at) => {
        if (value > 0) {
          drawn += 1;
          const [x, y] = [(at % SIZE) + 0.5, Math.floor(at / SIZE) + 0.5];
          assert.ok(Math.hypot(x - SIZE / 2, y - SIZE / 2) <= 0.3 * SIZE + 1.5, `${glyph} reaches too far`);
        }
      });
      assert.ok(drawn > 0.02 * SIZE * SIZE && drawn < 0.2 * SIZE * SIZE, `${glyph} covers ${drawn} pixels`);
    }
  });

  it('has smooth edges', () => {
    const values = new Set(pixelsOf('O'));
    assert.ok(values.has(0) && values.has(255) && values.size > 50);
  });

  const names: Readonly<Record<string, string>> = {
    shop: 'S',
    Éclair: 'E',
    '  "3D" viewer': '3',
    'the app': 'T',
    øre: 'O',
    łódź: 'L',
    straße: 'S',
    ßtest: 'S',
    Ａ: 'A',
    Ⅷ: 'V',
    '🙂 fun': 'F',
  };
  for (const [name, letter] of Object.entries(names)) {
    it(`of ${name} is ${letter}`, () => {
      assert.ok(pixelsOf(name).equals(pixelsOf(letter)));
    });
  }

  for (const name of ['', '   ', '🙂', '日本 App', 'вода', 'Αθήνα', 'مرحبا', '٣', '\uD800', '-_-']) {
    it(`of ${JSON.stringify(name)} is a square`, () => {
      assert.ok(pixelsOf(name).equals(square));
    });
  }

  const colours: readonly (readonly [colour: string | undefined, background: string, letter: string])[] = [
    [undefined, '2e6bc6', WHITE],
    ['#000000', '000000', WHITE],
    ['#FFFFFF', 'ffffff', NEARLY_BLACK],
    ['#ffeb3b', 'ffeb3b', NEARLY_BLACK],
    ['#4DBA87', '4dba87', NEARLY_BLACK],
    ['#B71C1C', 'b71c1c', WHITE],
    // Nothing is behind an icon.
    ['#80FFFFFF', '2e6bc6', WHITE],
    ['tomato', '2e6bc6', WHITE],
    ['', '2e6bc6', WHITE],
  ];
  for (const [colour, background, letter] of colours) {
    it(`on ${colour ?? 'nothing'}: ${letter} on ${background}`, () => {
      assert.deepEqual(coloursOf('K', colour), [background, letter]);
    });
  }

  it('of the same name is the same', () => {
    assert.deepEqual(letterIcon('Shop', '#123456'), letterIcon('Shop', '#123456'));
  });

  it('of any name is a picture', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), fc.string(), (name, colour) => {
        assert.ok(letterIcon(name, colour).length > 500);
      }),
      { numRuns: 10 },
    );
  });
});
