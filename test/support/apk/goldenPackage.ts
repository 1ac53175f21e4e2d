/**
 * A package that has the same bytes each time: fixed settings, and no entry that zlib compresses. With a key of RSA even its signature
 * is the same. The digests stand for bytes that Android's own tools accept: `npm run test:android` shows this package to them.
 */
import { PageScan } from '../../../src/formats/pageScan.ts';
import { readAndroidApp } from '../../../src/localService/builds/builtin/androidApp.ts';
import { createContent } from '../../../src/localService/builds/builtin/androidContent.ts';
import type { ZipEntry } from '../../../src/localService/builds/builtin/androidPackage.ts';
import { apkEntries } from '../../../src/localService/builds/builtin/packageContent.ts';
import { parseConfig } from '../../../src/localService/builds/packages/packageConfig.ts';
import { testApp } from '../buildJob.ts';

const CONFIG = `<widget id="com.example.golden" version="1.2.3"><name short="Gold">Golden größe</name>
  <preference name="Orientation" value="landscape"/><preference name="AndroidLaunchMode" value="singleTask"/>
  <plugin name="cordova-plugin-media-capture"/><plugin name="cordova-plugin-geolocation"/></widget>`;

/** Bytes of a file in {@link GOLDEN_DIGESTS}: it makes a package of three whole chunks that are signed, and of a part. */
const LARGE_FILE_BYTES = 3 * 2 ** 20 + 5;

/** SHA-256 of what follows from settings, and of whole packages that are signed with `openssl.p12`: a small one and a large one. */
export const GOLDEN_DIGESTS = {
  manifest: '15d40f660801c5511ac47ab1dcf2f96e354ae4a562d3780f4d8ca735ddf23526',
  resources: '75c98cdf98783456c0cd5ecee2040a208572265c9159581f438eeb7060787d3d',
  signed: 'ec3a9daf70ed60ee2214eb4db1eb59b4a6e3a1b071274f8752800300b175916b',
  large: '31629bdc22e274b194fda824af60b3563463d1aa17675fa892ce8489dac53bf5',
};

/** @param isLarge with a file of several megabytes */
export function goldenEntries(isLarge = false): readonly ZipEntry[] {
  const config = parseConfig(Buffer.from(CONFIG), 'android');
  const files = { folder: '', hasConfig: true, config, imageFolders: [], webRoot: '', webFiles: ['index.html'] };
  const app = readAndroidApp(testApp, files, new PageScan([]), true, () => undefined);
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  const content = createContent(app, { picture: png, background: -1, monochrome: png }, [
    // Another shell would be other bytes.
    { name: 'classes.dex', content: Buffer.from('dex\n035\0Lappbuild/shell/MainActivity;') },
    { name: 'assets/www/index.html', content: Buffer.from('<!doctype html><title>Golden</title>') },
    ...(isLarge ? [{ name: 'assets/www/a', content: Buffer.alloc(LARGE_FILE_BYTES, 'large') }] : []),
  ]);
  return apkEntries(content).map((entry) => ({ ...entry, isStored: true }));
}
