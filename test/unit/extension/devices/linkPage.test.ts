import assert from 'node:assert/strict';
import { qrCode } from '../../../../src/extension/devices/linkPage.ts';

describe('a QR code', () => {
  it('has a quiet zone of four modules, and is omitted for text that is too long for a camera', () => {
    const { path, viewBox } = qrCode('http://192.168.1.20:8080/') ?? assert.fail();
    assert.equal(viewBox, '-4 -4 33 33');
    assert.match(path, /^M\d/);
    assert.equal(qrCode(`https://build.example/${'x'.repeat(900)}`), undefined);
  });
});
