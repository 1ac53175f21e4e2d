/** Checks packages of the built-in builder with Android's own tools: aapt, aapt2, apksigner, and zipalign. */
import { createPrivateKey, hash, randomBytes } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { BuildJob } from '../../src/build-service/builds/builder.ts';
import { writeArchive } from '../../src/android-package/archive/androidPackage.ts';
import { GOLDEN_DIGESTS, goldenEntries } from '../support/apk/goldenPackage.ts';
import { NATIVE_PLUGINS, getNativePlugins } from '../../src/android-package/plugins/nativePlugins.ts';
import { readEntries } from '../support/apk/verifyApk.ts';
import { pageWithPlugins, testApp, testJob, testKey } from '../support/buildJob.ts';
import { openedKey } from '../support/openedKeys.ts';
import { type Files } from '../support/packing.ts';
import { KEY_CERTIFICATES, KEY_PASSWORDS, keyFile } from '../support/signingKeys.ts';
import type { Checks, Part } from './part.ts';
import { readOutput } from './shellSource.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

const APKSIGNER = { file: 'apksigner', from: 'apksigner' };
const TOOLS = [
  APKSIGNER,
  ...['aapt', 'aapt2'].map((file) => ({ file, from: 'aapt' })),
  { file: 'zipalign', from: 'zipalign' },
];
const DEXDUMP = { file: 'dexdump', from: 'dexdump' };
const PAGE = { 'index.html': '<!doctype html><title>Page</title>' };

export const packageParts: readonly Part[] = [
  { title: 'The golden packages', tools: TOOLS, run: golden },
  { title: 'What tools read of packages', tools: TOOLS, run: corners },
  { title: 'A package with every plugin', tools: [...TOOLS, DEXDUMP], run: everyPlugin },
  { title: 'Large packages', tools: TOOLS, run: large },
  { title: 'Packages signed with keys of files', tools: [APKSIGNER], run: signed },
  { title: 'Packages that were tampered with', tools: [APKSIGNER], run: tampered },
];

/** Apps and their output of `aapt dump badging`. */
const CORNERS: Readonly<
  Record<string, readonly [files: Files, app: Partial<BuildJob['app']>, ...badging: readonly RegExp[]]>
> = {
  'a name of many scripts': [
    PAGE,
    { title: 'Ünïcödé 日本 😀 & "q" <b> שלום' },
    /label='Ünïcödé 日本 😀 & .*<b> שלום'/,
    /package: name='com\.example\.app' versionCode='10203' versionName='1\.2\.3'/,
  ],
  'a name that looks like a reference': [PAGE, { title: '@string/x' }, /application-label:'@string\/x'/],
  'a name of 5,000 characters': [PAGE, { title: 'n'.repeat(5_000) }, /application-label:'n{100}'/],
  'tab and newline in a name': [PAGE, { title: 'a\tb\nc' }, /application-label:'a b c'/],
  'an id of 199 characters': [PAGE, { package: `a.${'b'.repeat(197)}` }, /package: name='a\.b{197}'/],
  'underscores in an id': [PAGE, { package: 'com.a_b.c_1' }, /package: name='com\.a_b\.c_1'/],
  'the highest version code': [withConfig('', ' android-versionCode="2100000000"'), {}, /versionCode='2100000000'/],
  'files of all kinds of names': [{ ...PAGE, "'+%& ü/日本.js": 'x', '_next/.a': '', 'e\u0301': 'nfd' }, {}],
  'permissions, orientation, and colors': [
    {
      ...withConfig(
        '<plugin name="cordova-plugin-media"/><plugin name="cordova-plugin-geolocation"/>' +
          '<preference name="Orientation" value="landscape"/><preference name="StatusBarBackgroundColor" value="#123"/>',
      ),
      'app.js': 'navigator.mediaDevices.getUserMedia({ video: true })',
    },
    {},
    ...['INTERNET', 'ACCESS_NETWORK_STATE', 'VIBRATE', 'CAMERA', 'RECORD_AUDIO', 'ACCESS_FINE_LOCATION'].map(
      (name) => new RegExp(`uses-permission: name='android\\.permission\\.${name}'`),
    ),
    /uses-feature-not-required: name='android\.hardware\.camera'/,
    /uses-feature-not-required: name='android\.hardware\.location\.gps'/,
    /uses-implied-feature: name='android\.hardware\.screen\.landscape'/,
  ],
};

/** The light and the dark theme in the output of `aapt dump --values resources`. */
const THEMES =
  /config \(default\):\s+resource .*AppTheme: <bag>\s+Parent=0x01030241[^]*config night-v8:\s+resource .*AppTheme: <bag>\s+Parent=0x0103022e/;

/** Documents of the golden packages in the output of `aapt dump xmltree`. */
const DOCUMENTS: Readonly<Record<string, RegExp>> = {
  'AndroidManifest.xml': new RegExp(
    [
      'android:icon\\(0x01010002\\)=@0x7f010000',
      'android:supportsRtl\\(0x010103af\\)=\\(type 0x12\\)0xffffffff',
      'android:fullBackupContent\\(0x010104eb\\)=@0x7f040000',
      'android:dataExtractionRules\\(0x0101063e\\)=@0x7f040001',
      'android:enableOnBackInvokedCallback\\(0x0101066c\\)=\\(type 0x12\\)0xffffffff',
      'E: intent-filter .*\\n.*android:autoVerify\\(0x010104ee\\)=\\(type 0x12\\)0xffffffff',
      'android:scheme\\(0x01010027\\)="https".*\\n.*android:host\\(0x01010028\\)="golden.example".*\\n.*android:pathPattern\\(0x0101002c\\)="/a/.\\*"',
      'E: provider .*\\n.*appbuild.shell.AppFiles.*\\n.*android:exported\\(0x01010010\\)=\\(type 0x12\\)0x0\\n.*="com.example.golden.files".*\\n.*android:grantUriPermissions\\(0x0101001b\\)=\\(type 0x12\\)0xffffffff',
    ].join('[^]*'),
  ),
  // A fraction of 1/6 (Res_value: 0x155555 / 2^23).
  'res/icon.xml':
    /E: adaptive-icon[^]*E: background.*\n.*drawable.*=@0x7f030000[^]*E: foreground.*\n.*E: inset.*\n.*drawable.*=@0x7f010001\n.*android:inset\(0x010104b5\)=\(type 0x6\)0x15555530[^]*E: monochrome.*\n.*E: inset.*\n.*drawable.*=@0x7f010002/,
  'res/full_backup.xml': /E: full-backup-content.*\n.*E: exclude.*\n.*A: domain="root".*\n.*A: path="app_webview"/,
  'res/extraction_rules.xml':
    /E: data-extraction-rules.*\n.*E: cloud-backup.*\n.*E: exclude.*\n.*"root".*\n.*"app_webview"[^]*E: device-transfer.*\n.*E: exclude.*\n.*"root".*\n.*"app_webview"/,
};

/** Resources of the golden packages in the output of `aapt2 dump resources`. */
const RESOURCES = new RegExp(
  [
    'color/icon\\n +\\(\\) #ffffffff',
    'mipmap/icon\\n +\\(xxxhdpi-v4\\) \\(file\\) res/icon.png type=PNG\\n +\\(anydpi-v26\\) \\(file\\) res/icon.xml type=XML',
    'mipmap/picture\\n.*res/icon.png',
    'mipmap/monochrome\\n.*res/monochrome.png',
    'style/AppTheme\\n +\\(\\) \\(style\\) size=4 parent=0x01030241',
    '0x0101062c=#ffffffff',
    '\\(night-v8\\) \\(style\\) size=4 parent=0x0103022e',
    'xml/full_backup\\n +\\(\\) \\(file\\) res/full_backup.xml type=XML',
  ].join('[^]*'),
);

/** Checks the packages that the unit tests compare by their digests. */
async function golden(checks: Checks, folder: string): Promise<void> {
  const { privateKey, certificates } = openedKey('openssl.p12', 'release');
  const signer = { privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }), certificates };
  for (const what of ['signed', 'large'] as const) {
    const apk = path.join(folder, `${what}.apk`);
    await writeArchive(apk, goldenEntries(what === 'large'), signer, new AbortController().signal);
    const digest = hash('sha256', await readFile(apk));
    checks.is(digest === GOLDEN_DIGESTS[what], `${what}: the digest is ${digest}`);
    await checkWithTools(checks, what, apk);
    await checkBadging(checks, what, apk, [
      /package: name='com\.example\.golden' versionCode='10203' versionName='1\.2\.3'/,
      /application-label:'Golden größe'/,
      /sdkVersion:'24'\ntargetSdkVersion:'36'/,
      /uses-permission: name='android\.permission\.RECORD_AUDIO'/,
      /launchable-activity: name='appbuild\.shell\.MainActivity' {2}label='Gold'/,
    ]);
    for (const [name, document] of Object.entries(DOCUMENTS)) {
      const said = await readOutput('aapt', 'dump', 'xmltree', apk, name);
      checks.is(document.test(said), `${what}: aapt reads ${name} as ${said}`);
    }
    const resources = await readOutput('aapt2', 'dump', 'resources', apk);
    checks.is(RESOURCES.test(resources), `${what}: aapt2 reads the resources ${resources}`);
  }
}

async function corners(checks: Checks, folder: string): Promise<void> {
  for (const [what, [files, app, ...badging]] of Object.entries(CORNERS)) {
    const apk = await build(folder, files, { app: { ...testApp, ...app } });
    await checkWithTools(checks, what, apk);
    await checkBadging(checks, what, apk, [
      ...badging,
      /sdkVersion:'24'\ntargetSdkVersion:'36'/,
      /launchable-activity: name='appbuild\.shell\.MainActivity'/,
    ]);
  }
}

async function checkBadging(checks: Checks, what: string, apk: string, badging: readonly RegExp[]): Promise<void> {
  const said = await readOutput('aapt', 'dump', 'badging', apk);
  for (const expected of badging) {
    checks.is(expected.test(said), `${what}: aapt doesn’t report ${String(expected)}: ${said}`);
  }
  const resources = await readOutput('aapt', 'dump', '--values', 'resources', apk);
  checks.is(THEMES.test(resources), `${what}: aapt reads no dark theme: ${resources}`);
}

/**
 * Checks that the manifest contains the plugins' requirements, and that the dexes contain each class in the manifest
 * and the settings.
 */
async function everyPlugin(checks: Checks, folder: string): Promise<void> {
  const plugins = getNativePlugins(NATIVE_PLUGINS);
  const apk = await build(folder, pageWithPlugins());
  await checkWithTools(checks, 'every plugin', apk);
  const permissions = new Set(plugins.flatMap((plugin) => plugin.permissions));
  await checkBadging(
    checks,
    'every plugin',
    apk,
    Array.from(permissions, (name) => new RegExp(`uses-permission: name='android\\.permission\\.${name}'`)),
  );
  const manifest = await readOutput('aapt2', 'dump', 'xmltree', '--file', 'AndroidManifest.xml', apk);
  const named = Array.from(manifest.matchAll(/="(appbuild\.shell\.[\w$]+)" \(Raw/g), ([, name = '']) => name);
  for (const { name, actions } of plugins.flatMap((plugin) => plugin.receivers)) {
    const receiver = manifest
      .split(/^ +E: (?=receiver|provider|activity)/m)
      .find((part) => part.includes(`"appbuild.shell.${name}"`));
    const isThere = receiver?.startsWith('receiver') === true && receiver.includes('exported(0x01010010)=false');
    checks.is(isThere && actions.every((action) => receiver.includes(`"${action}"`)), `${name}: ${manifest}`);
  }
  const queries = /^ +E: queries[^]*?(?=^ +E: application)/m.exec(manifest)?.[0] ?? '';
  for (const query of plugins.flatMap((plugin) => plugin.queries)) {
    const [action = '', data] = query.split(':');
    checks.is(
      queries.includes(`"${action}"`) && (data === undefined || queries.includes(`"${data}"`)),
      `${query}: ${queries}`,
    );
  }
  const classes = new Set<string>();
  const entries = await readEntries(await readFile(apk));
  const dexes = entries.filter(({ utf8Name }) => /^classes\d*\.dex$/.test(utf8Name));
  const families = new Set(plugins.map(({ family }) => family));
  const shared = new Set(plugins.flatMap(({ uses }) => uses));
  checks.is(
    dexes.length === families.size + shared.size + 2,
    `it has the dexes ${dexes.map(({ utf8Name }) => utf8Name).join()}`,
  );
  for (const [index, { utf8Name, content }] of dexes.entries()) {
    // Android reads them in order and stops at the first missing number.
    checks.is(utf8Name === `classes${index === 0 ? '' : index + 1}.dex`, `${utf8Name} is the dex ${index + 1}`);
    const dex = path.join(folder, utf8Name);
    await writeFile(dex, content);
    const text = await readOutput('dexdump', dex);
    for (const [, name = ''] of text.matchAll(/^ {2}Class descriptor {2}: 'L(.*);'$/gm)) {
      checks.is(!classes.has(name), `two dexes contain ${name}`);
      classes.add(name);
    }
  }
  for (const name of [...named, ...Array.from(families, (family) => `appbuild.shell.${family}`)]) {
    checks.is(classes.has(name.replaceAll('.', '/')), `no dex contains ${name}`);
  }
}

async function large(checks: Checks, folder: string): Promise<void> {
  const small = Array.from(
    { length: 20_000 },
    (_, index) => [`f/${index % 100}/${index}.txt`, 'x'.repeat(600)] as const,
  );
  await checkWithTools(checks, '20,000 files', await build(folder, { ...PAGE, ...Object.fromEntries(small) }));
  const job = await testJob(folder, {}, { ...PAGE, 'random.jpg': randomBytes(50_000_000), 'clip.mp4': '' });
  await truncate(path.join(job.source.folder, 'clip.mp4'), 150_000_000);
  await checkWithTools(checks, '200 MB', await buildJob(job));
}

async function signed(checks: Checks, folder: string): Promise<void> {
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
      checks.is(/contains a key of type “(?:DSA|ED25519)”/.test(apk), `${name}: ${apk}`);
    } else {
      const said = await readOutput('apksigner', 'verify', '--print-certs', '--verbose', apk);
      const digest = /certificate SHA-256 digest: (\w+)/.exec(said)?.[1];
      checks.is(digest === certificate, `${name}: ${issuers.length} issuers, ${said}`);
    }
  }
}

/** Checks that apksigner rejects modified packages. @param folder folder for these packages */
async function tampered(checks: Checks, folder: string): Promise<void> {
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
    checks.is(await isRefused(folder, changed), `a changed bit of ${what} isn’t rejected`);
  }
  checks.is(await isRefused(folder, Buffer.concat([bytes, Buffer.of(0)])), 'an additional byte isn’t rejected');
  checks.is(await isRefused(folder, bytes.subarray(0, -1)), 'a missing byte isn’t rejected');
  checks.is(!(await isRefused(folder, bytes)), 'the unchanged package is rejected');
}

async function isRefused(folder: string, bytes: Buffer): Promise<boolean> {
  const file = path.join(folder, `${hash('sha256', bytes)}.apk`);
  await writeFile(file, bytes);
  return readOutput('apksigner', 'verify', file).then(
    () => false,
    () => true,
  );
}

async function checkWithTools(checks: Checks, what: string, apk: string): Promise<void> {
  for (const sdk of ['24', '28', '36']) {
    const verified = await readOutput('apksigner', 'verify', '--verbose', '--min-sdk-version', sdk, apk);
    checks.is(/^Verifies$/m.test(verified), `${what}: apksigner from ${sdk} on: ${verified}`);
  }
  const both = await readOutput('apksigner', 'verify', '--verbose', apk);
  checks.is(/v2 scheme .*: true\n.*v3 scheme .*: true/.test(both), `${what}: ${both}`);
  const aligned = await readOutput('zipalign', '-c', '-v', '4', apk);
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
