import assert from 'node:assert/strict';

import { decryptRc2 } from '../../../src/formats/rc2.ts';

describe('local service: RC2', () => {
  /** RFC 2268 §5. */
  const vectors: readonly (readonly [effectiveBits: number, key: string, text: string, encrypted: string])[] = [
    [63, '0000000000000000', '0000000000000000', 'ebb773f993278eff'],
    [64, 'ffffffffffffffff', 'ffffffffffffffff', '278b27e42e2f0d49'],
    [64, '3000000000000000', '1000000000000001', '30649edf9be7d2c2'],
    [64, '88', '0000000000000000', '61a8a244adacccf0'],
    [64, '88bca90e90875a', '0000000000000000', '6ccf4308974c267f'],
    [64, '88bca90e90875a7f0f79c384627bafb2', '0000000000000000', '1a807d272bbe5db1'],
    [128, '88bca90e90875a7f0f79c384627bafb2', '0000000000000000', '2269552ab0f85ca6'],
    [129, '88bca90e90875a7f0f79c384627bafb216f80a6f85920584c42fceb0be255daf1e', '0000000000000000', '5b78d3a43dfff1f1'],
  ];
  const decrypt = (effectiveBits: number, key: string, iv: string, encrypted: string): string =>
    decryptRc2(Buffer.from(key, 'hex'), effectiveBits, Buffer.from(iv, 'hex'), Buffer.from(encrypted, 'hex')).toString(
      'hex',
    );

  for (const [effectiveBits, key, text, encrypted] of vectors) {
    it(`decrypts the vector of the RFC with ${effectiveBits} bits of ${key}`, () => {
      assert.equal(decrypt(effectiveBits, key, '0000000000000000', encrypted), text);
    });
  }

  it('chains blocks, the first to the initialization vector', () => {
    // RFC 2268 has no vector of two blocks: `openssl enc -rc2-cbc -nopad -provider legacy -K … -iv …` has made this one.
    const text = '000102030405060708090a0b0c0d0e0f';
    const encrypted = '983dd57e033a3820dfbfe590048fcc58';
    assert.equal(decrypt(128, '88bca90e90875a7f0f79c384627bafb2', '0f1e2d3c4b5a6978', encrypted), text);
  });
});
