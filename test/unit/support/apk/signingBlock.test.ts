import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';

import { apkFixture, layoutOf, patched, withFlippedBit } from '../../../support/apk/apkFixtures.ts';
import { refuses } from '../../../support/apk/refuses.ts';
import {
  resignApk,
  V2_ID,
  V3_ID,
  withPairs,
  type SchemeContents,
  type Signer,
} from '../../../support/apk/resignApk.ts';
import { certificateOf, verifyApk } from '../../../support/apk/verifyApk.ts';
import { createCertificate } from '../../../support/certificates.ts';

const apk = apkFixture('ec.apk');
const { block, directory } = layoutOf(apk);
const certificate = certificateOf(verifyApk(apk)).raw;
const ZEROS = Buffer.alloc(4);
const PADDING_ID = 0x42726577;

/** The package in which a byte of the n-th occurrence of `part` in the signing block is another. */
function withChange(part: Buffer, occurrence: number): Buffer {
  let at = block;
  for (let found = 0; found <= occurrence; found++) {
    at = apk.indexOf(part, at + 1);
  }
  assert.ok(at > block && at < directory);
  return withFlippedBit(apk, at + part.length - 1);
}

function withPair(id: number, value: Buffer): Buffer {
  return withPairs(apk, (pairs) => [...pairs, [id, value]]);
}

const TAMPERED: readonly (readonly [what: string, bytes: Buffer, rule: RegExp])[] = [
  ['no signing block', unsigned(), /magic is in front of the directory/],
  ['another magic', withFlippedBit(apk, directory - 1), /magic is in front of the directory/],
  ['another size in front', withFlippedBit(apk, block), /size in front and at its end/],
  ['another size at the end', withFlippedBit(apk, directory - 24, 3), /begins behind/],
  ['a size that no number holds', withFlippedBit(apk, directory - 17), /a size of \d{17} bytes/],
  ['a size beyond the file', withFlippedBit(apk, directory - 20), /begins behind/],
  ['something between the entries and the block', withFlippedBit(apk, block - 1), /begins behind the last entry/],
  ['zeros that do not end at a page', withZeros(4), /begins behind the last entry, or/],
  ['a page of zeros too much', withZeros(4096), /begins behind the last entry, or/],
  ['a pair that is longer', withFlippedBit(apk, block + 8), /signing block|v2 block/],
  ['another ID of v2', withFlippedBit(apk, block + 16), /pair 0x7109871b is a signature or zeros/],
  ['a pair of another program', withPair(0x504b4453, Buffer.from('x')), /pair 0x504b4453 is a signature or zeros/],
  ['padding that is not zeros', withFlippedBit(apk, directory - 25), /pair 0x42726577 is a signature or zeros/],
  ['v2 taken out', withPairs(apk, (pairs) => pairs.filter(([id]) => id !== V2_ID)), /there is a v2 signature/],
  [
    'v3 taken out',
    withPairs(apk, (pairs) => pairs.filter(([id]) => id !== V3_ID)),
    /v3 signature is there that v2's attribute names/,
  ],
  [
    'v3 under an ID that nobody knows',
    withPairs(apk, (pairs) => pairs.map(([id, value]) => [id === V3_ID ? PADDING_ID + 1 : id, value])),
    /pair 0x42726578 is a signature or zeros/,
  ],
  ['v3 twice', withPairs(apk, (pairs) => [...pairs, ...pairs.filter(([id]) => id === V3_ID)]), /one pair 0xf05368c0/],
  ['another certificate in v2', withChange(certificate, 0), /v2: (the signature by 0x201 is right|its cert)/],
  ['another certificate in v3', withChange(certificate, 1), /v3: (the signature by 0x201 is right|its cert)/],
  ["the block of a package that is another one's", withBlockOf('ecAll.apk'), /v2: the digest for 0x201/],
];

/** The package with more zeros in front of its signing block. */
function withZeros(count: number): Buffer {
  return patched(Buffer.concat([apk.subarray(0, block), Buffer.alloc(count), apk.subarray(block)]), (copy) =>
    copy.writeUInt32LE(directory + count, copy.length - 6),
  );
}

/** The package without its signing block. */
function unsigned(): Buffer {
  return patched(Buffer.concat([apk.subarray(0, block), apk.subarray(directory)]), (copy) =>
    copy.writeUInt32LE(block, copy.length - 6),
  );
}

/** The package with the pairs of another, which is signed by the same key but has other zeros in front of its block. */
function withBlockOf(name: 'ecAll.apk'): Buffer {
  let others: readonly (readonly [number, Buffer])[] = [];
  withPairs(apkFixture(name), (pairs) => (others = pairs));
  return withPairs(apk, () => others);
}

describe('verifyApk: a signing block that was tampered with', () => {
  for (const [what, bytes, rule] of TAMPERED) {
    it(`${what} is refused`, () => refuses(() => verifyApk(bytes), rule));
  }
});

describe('verifyApk: a signing block that somebody has signed', () => {
  let signer: Signer;
  let other: Signer;
  before(async () => {
    [signer, other] = await Promise.all([createSigner(), createSigner()]);
  });

  async function createSigner(): Promise<Signer> {
    const { key, cert } = await createCertificate();
    return { key: createPrivateKey(key), certificate: new X509Certificate(cert).raw };
  }

  it('is accepted when it is right', () => {
    for (const fixture of ['ec.apk', 'ecAll.apk'] as const) {
      const verified = verifyApk(resignApk(apkFixture(fixture), signer));
      assert.ok(certificateOf(verified).raw.equals(signer.certificate));
      assert.equal(verified.signatures.v3.minSdk, 28);
    }
  });

  it('is accepted with the chain of the certificate, and the empty field that apksigner writes', () => {
    const certificates = [signer.certificate, other.certificate];
    const chained = resignApk(apk, signer, { v2: { certificates, signedTail: ZEROS }, v3: { certificates } });
    assert.equal(verifyApk(chained).signatures.v2.certificates.length, 2);
  });

  const both = (contents: SchemeContents): Parameters<typeof resignApk>[2] => ({ v2: contents, v3: contents });
  const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'der', type: 'spki' });
  const WRONG: readonly (readonly [what: string, () => Parameters<typeof resignApk>[2], rule: RegExp])[] = [
    ['no stripping protection', () => ({ v2: { attributes: [] } }), /v2: its only attribute names scheme 3/],
    [
      'stripping protection for v4',
      () => ({ v2: { attributes: [[0xbeeff00d, Buffer.from([4, 0, 0, 0])]] } }),
      /names scheme 3/,
    ],
    [
      'another attribute',
      () => ({
        v2: {
          attributes: [
            [0xbeeff00d, Buffer.from([3, 0, 0, 0])],
            [1, ZEROS],
          ],
        },
      }),
      /its only attribute names scheme 3/,
    ],
    ['an attribute of v3', () => ({ v3: { attributes: [[0x3ba06f8c, ZEROS]] } }), /v3: no attributes/],
    [
      'an attribute twice',
      () => ({
        v3: {
          attributes: [
            [1, ZEROS],
            [1, ZEROS],
          ],
        },
      }),
      /v3: no two attributes have one ID/,
    ],
    ['another range outside', () => ({ v3: { outerSdks: [24, 0x7fffffff] } }), /the same inside and outside/],
    ['another end outside', () => ({ v3: { outerSdks: [28, 34] } }), /the same inside and outside/],
    ['a range from 29 on', () => ({ v3: { sdks: [29, 0x7fffffff] } }), /every SDK from 28 on, not 29/],
    ['a range with an end', () => ({ v3: { sdks: [28, 34] } }), /every SDK from 28 on, not 28 to 34/],
    ['DSA', () => both({ algorithms: [0x0301] }), /v2: the algorithm 0x301 is one of RSA or ECDSA/],
    ['an unknown algorithm', () => ({ v3: { algorithms: [0x0421] } }), /v3: the algorithm 0x421/],
    ['an algorithm of other keys', () => both({ algorithms: [0x0103] }), /v2: the signature by 0x103 is right/],
    ['an algorithm twice', () => both({ algorithms: [0x0201, 0x0201] }), /of the same algorithms, each once/],
    ['no algorithm', () => both({ algorithms: [] }), /of the same algorithms, each once/],
    [
      'a digest without a signature',
      () => both({ algorithms: [0x0201, 0x0202], signatureAlgorithms: [0x0201] }),
      /of the same algorithms/,
    ],
    [
      'a digest of another algorithm',
      () => both({ algorithms: [0x0202], signatureAlgorithms: [0x0201] }),
      /of the same algo/,
    ],
    ['two signers', () => ({ v3: { signers: 2 } }), /v3: there is one signer/],
    ['no signer', () => ({ v2: { signers: 0 } }), /v2 signers: ends too early/],
    ['no certificate', () => both({ certificates: [] }), /v2: the key is that of the first certificate/],
    [
      'the certificate of somebody else',
      () => both({ certificates: [other.certificate] }),
      /v2: the key is that of the first/,
    ],
    ['a certificate that is none', () => both({ certificates: [Buffer.from('x')] }), /v2: its certificates are X\.509/],
    [
      'something behind a certificate',
      () => both({ certificates: [Buffer.concat([signer.certificate, ZEROS])] }),
      /v2: its certificates are in DER/,
    ],
    ['another public key', () => both({ publicKey: rsaKey }), /v2: the signature by 0x201 is right/],
    ['a public key that is none', () => both({ publicKey: ZEROS }), /v2: its key is SPKI/],
    [
      'something behind the signed data of v2',
      () => ({ v2: { signedTail: Buffer.alloc(8) } }),
      /4 bytes are left over/,
    ],
    [
      'something else behind it',
      () => ({ v2: { signedTail: Buffer.from([1, 0, 0, 0]) } }),
      /an empty field may follow/,
    ],
    [
      'something behind the signed data of v3',
      () => ({ v3: { signedTail: ZEROS } }),
      /v3 signed data: 4 bytes are left over/,
    ],
    ['something behind the public key', () => ({ v2: { signerTail: ZEROS } }), /v2 signer: 4 bytes are left over/],
    ['something behind the signers', () => ({ v3: { blockTail: ZEROS } }), /v3 block: 4 bytes are left over/],
    [
      'a chain in v3 only',
      () => ({ v3: { certificates: [signer.certificate, other.certificate] } }),
      /the same certificates/,
    ],
  ];
  for (const [what, contents, rule] of WRONG) {
    it(`${what} is refused`, () => refuses(() => verifyApk(resignApk(apk, signer, contents())), rule));
  }

  it('other keys for v2 and v3 are refused', () => {
    const two = resignApk(apk, signer);
    let v3: readonly (readonly [number, Buffer])[] = [];
    withPairs(resignApk(apk, other), (pairs) => (v3 = pairs.slice(1)));
    refuses(() => verifyApk(withPairs(two, (pairs) => [...pairs.slice(0, 1), ...v3])), /the same certificates/);
  });
});
