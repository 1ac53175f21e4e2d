/** Packages of the built-in builder, held against Android's own tools: aapt, apksigner and zipalign. */
import { createHash, createPrivateKey, randomBytes } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { BuildJob } from '../../src/localService/builds/builder.ts';
import { writeAndroidPackage } from '../../src/localService/builds/builtin/androidPackage.ts';
import { createBuiltinBuilder } from '../../src/localService/builds/builtin/builtinBuilder.ts';
import { GOLDEN_DIGESTS, goldenEntries } from '../support/apk/goldenPackage.ts';
import { testApp, testJob, testKey } from '../support/buildJob.ts';
import { openedKey } from '../support/openedKeys.ts';
import { type Files } from '../support/packing.ts';
import { KEY_CERTIFICATES, KEY_PASSWORDS, keyFile } from '../support/signingKeys.ts';
import { Checks, outputOf, program, type Counts, type Part } from './part.ts';

const APKSIGNER = program('apksigner', 'apksigner');
const TOOLS = [APKSIGNER, program('aapt', 'aapt'), program('zipalign', 'zipalign')];
const PAGE = { 'index.html': '<!doctype html><title>Page</title>' };
const LONG_NAME = 'n'.repeat(5_000);

export const packageParts: readonly Part[] = [
  { title: 'The golden package', tools: TOOLS, run: golden },
  { title: 'What tools read of packages', tools: TOOLS, run: corners },
  { title: 'Large packages', tools: TOOLS, run: large },
  { title: 'Packages signed with keys of files', tools: [APKSIGNER], run: signed },
  { title: 'Packages that were tampered with', tools: [APKSIGNER], run: tampered },
];

/** An app, and what `aapt dump badging` says of it. */
const CORNERS: readonly (readonly [
  what: string,
  files: Files,
  app: Partial<BuildJob['app']>,
  badging: readonly RegExp[],
])[] = [
  [
    'a page alone',
    PAGE,
    {},
    [/package: name='com\.example\.app' versionCode='10203' versionName='1\.2\.3'/, /application-label:'Title'/],
  ],
  [
    'a name of many scripts',
    PAGE,
    { title: 'Ünïcödé 日本 😀 & "q" <b> שלום' },
    [/label='Ünïcödé 日本 😀 & .*<b> שלום'/],
  ],
  ['a name that looks like a reference', PAGE, { title: '@string/x' }, [/application-label:'@string\/x'/]],
  ['a name of 5,000 characters', PAGE, { title: LONG_NAME }, [/application-label:'n{100}'/]],
  ['tab and newline in a name', PAGE, { title: 'a\tb\nc' }, [/application-label:'a b c'/]],
  ['an id of 199 characters', PAGE, { package: `a.${'b'.repeat(197)}` }, [/package: name='a\.b{197}'/]],
  ['underscores in an id', PAGE, { package: 'com.a_b.c_1' }, [/package: name='com\.a_b\.c_1'/]],
  ['the highest version code', withConfig('', ' android-versionCode="2100000000"'), {}, [/versionCode='2100000000'/]],
  ['files of all kinds of names', { ...PAGE, "'+%& ü/日本.js": 'x', '_next/.a': '', 'e\u0301': 'nfd' }, {}, []],
  [
    'permissions, orientation and colours',
    withConfig(
      '<plugin name="cordova-plugin-media-capture"/><plugin name="cordova-plugin-geolocation"/>' +
        '<preference name="Orientation" value="landscape"/><preference name="StatusBarBackgroundColor" value="#123"/>',
    ),
    {},
    [
      /uses-permission: name='android\.permission\.RECORD_AUDIO'/,
      /uses-permission: name='android\.permission\.ACCESS_FINE_LOCATION'/,
      /uses-feature-not-required: name='android\.hardware\.camera'/,
      /uses-implied-feature: name='android\.hardware\.screen\.landscape'/,
    ],
  ],
  [
    'permissions that scripts ask for',
    { ...PAGE, 'a.js': 'navigator.geolocation.watchPosition(a); b.getUserMedia({video:true})' },
    {},
    [
      /uses-permission: name='android\.permission\.ACCESS_NETWORK_STATE'/,
      /uses-permission: name='android\.permission\.VIBRATE'/,
      /uses-permission: name='android\.permission\.CAMERA'/,
      /uses-permission: name='android\.permission\.ACCESS_COARSE_LOCATION'/,
      /uses-feature-not-required: name='android\.hardware\.location\.gps'/,
    ],
  ],
];

/** A theme by day, and one by night, as `aapt dump --values resources` shows them. */
const THEMES =
  /config \(default\):\s+resource .*AppTheme: <bag>\s+Parent=0x01030241[^]*config night-v8:\s+resource .*AppTheme: <bag>\s+Parent=0x0103022e/;

/** The package that the unit tests compare by its digest. */
async function golden(folder: string): Promise<Counts> {
  const checks = new Checks();
  const apk = path.join(folder, 'golden.apk');
  const { privateKey, certificates } = openedKey('openssl.p12', 'release');
  const signer = { privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }), certificates };
  await writeAndroidPackage(apk, goldenEntries(), signer, new AbortController().signal);
  const digest = createHash('sha256')
    .update(await readFile(apk))
    .digest('hex');
  checks.is(digest === GOLDEN_DIGESTS.signed, `the digest is ${digest}`);
  await checkWithTools(checks, 'the golden package', apk);
  const said = await outputOf('aapt', 'dump', 'badging', apk);
  for (const expected of [
    /package: name='com\.example\.golden' versionCode='10203' versionName='1\.2\.3'/,
    /application-label:'Golden größe'/,
    /uses-permission: name='android\.permission\.RECORD_AUDIO'/,
    /uses-feature-not-required: name='android\.hardware\.location\.gps'/,
    /launchable-activity: name='appbuild\.shell\.MainActivity' {2}label='Gold'/,
  ]) {
    checks.is(expected.test(said), `aapt does not say ${String(expected)}: ${said}`);
  }
  const resources = await outputOf('aapt', 'dump', '--values', 'resources', apk);
  checks.is(THEMES.test(resources), `aapt knows no theme by night: ${resources}`);
  return checks;
}

async function corners(folder: string): Promise<Counts> {
  const checks = new Checks();
  for (const [what, files, app, badging] of CORNERS) {
    const apk = await build(folder, files, { app: { ...testApp, ...app } });
    await checkWithTools(checks, what, apk);
    const said = await outputOf('aapt', 'dump', 'badging', apk);
    for (const expected of [
      ...badging,
      /sdkVersion:'24'\ntargetSdkVersion:'34'/,
      /launchable-activity: name='appbuild\.shell\.MainActivity'/,
    ]) {
      checks.is(expected.test(said), `${what}: aapt does not say ${String(expected)}: ${said}`);
    }
    const resources = await outputOf('aapt', 'dump', '--values', 'resources', apk);
    checks.is(THEMES.test(resources), `${what}: aapt knows no theme by night: ${resources}`);
  }
  return checks;
}

async function large(folder: string): Promise<Counts> {
  const checks = new Checks();
  const small = Array.from(
    { length: 20_000 },
    (_, index) => [`f/${index % 100}/${index}.txt`, 'x'.repeat(600)] as const,
  );
  await checkWithTools(checks, '20,000 files', await build(folder, { ...PAGE, ...Object.fromEntries(small) }));
  const job = await testJob(folder, {}, { ...PAGE, 'random.jpg': randomBytes(50_000_000), 'clip.mp4': '' });
  await truncate(path.join(job.source.folder, 'clip.mp4'), 150_000_000);
  await checkWithTools(checks, '200 MB', await buildJob(job));
  return checks;
}

async function signed(folder: string): Promise<Counts> {
  const checks = new Checks();
  const keystore = path.join(folder, 'keystore');
  for (const [name, alias, certificate, ...issuers] of KEY_CERTIFICATES) {
    const { keystore: password, key } = KEY_PASSWORDS[name];
    await writeFile(keystore, keyFile(name));
    const opened = {
      key: { ...testKey, alias },
      files: { keystore },
      passwords: { keystore_pw: password, key_pw: key },
    };
    const apk = await build(folder, PAGE, { key: opened }).catch((error: unknown) => String(error));
    if (/dsa|ed25519/.test(name)) {
      checks.is(/holds a key of (?:DSA|ED25519)/.test(apk), `${name}: ${apk}`);
    } else {
      const said = await outputOf('apksigner', 'verify', '--print-certs', '--verbose', apk);
      const digest = /certificate SHA-256 digest: (\w+)/.exec(said)?.[1];
      checks.is(digest === certificate, `${name}: ${issuers.length} issuers, ${said}`);
    }
  }
  return checks;
}

/** @param folder where apksigner refuses what it is given */
async function tampered(folder: string): Promise<Counts> {
  const checks = new Checks();
  const apk = await build(folder, PAGE);
  const bytes = await readFile(apk);
  const directory = bytes.readUInt32LE(bytes.length - 6);
  const block = directory - Number(bytes.readBigUInt64LE(directory - 24)) - 8;
  const places = {
    'an entry': bytes.indexOf('assets/shell.json') + 40,
    'the directory': directory + 20,
    'the end record': bytes.length - 12,
    'the signature v2': block + 12 + 4 + 20,
    'the magic': directory - 4,
  };
  for (const [what, place] of Object.entries(places)) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    checks.is(await isRefused(folder, changed), `one bit of ${what} changed is not refused`);
  }
  checks.is(await isRefused(folder, Buffer.concat([bytes, Buffer.of(0)])), 'a byte behind it is not refused');
  checks.is(await isRefused(folder, bytes.subarray(0, -1)), 'a byte less is not refused');
  checks.is(!(await isRefused(folder, bytes)), 'the package as it was made is refused');
  return checks;
}

async function isRefused(folder: string, bytes: Buffer): Promise<boolean> {
  const file = path.join(folder, `${createHash('sha256').update(bytes).digest('hex')}.apk`);
  await writeFile(file, bytes);
  return outputOf('apksigner', 'verify', file).then(
    () => false,
    () => true,
  );
}

async function checkWithTools(checks: Checks, what: string, apk: string): Promise<void> {
  for (const sdk of ['24', '28', '34']) {
    const verified = await outputOf('apksigner', 'verify', '--verbose', '--min-sdk-version', sdk, apk);
    checks.is(/^Verifies$/m.test(verified), `${what}: apksigner from ${sdk} on: ${verified}`);
  }
  const both = await outputOf('apksigner', 'verify', '--verbose', apk);
  checks.is(/v2 scheme .*: true\n.*v3 scheme .*: true/.test(both), `${what}: ${both}`);
  const aligned = await outputOf('zipalign', '-c', '-v', '4', apk);
  checks.is(aligned.includes('Verification successful'), `${what}: ${aligned}`);
}

async function build(folder: string, files: Files, values: Partial<BuildJob> = {}): Promise<string> {
  return buildJob(await testJob(folder, values, files));
}

async function buildJob(job: BuildJob): Promise<string> {
  return (await createBuiltinBuilder(undefined).build(job, () => undefined, new AbortController().signal)).path;
}

function withConfig(body: string, attributes = ''): Files {
  return {
    ...PAGE,
    'config.xml': `<widget id="com.example.app" version="1.2.3"${attributes}><name>Title</name>${body}</widget>`,
  };
}
