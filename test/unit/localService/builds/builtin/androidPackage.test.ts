import assert from 'node:assert/strict';
import { createHash, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PageScan } from '../../../../../src/formats/pageScan.ts';
import type { ZipEntry } from '../../../../../src/localService/builds/builtin/androidPackage.ts';
import type { AndroidApp } from '../../../../../src/localService/builds/builtin/androidApp.ts';
import { readAndroidApp } from '../../../../../src/localService/builds/builtin/androidApp.ts';
import { encodeManifest } from '../../../../../src/localService/builds/builtin/androidManifest.ts';
import { writeAndroidPackage } from '../../../../../src/localService/builds/builtin/androidPackage.ts';
import { encodeResourceTable, ICON_FILE } from '../../../../../src/localService/builds/builtin/compiledResources.ts';
import type { Signer } from '../../../../../src/localService/builds/buildKeys.ts';
import { repositoryRoot } from '../../../../support/repository.ts';
import { withFlippedBit } from '../../../../support/apk/apkFixtures.ts';
import { refuses } from '../../../../support/apk/refuses.ts';
import { certificateOf, contentOf, verifyApk } from '../../../../support/apk/verifyApk.ts';
import { testApp } from '../../../../support/buildJob.ts';
import { folderOfEachTest } from '../../../../support/hooks.ts';
import { openedKey } from '../../../../support/openedKeys.ts';
import { KEY_CERTIFICATES, type KeyFileName } from '../../../../support/signingKeys.ts';

const SHELL = readFileSync(join(repositoryRoot, 'src/localService/builds/builtin/shell/classes.dex'));

/** Keys of kinds that Android does not take. */
const NOT_FOR_ANDROID: readonly KeyFileName[] = ['keytool-dsa.p12', 'keytool-ed25519.p12'];

const APP: AndroidApp = readAndroidApp(
  testApp,
  { config: undefined, imageFolders: [], webRoot: '', webFiles: ['index.html'] },
  new PageScan([]),
  true,
  () => undefined,
);

describe('local service: a signed Android package', () => {
  let folder: string;
  folderOfEachTest((made) => (folder = made));

  /** Writes a package. @param more what is in it beside the least there must be */
  async function write(signer: Signer, more: readonly ZipEntry[] = [], shell = SHELL): Promise<Buffer> {
    const path = join(folder, `${crypto.randomUUID()}.apk`);
    const all = [...entries(), stored('classes.dex', shell), ...more];
    await writeAndroidPackage(path, all, signer, new AbortController().signal);
    return readFile(path);
  }

  for (const [name, alias, certificate, ...issuers] of KEY_CERTIFICATES) {
    if (!NOT_FOR_ANDROID.includes(name)) {
      it(`has the certificate of ${alias} in ${name}`, async () => {
        const apk = verifyApk(await write(signerOf(name, alias)));
        assert.equal(certificateOf(apk).fingerprint256.replaceAll(':', '').toLowerCase(), certificate);
        for (const { certificates } of [apk.signatures.v2, apk.signatures.v3]) {
          assert.equal(certificates.length, 1 + issuers.length);
        }
      });
    }
  }

  it('has the same bytes each time, with a key whose signatures have', async () => {
    // Another shell would have other bytes.
    const writeSmall = (): Promise<Buffer> => write(signerOf('openssl.p12', 'release'), [], Buffer.from('dex\n035'));
    const bytes = await writeSmall();
    assert.deepEqual(await writeSmall(), bytes);
    assert.equal(
      createHash('sha256').update(bytes).digest('hex'),
      'ed2fb8a0cd117beca5db255081c66959c2732fb08bd8b6818e421bc967858107',
    );
  });

  it('is signed in chunks of a megabyte, whatever its size is', async () => {
    const signer = signerOf('keytool-ec.p12', 'release');
    for (const bytes of [2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20 + 5]) {
      const content = Buffer.alloc(bytes, bytes % 251);
      const apk = verifyApk(await write(signer, [stored('assets/www/a', content)]));
      assert.ok(contentOf(apk, 'assets/www/a').equals(content));
    }
  });

  it('is refused once a bit of it is another one', async () => {
    const bytes = await write(signerOf('keytool-rsa.p12', 'release'), [stored('assets/www/a', Buffer.from('content'))]);
    const directory = bytes.indexOf('PK\x01\x02', 0, 'latin1');
    const block = bytes.indexOf('APK Sig Block 42');
    const places = [bytes.indexOf('content'), directory + 20, block - 300, block + 3, bytes.length - 12];
    for (const place of places) {
      refuses(() => verifyApk(withFlippedBit(bytes, place)), /./);
    }
    refuses(() => verifyApk(Buffer.concat([bytes, Buffer.of(0)])), /./);
    verifyApk(bytes);
  });

  it('has 20,000 files, and names of any kind', async () => {
    const names = [
      'a b',
      "'+%&",
      '日本/größe',
      'de\u0301compose\u0301',
      '_next/_app.js',
      '.hidden',
      `${'long/'.repeat(40)}x`,
    ];
    const more = [...names, ...Array.from({ length: 20_000 }, (_, index) => `f/${index}.txt`)];
    const apk = verifyApk(
      await write(
        signerOf('keytool-ec.p12', 'release'),
        more.map((name) => ({ name: `assets/www/${name}`, content: Buffer.from(name) })),
      ),
    );
    assert.equal(apk.entries.length, entries().length + 1 + more.length);
    for (const name of more.slice(0, 100)) {
      assert.equal(contentOf(apk, `assets/www/${name}`).toString(), name);
    }
  });
});

/** The least that is in a package, all of it stored: zlib may compress otherwise on another machine. */
function entries(): readonly ZipEntry[] {
  const theme = { parent: 0x01030241, items: new Map([[0x01010054, { colour: -1 }]]) };
  return [
    stored('AndroidManifest.xml', encodeManifest(APP)),
    stored('resources.arsc', encodeResourceTable(APP.packageName, { day: theme, night: theme })),
    stored(ICON_FILE, Buffer.from('89504e470d0a1a0a', 'hex')),
  ];
}

function stored(name: string, content: Buffer): ZipEntry {
  return { name, content, isStored: true };
}

function signerOf(name: KeyFileName, alias: string): Signer {
  const { privateKey, certificates } = openedKey(name, alias);
  return { privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }), certificates };
}
