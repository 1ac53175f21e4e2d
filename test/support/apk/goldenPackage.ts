/**
 * A reproducible package: its settings are fixed, and zlib compresses none of its entries. With an RSA key, even its signature is
 * reproducible. The digests identify bytes that Android's own tools accept; `npm run test:android` runs those tools on this package.
 */
import { PageScan } from '../../../src/android-package/pages/pageScan.ts';
import { readAndroidApp } from '../../../src/android-package/androidApp.ts';
import { createContent } from '../../../src/android-package/androidContent.ts';
import type { ZipEntry } from '../../../src/android-package/archive/androidPackage.ts';
import { apkEntries, type PackageContent } from '../../../src/android-package/archive/packageContent.ts';
import { parseConfig } from '../../../src/android-package/config/packageConfig.ts';
import { testApp } from '../buildJob.ts';

const CONFIG = `<widget id="com.example.golden" version="1.2.3"><name short="Gold">Golden größe</name>
  <preference name="Orientation" value="landscape"/><preference name="AndroidLaunchMode" value="singleTask"/>
  <plugin name="cordova-plugin-geolocation"/>
  <universal-links><host name="golden.example" scheme="https"><path url="/a/*"/></host></universal-links></widget>`;

/** Size of a file in {@link GOLDEN_DIGESTS}. With it, the package has three complete signed chunks and a partial one. */
const LARGE_FILE_BYTES = 3 * 2 ** 20 + 5;

/** SHA-256 of the files that the settings determine, and of two packages, a small and a large one, signed with `openssl.p12`. */
export const GOLDEN_DIGESTS = {
  manifest: '222c5c2a9ee3af4300a526b69811708353730cb06b48ff388669f21e8d277396',
  resources: 'a54b6dc5b324d59949f6d8e256b074f2078b9d634c0d6a9d4ee66e3a5eb1be1d',
  signed: '974e360bb1d4f191ce93a75f1d43dc6f24f940fd54d8569d45ef38ff715eea60',
  large: '82f8525ac7d5ba806d789f99cdf83fd22fa1747f6973d02d4f26f70fea390c09',
};

/** SHA-256 of the signature of the small package's bundle. It depends on the content of every entry. */
export const GOLDEN_BUNDLE_DIGEST = 'df257f363c8523c522737a465e601f48658df49a99ff6bf5c474c40e74f9f224';

/** Returns the entries of the package. @param isLarge adds a file of several megabytes */
export function goldenEntries(isLarge = false): readonly ZipEntry[] {
  return apkEntries(goldenContent(isLarge)).map((entry) => ({ ...entry, isStored: true }));
}

export function goldenContent(isLarge = false): PackageContent {
  const config = parseConfig(Buffer.from(CONFIG), 'android');
  const files = { folder: '', hasConfig: true, config, imageFolders: [], webRoot: '', webFiles: ['index.html'] };
  const scan = new PageScan([]);
  scan.read('app.js', 'navigator.mediaDevices.getUserMedia({ audio: true, video: true })', 'app.js');
  const app = readAndroidApp(testApp, files, scan, true, undefined, () => undefined);
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  return createContent(app, { picture: png, background: -1, monochrome: png }, [
    // The real shell would change the digests.
    { name: 'classes.dex', content: Buffer.from('dex\n035\0Lappbuild/shell/MainActivity;') },
    { name: 'assets/www/index.html', content: Buffer.from('<!doctype html><title>Golden</title>') },
    ...(isLarge ? [{ name: 'assets/www/a', content: Buffer.alloc(LARGE_FILE_BYTES, 'large') }] : []),
  ]);
}
