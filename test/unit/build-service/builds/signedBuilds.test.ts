import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { getCertificate, verifyApk } from '../../../support/apk/verifyApk.ts';
import { ask, download, waitForBuilds, fetchLog, PAGE, unzip, upload } from '../../../support/builds.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { startLocalService, type LocalService } from '../../../support/localService.ts';
import { KEY_CERTIFICATES, KEY_PASSWORDS, keyFile, multipart } from '../../../support/signingKeys.ts';

const KEY = 'keytool-rsa.jks';

describe('local service: builds of the built-in builder', () => {
  let folder: string;
  let service: LocalService;
  afterEach(() => service.stop());
  useFolderForEachTest(async (made) => {
    folder = made;
    service = await startLocalService({ dataFolder: folder });
  });

  const readBuild = async (id: number): Promise<Readonly<Record<string, unknown>>> =>
    (await ask(service, `/apps/${id}/build/android`)) as Readonly<Record<string, unknown>>;

  it('builds the supported platforms, and reports the signing key', async () => {
    const id = await upload(service, PAGE, { title: 'First' });
    assert.deepEqual((await waitForBuilds(service, id)).status, { android: 'complete', ios: null });
    const { name, bytes } = await download(service, id, 'android');
    assert.equal(name, 'First-1.0.0-test.apk');
    assert.equal(getCertificate(await verifyApk(bytes)).subject, 'CN=Test key');
    const { builder, signed_with: signedWith } = await readBuild(id);
    assert.deepEqual([builder, signedWith], ['builtin', 'test key']);
    await ask(service, `/apps/${id}/build/ios`, { method: 'POST' });
    assert.match((await waitForBuilds(service, id)).error.ios ?? '', /^iOS apps require a Mac with Xcode/);
  });

  it('signs with the app’s unlocked key, and reveals no passwords', async () => {
    const { keystore, key } = KEY_PASSWORDS[KEY];
    const fields = { title: 'Store', alias: 'release', keystore_pw: keystore, key_pw: key };
    const { id: keyId } = (await ask(service, '/keys/android', {
      method: 'POST',
      body: multipart({ data: JSON.stringify(fields) }, { keystore: keyFile(KEY) }),
    })) as { readonly id: number };
    const id = await upload(service, PAGE, { title: 'Second', keys: { android: keyId } });
    await waitForBuilds(service, id);
    const { name, bytes } = await download(service, id, 'android');
    assert.equal(name, 'Second-1.0.0.apk');
    const bundle = await download(service, id, 'android/bundle');
    assert.equal(bundle.name, 'Second-1.0.0.aab');
    assert.ok('BundleConfig.pb' in (await unzip(bundle.bytes)));
    const { fingerprint, fingerprint256 } = getCertificate(await verifyApk(bytes));
    const expected = KEY_CERTIFICATES.find(([file]) => file === KEY)?.[2];
    assert.equal(fingerprint256.replaceAll(':', '').toLowerCase(), expected);
    const { signed_with: signedWith, sha1, sha256 } = await readBuild(id);
    assert.deepEqual([signedWith, sha1, sha256], ['signing key', fingerprint, fingerprint256]);
    const log = await fetchLog(service, id, 'android');
    assert.match(log, /Signed with the key “Store”\./);
    const everything = [
      log,
      JSON.stringify(await readBuild(id)),
      bytes.toString('latin1'),
      bundle.bytes.toString('latin1'),
      service.errorOutput(),
    ];
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
      everything.push(file.isFile() ? await readFile(join(file.parentPath, file.name), 'latin1') : '');
    }
    for (const text of everything) {
      assert.ok(!text.includes(keystore) && !text.includes(key));
    }
    // A failed build, or a build with a lower version code, doesn't change the next version code.
    for (const [version, status] of [
      ['1.0.0', 'complete'],
      ['300000.0.0', 'error'],
      ['1.0.0" android-versionCode="7', 'complete'],
      ['1.0.0', 'complete'],
    ] as const) {
      const xml = `<widget id="com.example.second" version="${version}"><name>Second</name></widget>`;
      await upload(service, { ...PAGE, 'config.xml': xml }, { id });
      assert.equal((await waitForBuilds(service, id)).status.android, status);
    }
    const { manifest } = await verifyApk((await download(service, id, 'android')).bytes);
    assert.equal(manifest.versionCode, 10_002);
  });
});
