import assert from 'node:assert/strict';
import { createPrivateKey, hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ZipEntry } from '../../../../../src/localService/builds/builtin/androidPackage.ts';
import { writeAndroidPackage } from '../../../../../src/localService/builds/builtin/androidPackage.ts';
import type { Signer } from '../../../../../src/localService/builds/buildKeys.ts';
import { GOLDEN_DIGESTS, goldenEntries, storedEntry } from '../../../../support/apk/goldenPackage.ts';
import { contentOf, verifyApk } from '../../../../support/apk/verifyApk.ts';
import { folderOfEachTest } from '../../../../support/hooks.ts';
import { openedKey } from '../../../../support/openedKeys.ts';
import { KEY_CERTIFICATES, type KeyFileName } from '../../../../support/signingKeys.ts';

describe('local service: a signed Android package', () => {
  let folder: string;
  folderOfEachTest((made) => (folder = made));

  /** Writes the golden package with more entries. */
  async function write(signer: Signer, more: readonly ZipEntry[] = []): Promise<Buffer> {
    const path = join(folder, `${crypto.randomUUID()}.apk`);
    await writeAndroidPackage(path, [...goldenEntries(), ...more], signer, new AbortController().signal);
    return readFile(path);
  }

  it('has the bytes that Android’s tools accept', async () => {
    const bytes = await write(signerOf('openssl.p12', 'release'));
    const apk = await verifyApk(bytes);
    const parts = [contentOf(apk, 'AndroidManifest.xml'), contentOf(apk, 'resources.arsc'), bytes];
    const [manifest, resources, signed] = parts.map((part) => hash('sha256', part));
    assert.deepEqual({ manifest, resources, signed }, GOLDEN_DIGESTS, 'run npm run test:android, then change them');
  });

  for (const name of ['keytool-rsa.p12', 'keytool-ec.p12', 'keytool-chain.p12'] as const) {
    it(`has the certificates of ${name}`, async () => {
      const [, alias, ...expected] = KEY_CERTIFICATES.find(([file]) => file === name) ?? [];
      const { certificates } = await verifyApk(await write(signerOf(name, alias ?? '')));
      assert.deepEqual(
        certificates.map(({ raw }) => hash('sha256', raw)),
        expected,
      );
    });
  }

  it('is signed in chunks of a megabyte, whatever its size is', async () => {
    const signer = signerOf('keytool-ec.p12', 'release');
    for (const bytes of [2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20 + 5]) {
      const content = Buffer.alloc(bytes, bytes % 251);
      const apk = await verifyApk(await write(signer, [storedEntry('assets/www/a', content)]));
      assert.ok(contentOf(apk, 'assets/www/a').equals(content));
    }
  });

  it('is refused once a bit of it is another one', async () => {
    const more = [storedEntry('assets/www/a', Buffer.from('content'))];
    const bytes = await write(signerOf('keytool-rsa.p12', 'release'), more);
    const directory = bytes.indexOf('PK\x01\x02', 0, 'latin1');
    const block = bytes.indexOf('APK Sig Block 42');
    const places = [bytes.indexOf('content'), directory + 20, block - 300, block + 3, bytes.length - 12];
    for (const place of places) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
      await assert.rejects(verifyApk(changed));
    }
    await assert.rejects(verifyApk(Buffer.concat([bytes, Buffer.of(0)])));
    await verifyApk(bytes);
  });

  it('has 20,000 files, and names of any kind', async () => {
    const names = [
      ...['a b', "'+%&", '日本/größe', 'de\u0301compose\u0301', '_next/_app.js', '.hidden', `${'long/'.repeat(40)}x`],
      ...Array.from({ length: 20_000 }, (_, index) => `f/${index}.txt`),
    ];
    const more = names.map((name) => ({ name: `assets/www/${name}`, content: Buffer.from(name) }));
    const apk = await verifyApk(await write(signerOf('keytool-ec.p12', 'release'), more));
    assert.equal(apk.entries.length, goldenEntries().length + more.length);
    for (const name of names.slice(0, 100)) {
      assert.equal(contentOf(apk, `assets/www/${name}`).toString(), name);
    }
  });
});

function signerOf(name: KeyFileName, alias: string): Signer {
  const { privateKey, certificates } = openedKey(name, alias);
  return { privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }), certificates };
}
