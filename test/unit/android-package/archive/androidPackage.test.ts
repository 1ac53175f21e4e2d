import assert from 'node:assert/strict';
import { createPrivateKey, hash } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeArchive } from '../../../../src/android-package/archive/androidPackage.ts';
import { GOLDEN_DIGESTS, goldenEntries } from '../../../support/apk/goldenPackage.ts';
import { getContent, verifyApk } from '../../../support/apk/verifyApk.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { openedKey } from '../../../support/openedKeys.ts';
import { KEY_CERTIFICATES, type KeyFileName } from '../../../support/signingKeys.ts';
import type { Signer } from '../../../../src/android-package/keys/signer.ts';

describe('local service: a signed Android package', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  async function write(signer: Signer, entries = goldenEntries()): Promise<Buffer> {
    const path = join(folder, `${crypto.randomUUID()}.apk`);
    await writeArchive(path, entries, signer, new AbortController().signal);
    return readFile(path);
  }

  it('has the same bytes as the package that Android’s tools accepted', async () => {
    const signer = getSigner('openssl.p12', 'release');
    const bytes = await write(signer);
    const apk = await verifyApk(bytes);
    const parts = [getContent(apk, 'AndroidManifest.xml'), getContent(apk, 'resources.arsc'), bytes];
    const all = [...parts, await write(signer, goldenEntries(true))].map((part) => hash('sha256', part));
    const [manifest, resources, signed, large] = all;
    assert.deepEqual(
      { manifest, resources, signed, large },
      GOLDEN_DIGESTS,
      'run npm run test:android, then change them',
    );
  });

  for (const name of ['keytool-rsa.p12', 'keytool-ec.p12', 'keytool-chain.p12'] as const) {
    it(`contains the certificates of ${name}`, async () => {
      const [, alias, ...expected] = KEY_CERTIFICATES.find(([file]) => file === name) ?? [];
      const { certificates } = await verifyApk(await write(getSigner(name, alias ?? '')));
      assert.deepEqual(
        certificates.map(({ raw }) => hash('sha256', raw)),
        expected,
      );
    });
  }

  it('fails if a large file becomes shorter while it’s packed', async () => {
    const [changing, target] = [join(folder, 'changing'), join(folder, 'app.apk')];
    // Files of this size are read twice: for their checksum, and for the archive.
    await writeFile(changing, Buffer.alloc(9 * 1024 ** 2));
    const packing = writeArchive(
      target,
      [{ name: 'assets/a', content: changing }],
      getSigner('openssl.p12', 'release'),
      shortenOnFirstCheck(changing),
    );
    await assert.rejects(packing, { message: 'A file of the app changed while it was packed.' });
    assert.deepEqual(await readdir(folder), ['changing']);
  });

  it('rejects more entries than an archive can contain', async () => {
    const entries = Array.from({ length: 2 ** 16 }, (_, index) => ({ name: `${index}`, content: Buffer.alloc(0) }));
    await assert.rejects(write(getSigner('openssl.p12', 'release'), entries), {
      name: 'BuildError',
      message: 'The app is too large for a package. Reduce it to less than 4 GB and 65,000 files.',
    });
    assert.deepEqual(await readdir(folder), []);
  });

  it('fails if a file is missing, and leaves no package', async () => {
    const entries = [...goldenEntries(), { name: 'missing', content: join(folder, 'missing') }];
    await assert.rejects(write(getSigner('openssl.p12', 'release'), entries), { code: 'ENOENT' });
    assert.deepEqual(await readdir(folder), []);
  });

  it('stops in the middle of many small files when it’s aborted, and leaves no package', async () => {
    const content = join(folder, 'small.txt');
    await writeFile(content, 'small');
    const entries = Array.from({ length: 100 }, (_, index) => ({ name: `${index}`, content }));
    const reason = new Error('enough');
    const target = join(folder, 'app.apk');
    await assert.rejects(writeArchive(target, entries, undefined, abortAfterFirstCheck(reason)), reason);
    assert.deepEqual(await readdir(folder), ['small.txt']);
  });

  it('compresses files up to 8 MiB, and stores larger ones', async () => {
    const sizes = [8 * 1024 ** 2, 8 * 1024 ** 2 + 1];
    const files = await Promise.all(
      sizes.map(async (size) => {
        const content = join(folder, `${size}.txt`);
        await writeFile(content, Buffer.alloc(size, 'text '));
        return { name: `assets/www/${size}.txt`, content };
      }),
    );
    const apk = await verifyApk(await write(getSigner('keytool-ec.p12', 'release'), [...goldenEntries(), ...files]));
    const written = apk.entries.filter(({ name }) => name.endsWith('.txt'));
    assert.deepEqual(
      written.map(({ name, isStored }) => [name, isStored]),
      [
        [files[0]?.name, false],
        [files[1]?.name, true],
      ],
    );
  });

  it('supports 20,000 files, and names with spaces, symbols, and non-Latin characters', async () => {
    const names = [
      ...['a b', "'+%&", '日本/größe', 'de\u0301compose\u0301', '_next/_app.js', '.hidden', `${'long/'.repeat(40)}x`],
      ...Array.from({ length: 20_000 }, (_, index) => `f/${index}.txt`),
    ];
    const more = names.map((name) => ({ name: `assets/www/${name}`, content: Buffer.from(name) }));
    const apk = await verifyApk(await write(getSigner('keytool-ec.p12', 'release'), [...goldenEntries(), ...more]));
    assert.equal(apk.entries.length, goldenEntries().length + more.length);
    for (const name of names.slice(0, 100)) {
      assert.equal(getContent(apk, `assets/www/${name}`).toString(), name);
    }
  });
});

/** Returns a signal that truncates a file when it's checked for the first time, which is after the file's checksum. */
function shortenOnFirstCheck(path: string): AbortSignal {
  const { signal } = new AbortController();
  signal.throwIfAborted = () => truncateSync(path, 1_000_000);
  return signal;
}

/** Returns a signal that's aborted in the next turn of the event loop after it's checked. */
function abortAfterFirstCheck(reason: Error): AbortSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const check = signal.throwIfAborted.bind(signal);
  signal.throwIfAborted = () => {
    setImmediate(() => controller.abort(reason));
    check();
  };
  return signal;
}

function getSigner(name: KeyFileName, alias: string): Signer {
  const { privateKey, certificates } = openedKey(name, alias);
  return { privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }), certificates };
}
