import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, hash, verify, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import forge from 'node-forge';

import { writeArchive, type ZipEntry } from '../../../../src/android-package/archive/androidPackage.ts';
import { writeAppBundle } from '../../../../src/android-package/archive/appBundle.ts';
import { apkEntries, type PackageContent } from '../../../../src/android-package/archive/packageContent.ts';
import type { BuildResult } from '../../../../src/build-service/builds/builder.ts';
import { GOLDEN_BUNDLE_DIGEST, goldenContent } from '../../../support/apk/goldenPackage.ts';
import { getContent, readEntries, type ReadEntry } from '../../../support/apk/verifyApk.ts';
import { testJob, testKey } from '../../../support/buildJob.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { openedKey } from '../../../support/openedKeys.ts';
import type { Files } from '../../../support/packing.ts';
import { KEY_PASSWORDS, keyFile, type KeyFileName } from '../../../support/signingKeys.ts';
import type { Signer } from '../../../../src/android-package/keys/signer.ts';
import { createBuiltinBuilder } from '../../../../src/build-service/builds/builtinBuilder.ts';

const NEVER = new AbortController().signal;

describe('local service: an app bundle', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  const bundlePath = (): string => join(folder, 'app.aab');

  /** Writes the package, and returns a function that writes the bundle. */
  async function writeApk(content: PackageContent, signer: Signer): Promise<(signal?: AbortSignal) => Promise<void>> {
    const path = join(folder, 'app.apk');
    const written = await writeArchive(path, apkEntries(content), signer, NEVER, true);
    return (signal = NEVER) => writeAppBundle(bundlePath(), content, { path, written }, signer, signal);
  }

  async function write(content: PackageContent, signer: Signer): Promise<readonly ReadEntry[]> {
    await (
      await writeApk(content, signer)
    )();
    return readEntries(await readFile(bundlePath()));
  }

  it('has the same signature as the bundle that bundletool and Java accepted', async () => {
    const entries = await write(goldenContent(), getSigner('openssl.p12', 'release'));
    const signed = hash('sha256', getContent({ entries }, 'META-INF/UPLOAD.RSA'));
    assert.equal(signed, GOLDEN_BUNDLE_DIGEST, 'run npm run test:android, then change it');
  });

  it('starts with its signature, and contains the package’s files unchanged', async () => {
    const large: ZipEntry = { name: 'assets/www/a.bin', content: join(folder, 'a.bin') };
    await writeFile(join(folder, 'a.bin'), Buffer.alloc(9_000_000, 'large'));
    const text: ZipEntry = { name: 'assets/www/日本/😀.txt', content: Buffer.alloc(500, 'x') };
    const golden = goldenContent();
    const dex: ZipEntry = { name: 'classes2.dex', content: Buffer.from('dex') };
    const content = { ...golden, files: [...golden.files, dex, large, text] };
    const bundle = await write(content, getSigner('openssl.p12', 'release'));
    assert.deepEqual(
      bundle.map(({ name }) => name),
      [
        ...['MANIFEST.MF', 'UPLOAD.SF', 'UPLOAD.RSA'].map((name) => `META-INF/${name}`),
        ...['BundleConfig.pb', 'base/manifest/AndroidManifest.xml', 'base/resources.pb'],
        ...[...content.documents.keys(), ...content.pictures.keys()].map((name) => `base/${name}`),
        'base/dex/classes.dex',
        ...content.files.slice(1).map(({ name }) => (name === dex.name ? `base/dex/${name}` : `base/${name}`)),
      ],
    );
    const apk = await readEntries(await readFile(join(folder, 'app.apk')));
    const files = (entries: readonly ReadEntry[]): readonly unknown[] =>
      entries
        .filter(({ name }) => /classes\d*\.dex|assets/.test(name))
        .map(({ isStored, content: bytes }) => [isStored, hash('sha256', bytes)]);
    assert.deepEqual(files(bundle), files(apk));
  });

  for (const [name, extension, expectedAlgorithm] of [
    ['keytool-rsa.p12', 'RSA', '1.2.840.113549.1.1.1'],
    ['keytool-ec.p12', 'EC', '1.2.840.10045.4.3.2'],
    ['keytool-chain.p12', 'EC', '1.2.840.10045.4.3.2'],
  ] as const) {
    it(`signs with ${name} as the JAR specification requires`, async () => {
      const signer = getSigner(name, 'release');
      const golden = goldenContent();
      const long: ZipEntry = { name: `assets/www/${'日本語😀/'.repeat(40)}x`, content: Buffer.from('x') };
      const entries = await write({ ...golden, files: [...golden.files, long] }, signer);
      const [manifest, signatureFile, block, ...rest] = entries;
      assert.ok(manifest !== undefined && signatureFile !== undefined && block !== undefined);
      const digests = rest.map((entry) => [entry.name, hash('sha256', entry.content, 'base64')]);
      assert.deepEqual(getSections(manifest.content).slice(1).map(nameAndDigest), digests);
      const [main = '', ...sections] = textSections(manifest.content);
      const [signedMain = '', ...signedSections] = getSections(signatureFile.content);
      assert.ok(signedMain.includes(`\r\nSHA-256-Digest-Manifest: ${hash('sha256', manifest.content, 'base64')}\r\n`));
      assert.ok(signedMain.includes(`-Manifest-Main-Attributes: ${hash('sha256', main, 'base64')}\r\n`));
      assert.deepEqual(
        signedSections.map(nameAndDigest),
        sections.map((section, index) => [rest[index]?.name, hash('sha256', section, 'base64')]),
      );
      for (const line of `${manifest.content.toString()}${signatureFile.content.toString()}`.split('\r\n')) {
        assert.ok(Buffer.byteLength(line) <= 72, line);
      }
      assert.equal(block.name, `META-INF/UPLOAD.${extension}`);
      const { certificates, serialNumber, algorithm, signature } = readSignedData(block.content);
      assert.equal(algorithm, expectedAlgorithm);
      assert.deepEqual(certificates, signer.certificates);
      const certificate = new X509Certificate(signer.certificates[0] ?? '');
      assert.equal(serialNumber, certificate.serialNumber.toLowerCase());
      assert.ok(verify('sha256', signatureFile.content, certificate.publicKey, signature), 'the signature is right');
    });
  }

  it('leaves no file when writing is aborted or the package has changed', async () => {
    const bundle = await writeApk(goldenContent(true), getSigner('openssl.p12', 'release'));
    const abort = new AbortController();
    const aborted = bundle(abort.signal);
    abort.abort(new Error('enough'));
    await assert.rejects(aborted, { message: 'enough' });
    assert.ok(!existsSync(bundlePath()));
    await truncate(join(folder, 'app.apk'), 2_000);
    await assert.rejects(bundle(), { message: 'A file of the app changed while it was packed.' });
    assert.ok(!existsSync(bundlePath()));
  });

  describe('of a build', () => {
    /**
     * Builds an app.
     * @param files additional files beside a page
     */
    async function build(
      name?: KeyFileName,
      files: Files = {},
      content = name && keyFile(name),
    ): Promise<{ readonly result: BuildResult; readonly log: string }> {
      const lines: string[] = [];
      const keystore = join(folder, 'keystore');
      await writeFile(keystore, content ?? '');
      const passwords = name && { keystore_pw: KEY_PASSWORDS[name].keystore, key_pw: KEY_PASSWORDS[name].key };
      const key = name && { key: { ...testKey, alias: 'release' }, files: { keystore }, passwords };
      const job = await testJob(folder, { key }, { 'index.html': '<!doctype html><title>Page</title>', ...files });
      const result = await createBuiltinBuilder(undefined).build(job, (line) => lines.push(line), NEVER);
      return { result, log: lines.join('\n') };
    }

    it('signs the bundle with the user’s key, and never marks it as debuggable', async () => {
      const { result, log } = await build('openssl.p12');
      assert.deepEqual(result.bundle, { path: join(folder, 'work', 'app.aab'), fileName: 'Title-1.2.3.aab' });
      const entries = await readEntries(await readFile(result.bundle.path));
      const manifest = getContent({ entries }, 'base/manifest/AndroidManifest.xml').toString('latin1');
      assert.ok(manifest.includes('debuggable\x1a\x05false'));
      assert.match(log, /Title-1\.2\.3\.aab is the app bundle for Google Play\./);
      assert.doesNotMatch(log, /RSA|API level/);
    });

    it('warns that Google Play rejects elliptic-curve keys and short keys', async () => {
      const text = /Google Play requires an RSA key of at least 2,048 bits/;
      assert.match((await build('keytool-ec.p12')).log, text);
      assert.match((await build('openssl.p12', {}, shortKey())).log, text);
    });

    it('warns that Google Play rejects a bundle whose target API level is too low', async () => {
      const preference = '<preference name="android-targetSdkVersion" value="34"/>';
      const { log } = await build('openssl.p12', { 'config.xml': `<widget><name>A</name>${preference}</widget>` });
      assert.match(log, /API level 34\. Google Play requires 36 or later\. Remove android-targetSdkVersion\./);
    });

    it('creates only a package if a folder’s name contains “#”, which bundletool rejects', async () => {
      for (const [file, refused] of [
        ['a/C#/b.html', 'www/a/C#'],
        ['a#lang_de/b/c.html', 'www/a#lang_de'],
        ['a/b#c.html', undefined],
      ] as const) {
        const { result, log } = await build('openssl.p12', { [file]: '' });
        const text = `Google Play doesn’t accept a bundle with “#” in a folder’s name. Rename ${refused}.`;
        assert.deepEqual([result.bundle === undefined, log.includes(text)], Array(2).fill(refused !== undefined), file);
        assert.deepEqual([result.signedWith, result.versionCode], ['signing key', 10_203]);
      }
    });

    it('doesn’t make a bundle with the test key, and logs Google Play’s requirements', async () => {
      const { result, log } = await build();
      assert.equal(result.bundle, undefined);
      assert.match(log, /For Google Play, build with your own key\./);
    });
  });
});

function getSigner(name: KeyFileName, alias: string): Signer {
  const { privateKey, certificates } = openedKey(name, alias);
  return { privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }), certificates };
}

/** Creates a keystore with the alias `release` and an RSA key of 1,024 bits. */
function shortKey(): Buffer<ArrayBuffer> {
  const { asn1, pki, pkcs12 } = forge;
  const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const;
  const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
  const pair = generateKeyPairSync('rsa', { modulusLength: 1024, privateKeyEncoding, publicKeyEncoding });
  const key = pki.privateKeyFromPem(pair.privateKey);
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(pair.publicKey);
  certificate.sign(key);
  const options = { algorithm: '3des', friendlyName: 'release' } as const;
  const keystore = pkcs12.toPkcs12Asn1(key, [certificate], KEY_PASSWORDS['openssl.p12'].keystore, options);
  return Buffer.from(asn1.toDer(keystore).getBytes(), 'latin1');
}

/** Returns the sections of a manifest, each with its final empty line. */
function textSections(bytes: Buffer): readonly string[] {
  return bytes.toString().split(/(?<=\r\n\r\n)/);
}

/** Returns the sections of a manifest, with continuation lines joined. */
function getSections(bytes: Buffer): readonly string[] {
  return textSections(bytes).map((section) => section.replaceAll('\r\n ', ''));
}

function nameAndDigest(section: string): readonly (string | undefined)[] {
  return [/^Name: (.*)\r$/m.exec(section)?.[1], /^SHA-256-Digest: (.*)\r$/m.exec(section)?.[1]];
}

/** Reads PKCS #7 with a reader independent of the signing code. */
function readSignedData(bytes: Buffer): {
  readonly certificates: readonly Buffer[];
  readonly serialNumber: string;
  readonly algorithm: string;
  readonly signature: Buffer;
} {
  const { asn1, util } = forge;
  const children = (node: forge.asn1.Asn1 | undefined): readonly forge.asn1.Asn1[] =>
    Array.isArray(node?.value) ? node.value : [];
  const text = (node: forge.asn1.Asn1 | undefined): Buffer =>
    Buffer.from(typeof node?.value === 'string' ? node.value : '', 'latin1');
  const signed = children(children(asn1.fromDer(util.createBuffer(bytes.toString('latin1'))))[1])[0];
  const [, , , certificates, signers] = children(signed);
  const [, issuerAndSerial, , algorithm, signature] = children(children(signers)[0]);
  return {
    certificates: children(certificates).map((each) => Buffer.from(asn1.toDer(each).getBytes(), 'latin1')),
    serialNumber: text(children(issuerAndSerial)[1]).toString('hex').replace(/^00/, ''),
    algorithm: asn1.derToOid(text(children(algorithm)[0]).toString('latin1')),
    signature: text(signature),
  };
}
