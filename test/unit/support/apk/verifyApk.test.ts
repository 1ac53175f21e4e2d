import assert from 'node:assert/strict';

import { APK_FIXTURES, apkFixture, type ApkFixture } from '../../../support/apk/apkFixtures.ts';
import { attributeOf, childrenOf, withDescendants } from '../../../support/apk/manifest.ts';
import { readWithApkReader } from '../../../support/apk/readWithApkReader.ts';
import { resourceNamed } from '../../../support/apk/resourceTable.ts';
import { certificateOf, contentOf, verifyApk } from '../../../support/apk/verifyApk.ts';

const FIXTURES = Object.keys(APK_FIXTURES) as ApkFixture[];

describe("verifyApk: packages of Android's own tools", () => {
  for (const name of FIXTURES) {
    it(`${name} is accepted, with its signatures`, () => {
      const apk = verifyApk(apkFixture(name));
      assert.deepEqual(apk.signatures.v2.algorithms, APK_FIXTURES[name]);
      assert.deepEqual(apk.signatures.v3.algorithms, APK_FIXTURES[name]);
      assert.equal(apk.signatures.v3.maxSdk, 0x7fffffff);
      assert.equal(certificateOf(apk).subject, `CN=Fixture ${name.startsWith('rsa') ? 'RSA' : 'EC'}`);
      assert.equal(apk.signatures.v2.certificates[0]?.fingerprint256, certificateOf(apk).fingerprint256);
    });
  }

  it('entries', () => {
    const apk = verifyApk(apkFixture('rsa.apk'));
    assert.deepEqual(
      apk.entries.map(({ name, method, size }) => [name, method, size]),
      [
        ['AndroidManifest.xml', 'deflated', 2284],
        ['assets/www/index.html', 'deflated', 101],
        ['res/mipmap-anydpi-v26/icon.xml', 'deflated', 552],
        ['res/mipmap-xxxhdpi-v4/icon.png', 'stored', 73],
        ['resources.arsc', 'stored', 1072],
        ['classes.dex', 'deflated', 444],
        ['assets/www/grün.txt', 'stored', 3],
      ],
    );
    assert.equal(contentOf(apk, 'assets/www/grün.txt').toString(), 'ü\n');
    assert.match(contentOf(apk, 'assets/www/index.html').toString(), /<title>Fixture<\/title>/);
    assert.throws(() => contentOf(apk, 'assets/www/other.txt'), /there is an entry assets\/www\/other\.txt/);
  });

  it('the manifest', () => {
    const { manifest } = verifyApk(apkFixture('ec.apk'));
    assert.deepEqual(attributeOf(manifest, 'package'), { name: 'package', type: 'string', value: 'example.fixture' });
    assert.deepEqual(attributeOf(manifest, 'android:versionCode'), {
      name: 'versionCode',
      namespace: 'http://schemas.android.com/apk/res/android',
      resourceId: 0x0101021b,
      type: 'integer',
      value: 10203,
    });
    assert.equal(attributeOf(manifest, 'versionCode'), undefined);
    assert.deepEqual(
      manifest.children.map(({ name }) => name),
      ['uses-sdk', 'uses-permission', 'application'],
    );
    const [application] = childrenOf(manifest, 'application');
    assert.ok(application);
    assert.equal(attributeOf(application, 'android:label')?.value, 'Fixture Ünïcödé 日本 😀');
    assert.equal(attributeOf(application, 'android:debuggable')?.value, true);
    const activity = withDescendants(manifest).find(({ name }) => name === 'activity');
    assert.ok(activity);
    assert.deepEqual(attributeOf(activity, 'android:configChanges')?.type, 'hexadecimal');
    assert.equal(attributeOf(activity, 'android:configChanges')?.value, 0x480);
  });

  it('the resources', () => {
    const { manifest, resources } = verifyApk(apkFixture('ec.apk'));
    assert.equal(resources.packageName, 'example.fixture');
    const [application] = childrenOf(manifest, 'application');
    assert.ok(application);
    const icon = resourceNamed(resources, 'mipmap/icon');
    assert.equal(attributeOf(application, 'android:icon')?.value, icon?.id);
    assert.deepEqual(
      icon?.values.map(({ config: { density, sdkVersion }, value }) => ({ density, sdkVersion, value })),
      [
        { density: 640, sdkVersion: 4, value: { type: 'string', value: 'res/mipmap-xxxhdpi-v4/icon.png' } },
        { density: 0xfffe, sdkVersion: 26, value: { type: 'string', value: 'res/mipmap-anydpi-v26/icon.xml' } },
      ],
    );
    const color = resourceNamed(resources, 'color/icon_background');
    assert.deepEqual(color?.values[0]?.value, { type: 'color', value: 0xff336699 });
    assert.deepEqual(resourceNamed(resources, 'style/Shell')?.values[0]?.value, {
      type: 'bag',
      parent: 0x01030241,
      items: [
        { id: 0x01010054, value: { type: 'reference', value: color.id } },
        { id: 0x01010451, value: { type: 'color', value: 0xff000000 } },
      ],
    });
    assert.equal(resourceNamed(resources, 'mipmap/other'), undefined);
  });

  it('what another reader finds in the manifest', async () => {
    for (const name of FIXTURES) {
      const manifest = await readWithApkReader(apkFixture(name));
      assert.equal(manifest.package, 'example.fixture');
      assert.equal(manifest.versionCode, 10203);
      assert.equal(manifest.versionName, '1.2.3');
      assert.equal(manifest.usesSdk.targetSdkVersion, 34);
      assert.deepEqual(
        manifest.usesPermissions.map((permission) => permission.name),
        ['android.permission.INTERNET'],
      );
      assert.equal(manifest.application.label, 'Fixture Ünïcödé 日本 😀');
      assert.equal(manifest.application.icon, 'resourceId:0x7f020000');
      assert.deepEqual(
        manifest.application.launcherActivities.map((activity) => activity.name),
        ['.MainActivity'],
      );
    }
  });

  it('another reader refuses what is no package', async () => {
    await assert.rejects(readWithApkReader(Buffer.from('no package')));
  });
});
