import assert from 'node:assert/strict';

import { generate } from 'lean-qr';

import { qrCode } from '../../../src/devices/qrCode.ts';

/** The dark modules of the outlines in a path of `M… L… Z`, by the even-odd rule. */
function darkModules(path: string, size: number): readonly boolean[][] {
  const outlines = path
    .split('Z')
    .filter(Boolean)
    .map((outline) =>
      outline
        .slice(1)
        .split('L')
        .map((point) => point.split(' ').map(Number)),
    );
  const isDark = (x: number, y: number): boolean => {
    let crossings = 0;
    for (const points of outlines) {
      points.forEach(([x1 = 0, y1 = 0], index) => {
        const [x2 = 0, y2 = 0] = points[(index + 1) % points.length] ?? [];
        // A ray to the left crosses the upright edges that span the middle of the module.
        crossings += x1 === x2 && x1 <= x && Math.min(y1, y2) <= y && Math.max(y1, y2) > y ? 1 : 0;
      });
    }
    return crossings % 2 === 1;
  };
  return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (__, x) => isDark(x, y)));
}

describe('a QR code', () => {
  it('is drawn as it was made, with a quiet zone of four modules', () => {
    const link = 'http://192.168.1.20:8080/apps/1001/install?qr_key=tMaax0CfeCBFNnbGmNOW';
    const code = generate(link);
    const { path = '', viewBox } = qrCode(link) ?? {};
    assert.equal(viewBox, `-4 -4 ${code.size + 8} ${code.size + 8}`);
    const wanted = Array.from({ length: code.size }, (_, y) =>
      Array.from({ length: code.size }, (__, x) => code.get(x, y)),
    );
    assert.deepEqual(darkModules(path, code.size), wanted);
  });

  it('is none for a text that no camera would read', () => {
    assert.equal(qrCode(`https://build.example/${'x'.repeat(4000)}`), undefined);
  });
});
