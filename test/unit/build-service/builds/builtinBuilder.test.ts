import assert from 'node:assert/strict';
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import ApkReader, { type ApkReaderNode } from '@devicefarmer/adbkit-apkreader';

import type { BuildJob, BuildResult } from '../../../../src/build-service/builds/builder.ts';
import { uint32 } from '../../../../src/android-package/resources/bytes.ts';
import { getCertificate, getContent, verifyApk, type VerifiedApk } from '../../../support/apk/verifyApk.ts';
import { testApp, testJob, testKey } from '../../../support/buildJob.ts';
import { PAGE } from '../../../support/builds.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { openedKey } from '../../../support/openedKeys.ts';
import { KEY_PASSWORDS, keyFile } from '../../../support/signingKeys.ts';
import { artifactName } from '../../../../src/android-package/index.ts';
import { createBuiltinBuilder } from '../../../../src/build-service/builds/builtinBuilder.ts';

type Files = Readonly<Record<string, string | Buffer>>;

/** Preferences for background colors. The icon uses only the first one. */
const BACKGROUNDS = ['BackgroundColor', 'SplashScreenBackgroundColor', 'StatusBarBackgroundColor'];
const NAME = '<name>Shop</name>';
/** Permissions that Android grants without asking the user. */
const FREE = ['INTERNET', 'ACCESS_NETWORK_STATE', 'VIBRATE'];
/** Android's themes, by their `isLightTheme`. */
const [LIGHT_THEME, DARK_THEME] = [0x01030241, 0x0103022e];
const WHITE_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe('local service: the built-in builder', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  /** Builds these files. */
  async function build(
    files: Files,
    values: Partial<BuildJob> = {},
    dataFolder?: string,
  ): Promise<{
    readonly fileName: string;
    readonly bytes: Buffer;
    readonly apk: VerifiedApk;
    readonly fingerprints: BuildResult['fingerprints'];
    readonly log: readonly string[];
  }> {
    const job = await testJob(folder, values, files);
    const log: string[] = [];
    const builder = createBuiltinBuilder(dataFolder);
    const built = await builder.build(job, (line) => log.push(line), new AbortController().signal);
    const bytes = await readFile(built.path);
    return { ...built, fingerprints: built.fingerprints, bytes, apk: await verifyApk(bytes), log };
  }

  const config = (body: string, attributes = ''): Files => ({
    ...PAGE,
    'config.xml': `<widget id="com.example.shop" version="1.2.3"${attributes}>${NAME}${body}</widget>`,
  });
  const getNames = ({ entries }: VerifiedApk): readonly string[] => entries.map(({ name }) => name);
  const getShell = (apk: VerifiedApk): Readonly<Record<string, unknown>> =>
    JSON.parse(getContent(apk, 'assets/shell.json').toString()) as Readonly<Record<string, unknown>>;
  const allowsHttp = (apk: VerifiedApk): unknown => [
    apk.manifest.application.usesCleartextTraffic,
    getShell(apk).mixedContent,
  ];
  const activity = ({ manifest }: VerifiedApk) => only(manifest.application.activities);

  it('packs the shell and the pages, without config.xml, for Android 7 and later', async () => {
    const { apk, fileName, log } = await build({
      'home/me/config.xml': `<widget id="com.my-shop.app" version="1.2.3">${NAME}</widget>`,
      'home/me/www/index.html': 'page',
      'home/me/www/_next/a.js': 'x'.repeat(1000),
      'home/me/www/.well-known/b.json': '',
      'home/me/www/größe 日本.txt': 'size',
      'home/me/secret.txt': 'not packed',
    });
    assert.equal(fileName, 'Shop-1.2.3-test.apk');
    assert.deepEqual(getNames(apk), [
      ...['AndroidManifest.xml', 'resources.arsc', 'res/icon.xml', 'res/full_backup.xml', 'res/extraction_rules.xml'],
      ...['res/icon.png', 'classes.dex', 'assets/shell.json', 'assets/shell.js'],
      ...['.well-known/b.json', '_next/a.js', 'größe 日本.txt', 'index.html', 'cordova.js', 'phonegap.js'].map(
        (name) => `assets/www/${name}`,
      ),
    ]);
    assert.equal(getContent(apk, 'assets/www/index.html').toString(), 'page');
    assert.equal(apk.entries.find(({ name }) => name.endsWith('a.js'))?.isStored, false);
    assert.match(log.join('\n'), /\n4 files packed\. The app runs on Android 7 and later\.\n.*test key/);
    const { manifest } = apk;
    assert.equal(manifest.package, 'com.my_shop.app');
    assert.ok(log.includes('ID com.my-shop.app: Android doesn’t allow hyphens, so the ID is com.my_shop.app there.'));
    assert.deepEqual({ ...manifest.usesSdk }, { minSdkVersion: 24, targetSdkVersion: 36 });
    assert.deepEqual([manifest.versionCode, manifest.versionName], [10203, '1.2.3']);
  });

  it('accepts only a host name as the Hostname, because the shell builds the app’s origin from it', async () => {
    const getHostname = async (value: string): Promise<unknown> =>
      getShell((await build(config(`<preference name="Hostname" value="${value}"/>`))).apk).hostname;
    assert.equal(await getHostname('app.example'), 'app.example');
    for (const value of ['evil.example/', 'a@evil.example', 'a:80', '-a', 'a b', 'a'.repeat(101)]) {
      assert.equal(await getHostname(value), 'localhost', value);
    }
  });

  it('accepts a single page, uses the app’s fields at the service, and serves index.html for client-side routes', async () => {
    const title = `Ünïcödé 日本 😀 & "q" <b> @string/x\n${'a'.repeat(200)}`;
    const { apk, log } = await build(PAGE, { app: { ...testApp, title } });
    assert.ok(
      log.includes('config.xml doesn’t specify an ID, so the app keeps its ID at the service: com.example.app.'),
    );
    assert.ok(!(await build(config(''))).log.join().includes('specify an ID'));
    assert.equal(apk.manifest.package, 'com.example.app');
    const label = apk.manifest.application.label;
    assert.equal(label, `Ünïcödé 日本 😀 & "q" <b> @string/x ${'a'.repeat(200)}`.slice(0, 101));
    assert.equal(Array.from(label).length, 100);
    assert.deepEqual([getShell(apk).start, getShell(apk).fallback], ['', 'index.html']);
  });

  it('treats a blank ID or version as missing', async () => {
    const blank = `<widget id=" " version=" ">${NAME}</widget>`;
    const { apk, log } = await build({ ...PAGE, 'config.xml': blank });
    assert.deepEqual([apk.manifest.package, apk.manifest.versionName], [testApp.package, testApp.version]);
    assert.match(log.join(), /config\.xml doesn’t specify an ID/);
  });

  it('gives the package a name that every file system accepts', () => {
    assert.equal(artifactName('Café – Queue', '1.0'), 'Cafe-Queue-1.0');
    assert.equal(artifactName('珈琲', '../..'), 'app');
    assert.equal(artifactName(`../${'a'.repeat(500)}`, '"\r\n'), 'a'.repeat(100));
  });

  it('doesn’t add Cordova scripts if the app has its own', async () => {
    const { apk } = await build({ ...PAGE, 'cordova.js': 'mine', 'phonegap.js': 'mine, too' });
    assert.equal(getContent(apk, 'assets/www/cordova.js').toString(), 'mine');
    assert.equal(new Set(getNames(apk)).size, getNames(apk).length);
  });

  it('adds its script to pages for Capacitor plugins, except pages in UTF-16, and logs a warning about those', async () => {
    const page = '<!doctype html><head lang="en"><title>ä</title></head>';
    const tag = '<script src="/capacitor-native.js"></script>';
    const wide = Buffer.from(`\uFEFF${page}`, 'utf16le');
    const wideBigEndian = Buffer.from(wide).swap16();
    const latin = Buffer.from(page, 'latin1');
    const files = { 'utf8.html': page, 'latin.html': latin, 'wide.html': wide, 'a/wide.htm': wideBigEndian };
    const { apk, log } = await build({ ...config('<plugin name="@capacitor/core"/>'), ...files });
    const packed = (name: string): Buffer => getContent(apk, `assets/www/${name}`);
    const added = page.replace('<title>', `${tag}<title>`);
    assert.equal(packed('utf8.html').toString(), added);
    assert.deepEqual(packed('latin.html'), Buffer.from(added, 'latin1'));
    assert.deepEqual([packed('wide.html'), packed('a/wide.htm')], [wide, wideBigEndian]);
    assert.match(
      packed('capacitor-native.js').toString(),
      /^appBuildCapacitor\(\{"CapacitorHttp":\["request",.*\}\);$/m,
    );
    assert.deepEqual(
      log.filter((line) => line.includes('UTF-16')).toSorted(),
      ['a/wide.htm', 'wide.html'].map(
        (name) => `Warning: www/${name} is in UTF-16, so it can’t use the native code of plugins. Save it as UTF-8.`,
      ),
    );
  });

  it('adds its script to pages for Cordova plugins if no page loads cordova.js, because Capacitor would add cordova.js', async () => {
    const tag = '<script src="/capacitor-native.js"></script>';
    const other = async (page: string, files: Files = { 'cordova_plugins.js': '' }): Promise<string> => {
      const named = config('<plugin name="cordova-plugin-device"/>');
      const { apk } = await build({ ...named, ...files, 'index.html': page, 'a.html': '<p>' });
      return getContent(apk, 'assets/www/a.html').toString();
    };
    assert.equal(await other('<p>'), `${tag}<p>`);
    assert.equal(await other('<script src=cordova.js></script>'), '<p>');
    assert.equal(await other('<script src="../phonegap.js"></script>'), '<p>');
    assert.equal(await other('<p>', {}), '<p>');
  });

  const fullscreen = (value: boolean): string => preference('Fullscreen', String(value));
  const plugin = (name: string): string => `<plugin name="${name}"/>`;
  const WITH_LOCATION = [...FREE, 'ACCESS_COARSE_LOCATION', 'ACCESS_FINE_LOCATION'];
  const EDIT_MANIFEST =
    '<edit-config file="app/src/main/AndroidManifest.xml" mode="merge" target="/manifest/application">' +
    '<application xmlns:android="http://schemas.android.com/apk/res/android" android:usesCleartextTraffic="true"/></edit-config>';
  /** Shell settings for a config.xml. */
  const SHELL_SETTINGS: readonly (readonly [body: string, settings: Readonly<Record<string, unknown>>])[] = [
    ['', { fallback: '', hostname: 'localhost', scheme: 'https', fullscreen: false, mixedContent: false }],
    [fullscreen(true), { fullscreen: true }],
    [preference('FullscreenNotImmersive', 'true'), { fullscreen: true }],
    [
      `<platform name="android">${fullscreen(true)}</platform>${fullscreen(false)}<platform name="ios">${fullscreen(false)}</platform>`,
      { fullscreen: true },
    ],
    [
      preference('BackgroundColor', '0xff102030'),
      { background: 0x102030 - 2 ** 24, statusBar: 0x102030 - 2 ** 24, darkStatusText: false },
    ],
    [preference('StatusBarBackgroundColor', '#000000'), { statusBar: -(2 ** 24), darkStatusText: false }],
    [
      preference('StatusBarBackgroundColor', '#000') + preference('StatusBarStyle', 'darkcontent'),
      { darkStatusText: true },
    ],
    [preference('Scheme', 'http') + preference('hostname', 'app.example'), { scheme: 'http', hostname: 'app.example' }],
    [
      preference('OverrideUserAgent', 'A/1') + preference('AppendUserAgent', 'B/2'),
      { userAgent: 'A/1', appendUserAgent: 'B/2' },
    ],
    [preference('InspectableWebview', 'true'), { inspectable: true }],
    [preference('MediaPlaybackRequiresUserAction', 'true'), { gestureForMedia: true }],
    [
      '<allow-navigation href="https://*.example.com/*"/><allow-intent href="tel:*"/>',
      { navigation: ['https://*.example.com/*'], intents: ['tel:*'] },
    ],
    ['<content src="index.html?a=b#c"/>', { start: '?a=b#c' }],
    ['<content src="./pages/start.html"/>', { start: 'pages/start.html' }],
    [
      '<content src="https://app.example.com/start"/>',
      { start: 'https://app.example.com/start', navigation: ['https://app.example.com/*'] },
    ],
    [preference('FallbackPage', 'index.html'), { fallback: 'index.html' }],
    [preference('FallbackPage', '../a'), { fallback: '' }],
  ];
  for (const [body, settings] of SHELL_SETTINGS) {
    it(`passes ${JSON.stringify(settings)} to the shell`, async () => {
      const { apk } = await build({ ...config(body), 'pages/start.html': '' });
      assert.partialDeepStrictEqual(getShell(apk), settings);
    });
  }

  /** config.xml with the resulting parts of the package. */
  const SETTINGS: Readonly<
    Record<string, readonly [body: string, read: (apk: VerifiedApk) => unknown, value: unknown]>
  > = {
    '<name short>': ['<x/>', (apk) => activity(apk).label, 'Shop'],
    Orientation: [preference('orientation', 'Landscape'), (apk) => activity(apk).screenOrientation, 0],
    'Orientation default': [preference('Orientation', 'default'), (apk) => activity(apk).screenOrientation, undefined],
    AndroidLaunchMode: [preference('AndroidLaunchMode', 'singleInstance'), (apk) => activity(apk).launchMode, 3],
    'launch mode without AndroidLaunchMode': ['', (apk) => activity(apk).launchMode, 1],
    'configuration changes that the page handles': ['', (apk) => activity(apk).configChanges, 0xd000fffc | 0],
    'android-minSdkVersion': [preference('android-minSdkVersion', '26'), getMinSdk, 26],
    'android-minSdkVersion below 24': [preference('android-minSdkVersion', '19'), getMinSdk, 24],
    'android-minSdkVersion that is too high': [preference('android-minSdkVersion', '40'), getMinSdk, 36],
    'android-targetSdkVersion': [preference('android-targetSdkVersion', '34'), getTargetSdk, 34],
    'android-targetSdkVersion that is too low': [preference('android-targetSdkVersion', '33'), getTargetSdk, 36],
    'android-targetSdkVersion that is too high': [preference('android-targetSdkVersion', '37'), getTargetSdk, 36],
    'a provider for shared files': [
      '',
      ({ manifest }) =>
        manifest.application.providers.map(({ name, authorities, exported }) => [name, authorities, exported]),
      [['appbuild.shell.AppFiles', 'com.example.shop.files', false]],
    ],
    'receivers of plugins, which other apps can’t reach': [
      '<plugin name="cordova-plugin-local-notification"/><plugin name="@capacitor/local-notifications"/>',
      ({ manifest }) =>
        manifest.application.receivers.map(({ name, exported, intentFilters }) => [
          name,
          exported,
          intentFilters.map(({ actions }) => actions.map((action) => action.name)),
        ]),
      [
        [
          'appbuild.shell.LocalNotifications$Alarms',
          false,
          [
            [
              'android.intent.action.BOOT_COMPLETED',
              'android.intent.action.MY_PACKAGE_REPLACED',
              'android.intent.action.TIMEZONE_CHANGED',
              'android.intent.action.TIME_SET',
              'android.app.action.SCHEDULE_EXACT_ALARM_PERMISSION_STATE_CHANGED',
            ],
          ],
        ],
      ],
    ],
    'no receivers without those plugins': ['', ({ manifest }) => manifest.application.receivers, []],
    'dependencies of a plugin': [
      '<plugin name="cordova-plugin-local-notification"/>',
      (apk) => getShell(apk).plugins,
      ['LocalNotifications', 'Device'],
    ],
    'back gestures and right-to-left layouts': [
      '',
      ({ manifest: { application } }) => [application.enableOnBackInvokedCallback, application.supportsRtl],
      [true, true],
    ],
    'links that open the app': [
      '<universal-links><host name="shop.example" scheme="https"><path url="/offers/*"/></host></universal-links>',
      (apk) =>
        activity(apk).intentFilters.map(({ autoVerify, actions, categories, data }) => [
          autoVerify,
          [...actions, ...categories].map(({ name }) => name.replace(/^android\.intent\.(?:action|category)\./, '')),
          data.map((each) => ({ ...each })),
        ]),
      [
        [undefined, ['MAIN', 'LAUNCHER'], []],
        [
          true,
          ['VIEW', 'DEFAULT', 'BROWSABLE'],
          [{ scheme: 'https', host: 'shop.example', pathPattern: '/offers/.*' }],
        ],
      ],
    ],
    'the color behind the icon': [
      ['#123', '#222', '#333'].map((color, index) => preference(BACKGROUNDS[index] ?? '', color)).join(''),
      (apk) => getContent(apk, 'resources.arsc').includes(uint32(0xff112233)),
      true,
    ],
    'day and night themes': ['', (apk) => hasThemes(apk, 0xffffffff, 0xffffffff, true), true],
    BackgroundColor: [
      preference('BackgroundColor', '#123'),
      (apk) => hasThemes(apk, 0xff112233, 0xff112233, false),
      true,
    ],
    SplashScreenBackgroundColor: [
      preference('BackgroundColor', '#fff') + preference('SplashScreenBackgroundColor', '#80000000'),
      (apk) => hasThemes(apk, 0x80000000, 0xffffffff, true),
      true,
    ],
    'no http: origin': ['<access origin="*"/>', allowsHttp, [false, false]],
    'an http: origin': ['<access origin="http://api.example.com"/>', allowsHttp, [true, true]],
    'a start page at an http: address': ['<content src="http://app.example.com/"/>', allowsHttp, [true, true]],
    'a plugin that allows cleartext': [plugin('cordova-plugin-cleartext'), allowsHttp, [true, true]],
    'cleartext in the manifest': [`<platform name="android">${EDIT_MANIFEST}</platform>`, allowsHttp, [true, true]],
    'cleartext in the manifest, in PhoneGap Build’s syntax': [
      '<gap:config-file platform="android" parent="/manifest" xmlns:gap="http://phonegap.com/ns/1.0">' +
        '<application android:usesCleartextTraffic="true" xmlns:android="http://schemas.android.com/apk/res/android"/></gap:config-file>',
      allowsHttp,
      [true, true],
    ],
    'cleartext for another platform, or forbidden': [
      `<platform name="ios">${EDIT_MANIFEST}</platform>${EDIT_MANIFEST.replace('"true"', '"false"')}`,
      allowsHttp,
      [false, false],
    ],
    'the permissions of every app': ['', getPermissions, FREE],
    'geolocation under its pre-2015 name': [plugin('org.apache.cordova.geolocation'), getPermissions, WITH_LOCATION],
  };
  for (const [what, [body, read, value]] of Object.entries(SETTINGS)) {
    it(`applies config.xml: ${what}`, async () => {
      assert.deepEqual(read((await build(config(body))).apk), value);
    });
  }

  const CODES: Readonly<Record<string, readonly [version: string, attributes: string, code: number]>> = {
    'two digits per part': ['12.3.4', '', 120_304],
    'no digits for a fourth part': ['1.2.3.4', '', 10_203],
    'the numbers before a suffix': ['1.5.0-beta.2', '', 10_500],
    'one for version 0': ['0', '', 1],
    'android-versionCode, if given': ['1.0.0', ' android-versionCode="2100000000"', 2_100_000_000],
    'at least 1': ['1.0.0', ' android-versionCode="0"', 1],
  };
  for (const [what, [version, attributes, code]] of Object.entries(CODES)) {
    it(`derives the version code from the version: ${what}`, async () => {
      const xml = `<widget id="a.b" version="${version}"${attributes} android-packageName="org.example.other">${NAME}</widget>`;
      const { apk, log } = await build({ ...PAGE, 'config.xml': xml });
      assert.equal(apk.manifest.versionCode, code);
      assert.match(log.join('\n'), new RegExp(`^Version code ${code}, from `, 'm'));
      assert.equal(apk.manifest.versionName, version);
      assert.equal(apk.manifest.package, 'org.example.other');
    });
  }

  /** Version codes by version, for an app whose earlier Google Play package has 10203. */
  const LATER_CODES: readonly (readonly [version: string, attributes: string, code: number, log: string])[] = [
    ['1.2.2', '', 10_204, ': the version gives 10202, and an earlier package for Google Play has 10203.'],
    ['1.2.3', '', 10_204, ': the version gives 10203, and an earlier package for Google Play has 10203.'],
    ['1.2.4', '', 10_204, ', from the version.'],
    ['1.2.5', '', 10_205, ', from the version.'],
    ...[7, 10_203].map((code): [string, string, number, string] => [
      ...(['1.2.3', ` android-versionCode="${code}"`, code] as const),
      ', from android-versionCode. An earlier package for Google Play has 10203. If Google Play has that package, increase android-versionCode.',
    ]),
    ['1.2.3', ' android-versionCode="10204"', 10_204, ', from android-versionCode.'],
  ];
  async function release(attributes: string, lastVersionCode: number): ReturnType<typeof build> {
    const keystore = join(folder, 'keystore');
    await writeFile(keystore, keyFile('keytool-rsa.p12'));
    const { keystore: keystore_pw, key: key_pw } = KEY_PASSWORDS['keytool-rsa.p12'];
    const key = { key: { ...testKey, alias: 'release' }, files: { keystore }, passwords: { keystore_pw, key_pw } };
    const xml = `<widget id="a.b" ${attributes}>${NAME}</widget>`;
    return build({ ...PAGE, 'config.xml': xml }, { key, lastVersionCode });
  }
  for (const [version, attributes, code, text] of LATER_CODES) {
    it(`chooses a version code after an earlier Google Play package: version ${version}${attributes}`, async () => {
      const { apk, log } = await release(`version="${version}"${attributes}`, 10_203);
      assert.equal(apk.manifest.versionCode, code);
      assert.ok(log.includes(`Version code ${code}${text}`), log.join('\n'));
    });
  }

  it('rejects a build whose version code would exceed the maximum', async () => {
    await assert.rejects(release('version="1.2.3"', 2_100_000_000), {
      name: 'BuildError',
      message: /has 2100000000, the highest that Android allows\. .* set a lower android-versionCode on <widget>/,
    });
  });

  const REFUSED: Readonly<Record<string, readonly [Files, Partial<BuildJob>, RegExp]>> = {
    'is for iOS': [PAGE, { platform: 'ios' }, /^iOS apps require a Mac with Xcode and the Cordova engine/],
    'is for Windows Phone': [PAGE, { platform: 'winphone' }, /^Windows Phone is discontinued/],
    'has no index.html': [{ 'www/start.html': '' }, {}, /^The app doesn’t have an index\.html/],
    'has a broken config.xml': [{ ...PAGE, 'config.xml': '<widget>' }, {}, /^Malformed config\.xml: /],
    'has an identifier that Android rejects': [
      { ...PAGE, 'config.xml': `<widget id="com.example.new" version="1">${NAME}</widget>` },
      {},
      /^Invalid application identifier “com\.example\.new”/,
    ],
    'has a version code that is too high': [
      { ...PAGE, 'config.xml': `<widget id="a.b" version="300000.0.0">${NAME}</widget>` },
      {},
      /^Invalid version “300000\.0\.0”: it results in android-versionCode 3000000000, .* Set android-versionCode on <widget>/,
    ],
    'calls a plugin whose native code the package lacks': [
      {
        ...config('<plugin name="cordova-plugin-admob-free" spec="^0.27.0"/>'),
        'app.js': '\nadmob.banner.show()',
      },
      {},
      /^Plugin not supported: cordova-plugin-admob-free \(www\/app\.js:2\)\. .* Remove the plugin and its calls from the app, or run “Install Engine…” to install the plugin/,
    ],
    'calls a plugin that npm doesn’t have': [
      { ...config('<plugin name="com.example.very.own"/>'), 'app.js': 'plugins.own.go()' },
      {},
      /^Plugin not supported: com\.example\.very\.own \(www\/app\.js:1\)\. .*, or build it with Cordova’s own tools\.$/,
    ],
    'has a locked key': [
      PAGE,
      { key: { key: { ...testKey, locked: true }, files: {}, passwords: undefined } },
      /^The signing key “Key” is locked\. Unlock it first\.$/,
    ],
  };
  for (const [what, [files, values, message]] of Object.entries(REFUSED)) {
    it(`rejects an app that ${what}`, () => assert.rejects(build(files, values), { message }));
  }

  it('logs how plugins work in the package, including plugins with pre-2015 names and plugins that the pages never call', async () => {
    const { apk, log } = await build({
      ...config(
        '<platform name="ios"><plugin name="cordova-plugin-media"/></platform>' +
          [
            ...['cordova-plugin-whitelist', 'cordova-plugin-vibration', 'org.apache.cordova.geolocation'],
            ...['cordova-plugin-compat', 'cordova-plugin-ios-camera-permissions', 'com.ionic.keyboard'],
            ...['phonegap-plugin-push', 'cordova-plugin-ble-central', 'cordova-plugin-contacts'],
          ]
            .map((name) => `<plugin name="${name}"/>`)
            .join('') +
          '<plugin name="Geolocation" value="org.apache.cordova.GeoBroker"/>',
      ),
      'app.js': 'if (window.ble) {\n  ble.scan([], 5);\n}\n// PushNotification.init({});',
      'lib/phonegap-plugin-push.js': 'PushNotification = {};',
    });
    assert.deepEqual(
      log.filter((line) => /^(?:Plugin|Warning|config\.xml)/.test(line)),
      [
        'Plugin cordova-plugin-vibration: pages use the web’s navigator.vibrate. Run “npm install” in the project and build again to get all of it.',
        'Plugin org.apache.cordova.geolocation: pages use the web’s navigator.geolocation. Run “npm install” in the project and build again to get all of it.',
        'Plugin cordova-plugin-compat: it only supports Cordova’s build, so the app doesn’t need it.',
        'Plugin cordova-plugin-ios-camera-permissions: it’s only for iOS, so the app doesn’t need it.',
        'Plugin com.ionic.keyboard: the phone’s keyboard works without it. Keyboard isn’t available. Run “npm install” in the project and build again to get all of it.',
        'Plugin phonegap-plugin-push: it isn’t in this package. The pages don’t appear to call it.',
        'Plugin cordova-plugin-ble-central: it isn’t in this package. The pages call it only where it exists (www/app.js:2).',
        'Plugin cordova-plugin-contacts: its native code is in the package, but not its JavaScript. Run “npm install” in the project and build again.',
        'config.xml: <plugin> has no effect in this package.',
      ],
    );
    assert.ok(getPermissions(apk).includes('ACCESS_FINE_LOCATION'));
  });

  it('reports plugins with native code in the package, and plugins whose JavaScript is missing', async () => {
    const named = [
      'cordova-plugin-camera',
      'cordova-plugin-statusbar',
      'cordova-plugin-splashscreen',
      '@capacitor/share',
    ];
    const body = named.map((name) => `<plugin name="${name}"/>`).join('');
    const notes = async (files: Files): Promise<readonly string[]> =>
      (await build({ ...config(body), ...files })).log.filter((line) => line.startsWith('Plugin'));
    const isThere = 'it’s in the package with its native code.';
    assert.deepEqual(await notes({}), [
      'Plugin cordova-plugin-camera: its native code is in the package, but not its JavaScript. Run “npm install” in the project and build again.',
      'Plugin cordova-plugin-statusbar: the preferences StatusBarBackgroundColor and StatusBarStyle apply. StatusBar isn’t available. ' +
        'Run “npm install” in the project and build again to get all of it.',
      `Plugin @capacitor/share: ${isThere}`,
    ]);
    assert.deepEqual(
      await notes({ 'cordova_plugins.js': '' }),
      named.map((name) => `Plugin ${name}: ${isThere}`),
    );
  });

  it('warns about each call in the pages that the package doesn’t support, with its position', async () => {
    const { log } = await build({
      ...config('<plugin name="cordova-plugin-camera"/><plugin name="cordova-plugin-device"/>'),
      'index.html': '<button onclick="navigator.camera.getPicture()">\n<script>show(device.uuid)</script>',
      'js/app.js':
        'openDatabase("a", "1", "b", 1);\nif (state === Connection.NONE) { a(); }\nnavigator.camera.cleanup();',
      'js/jquery.min.js': 'StatusBar.hide()',
      'cordova.js': 'plugins.toast.show()',
    });
    const lacks = (place: string, call: string, plugin: string): string =>
      `Warning: www/${place}: the pages use ${call} here, which this package doesn’t have (${plugin}).`;
    assert.deepEqual(
      log.filter((line) => line.startsWith('Warning')),
      [
        lacks('index.html:1', 'navigator.camera', 'cordova-plugin-camera'),
        lacks('index.html:2', 'device.uuid', 'cordova-plugin-device'),
        lacks('js/app.js:2', 'Connection.NONE', 'cordova-plugin-network-information'),
      ],
    );
  });

  it('adds WebSQL’s openDatabase to pages that call it', async () => {
    const page = '<!doctype html><head><script src="app.js"></script></head>';
    const { apk } = await build({ 'index.html': page, 'app.js': 'openDatabase("a", "1", "b", 1)' });
    assert.match(
      getContent(apk, 'assets/www/index.html').toString(),
      /<script src="\/capacitor-native\.js"><\/script>[^]*<script src="app\.js">/,
    );
    assert.match(
      getContent(apk, 'assets/www/capacitor-native.js').toString(),
      /cordova\.start\(true, false\);[^]*window\.openDatabase = /,
    );
    assert.ok(getNames(apk).includes('classes2.dex'));
    const other = await build({ 'index.html': page, 'app.js': 'indexedDB.open("a")' });
    assert.equal(getContent(other.apk, 'assets/www/index.html').toString(), page);
    assert.ok(!getNames(other.apk).includes('classes2.dex'));
  });

  it('packs only the classes of the app’s plugins', async () => {
    const getClasses = async (name: string): Promise<readonly string[]> => {
      const { apk } = await build(config(`<plugin name="${name}"/>`));
      const dexes = getNames(apk).filter((file) => file.endsWith('.dex'));
      const text = dexes.map((file) => getContent(apk, file).toString('latin1')).join('');
      const classes = ['Place', 'CordovaFiles', 'Filesystem', 'Requests', 'Transfers', 'AdvancedHttp', 'CapacitorHttp'];
      return classes.filter((each) => text.includes(`${each}.java`));
    };
    assert.deepEqual(await getClasses('cordova-plugin-device'), []);
    assert.deepEqual(await getClasses('cordova-plugin-zip'), ['Place', 'CordovaFiles']);
    assert.deepEqual(await getClasses('@capacitor/core'), ['Place', 'Requests', 'CapacitorHttp']);
  });

  it('warns about a link handler only if no link opens the app', async () => {
    const warnings = async (body: string): Promise<number> => {
      const { log } = await build({ ...config(body), 'app.js': 'function handleOpenURL(url) {}' });
      return log.filter((line) => line.startsWith('Warning')).length;
    };
    assert.equal(await warnings(''), 1);
    assert.equal(await warnings('<universal-links><host name="shop.example"/></universal-links>'), 0);
  });

  it('lists the supported plugins, by all their names', () => {
    const names = createBuiltinBuilder(undefined).plugins?.map(({ name }) => name) ?? [];
    const wanted = ['cordova-plugin-device', 'org.apache.cordova.device', 'com.ionic.keyboard', 'es6-promise-plugin'];
    assert.deepEqual(
      [...wanted, 'phonegap-plugin-push'].filter((name) => names.includes(name)),
      wanted,
    );
  });

  it('reports the unencrypted addresses that the app can’t load', async () => {
    const said = async (body: string): Promise<readonly string[]> => {
      const { log } = await build({ ...config(body), 'app.js': 'fetch("http://api.shop.test/items?key=secret")' });
      return log.filter((line) => line.includes('http:'));
    };
    assert.deepEqual(await said('<access origin="*"/>'), [
      'app.js loads from http://api.shop.test, which isn’t encrypted, so the app can’t load it. Use https:, or allow it with <access origin="http://api.shop.test" /> in config.xml.',
    ]);
    assert.deepEqual(await said('<access origin="http://api.shop.test"/>'), []);
  });

  it('declares other apps that plugins query, and supports phones that can’t make calls', async () => {
    const { bytes, apk } = await build(
      config(
        '<plugin name="cordova-plugin-x-socialsharing"/><plugin name="cordova-plugin-email-composer"/>' +
          '<plugin name="cordova-plugin-safariviewcontroller"/><plugin name="call-number"/>' +
          '<platform name="android"><config-file target="AndroidManifest.xml" parent="/manifest/queries" ' +
          'xmlns:android="http://schemas.android.com/apk/res/android"><package android:name="com.whatsapp"/>' +
          '<intent><action android:name="android.intent.action.VIEW"/><data android:scheme="geo"/></intent>' +
          '<provider android:authorities="x"/><package android:name="a b"/></config-file></platform>',
      ),
    );
    const root = await (await ApkReader.open(bytes)).readXml('AndroidManifest.xml');
    const getText = ({ nodeName, attributes, childNodes }: ApkReaderNode): readonly unknown[] => [
      [nodeName, ...attributes.map(({ name, value }) => `${name}=${value}`)].join(' '),
      ...childNodes.map(getText),
    ];
    assert.deepEqual(root.childNodes.filter(({ nodeName }) => nodeName === 'queries').map(getText), [
      [
        'queries',
        ['intent', ['action name=android.intent.action.SEND'], ['data mimeType=*/*']],
        ['intent', ['action name=android.intent.action.SENDTO'], ['data scheme=mailto']],
        ['intent', ['action name=android.support.customtabs.action.CustomTabsService']],
        ['package name=com.whatsapp'],
        ['intent', ['action name=android.intent.action.VIEW'], ['data scheme=geo']],
      ],
    ]);
    assert.ok(getPermissions(apk).includes('CALL_PHONE'));
    assert.deepEqual(
      apk.manifest.usesFeatures.map(({ name, required }) => [name, required]),
      [['android.hardware.telephony', false]],
    );
  });

  it('declares the permissions that pages and plugins need and config.xml allows, and logs the requesting file', async () => {
    const files: Files = {
      'index.html': '<button onclick="navigator.geolocation.getCurrentPosition(show)">Where</button>',
      'assets/index-1a2b.js': 'navigator.mediaDevices.getUserMedia({audio:!1,video:e})',
      'vendor/recorder.mjs': 'export const ask = () => navigator.mediaDevices.getUserMedia({ audio: true });',
      'notes.txt': 'navigator.geolocation',
    };
    const asked = (log: readonly string[]): readonly string[] => log.filter((line) => line.startsWith('The app asks'));
    const all = ['CAMERA', 'RECORD_AUDIO', 'MODIFY_AUDIO_SETTINGS', 'ACCESS_COARSE_LOCATION', 'ACCESS_FINE_LOCATION'];
    const { apk, log } = await build(files);
    assert.deepEqual(getPermissions(apk), [...FREE, ...all]);
    assert.deepEqual(
      apk.manifest.usesFeatures.map(({ name, required }) => [name, required]),
      ['camera', 'camera.autofocus', 'microphone', 'location', 'location.gps', 'location.network'].map((name) => [
        `android.hardware.${name}`,
        false,
      ]),
    );
    assert.deepEqual(asked(log), [
      'The app asks for the camera: assets/index-1a2b.js. Declared: CAMERA.',
      'The app asks for the microphone: vendor/recorder.mjs. Declared: RECORD_AUDIO, MODIFY_AUDIO_SETTINGS.',
      'The app asks for the location: index.html. Declared: ACCESS_COARSE_LOCATION, ACCESS_FINE_LOCATION.',
    ]);
    const buildWith = (value: string) => {
      const body = `<plugin name="cordova-plugin-geolocation"/>${preference('AndroidPermissions', value)}`;
      return build({ ...config(body), ...files });
    };
    const none = await buildWith('none');
    assert.deepEqual([getPermissions(none.apk), none.apk.manifest.usesFeatures], [FREE, []]);
    assert.equal(
      asked(none.log)[2],
      'The app asks for the location: cordova-plugin-geolocation. Not declared: the preference “AndroidPermissions” doesn’t allow it.',
    );
    assert.deepEqual(getPermissions((await buildWith('Location')).apk), WITH_LOCATION);
    const unknown = await buildWith('contacts');
    assert.deepEqual(getPermissions(unknown.apk), [...FREE, ...all]);
    assert.match(unknown.log.join('\n'), /the value of the preference “AndroidPermissions” isn’t valid/);
  });

  it('doesn’t declare a camera for plugins that start the phone’s own camera app', async () => {
    const plugins = ['cordova-plugin-camera', 'cordova-plugin-media-capture', '@capacitor/camera'];
    const body = plugins.map((name) => `<plugin name="${name}"/>`).join('');
    assert.deepEqual(getPermissions((await build(config(body))).apk), FREE);
    const { apk } = await build({ ...config(body), 'app.js': 'navigator.mediaDevices.getUserMedia({ video: true })' });
    assert.deepEqual(getPermissions(apk), [...FREE, 'CAMERA']);
  });

  it('logs elements and preferences without effect, one per line', async () => {
    const { log } = await build(
      config(
        [
          '<hook type="before_build" src="x.js"/><edit-config/><universal-links/><access origin="https://a.example"/>',
          preference('Fullscreen', 'true') + preference('FullscreenNotImmersive', 'true'),
          preference('KeepRunning', 'true'),
          preference('Orientation', 'upwards'),
          preference('BackgroundColor', 'red'),
          preference('AndroidPackageType', 'bundle'),
          preference('android-targetSdkVersion', '30'),
          preference('android-minSdkVersion', 'none'),
          preference('StatusBarOverlaysWebView', 'true'),
        ].join(''),
      ),
    );
    assert.deepEqual(
      log.filter((line) => line.startsWith('config.xml')),
      [
        'config.xml: the value of the preference “BackgroundColor” isn’t valid, so it’s ignored.',
        'config.xml: android-targetSdkVersion must be from 34 to 36, not “30”, so the package targets 36.',
        'config.xml: android-minSdkVersion must be from 24 to 36, not “none”, so the package is for 24 and later.',
        'config.xml: the value of the preference “Orientation” isn’t valid, so it’s ignored.',
        'config.xml: the preference “KeepRunning” has no effect in this package.',
        'config.xml: the preference “StatusBarOverlaysWebView” has no effect in this package.',
        'config.xml: <hook> has no effect in this package.',
        'config.xml: <edit-config> has no effect in this package.',
        'config.xml: <universal-links> has no effect in this package.',
        'config.xml: <access> isn’t enforced. To limit what the app can load, use a Content-Security-Policy in its pages.',
      ],
    );
  });

  it('uses the largest Android icon in config.xml, or else the uploaded icon or the default icon', async () => {
    const uploaded = join(folder, 'uploaded.png');
    const png = (text: string): Buffer => Buffer.concat([WHITE_PNG, Buffer.from(text)]);
    await writeFile(uploaded, png('uploaded'));
    await writeFile(join(folder, 'outside.png'), png('outside'));
    const getIcon = async (files: Files, icon?: string): Promise<string> =>
      getContent((await build(files, { icon })).apk, 'res/icon.png')
        .subarray(WHITE_PNG.length)
        .toString();
    const named = config(
      '<icon src="res/small.png" density="hdpi"/><icon src="res/large.png" density="xxxhdpi"/>' +
        '<icon src="res/huge.png" width="512"/><icon src="../outside.png" width="2000"/>' +
        '<platform name="ios"><icon src="res/ios.png" width="1024"/></platform>',
    );
    const files = { ...named, 'res/small.png': png('small'), 'res/large.png': png('large'), 'res/ios.png': png('ios') };
    assert.equal(await getIcon(files, uploaded), 'large');
    assert.equal(await getIcon({ ...files, 'res/huge.png': 'no picture' }, uploaded), 'large');
    assert.equal(await getIcon({ ...files, 'res/huge.png': png('huge') }, uploaded), 'huge');
    assert.equal(await getIcon(named, uploaded), 'uploaded');
    // If config.xml is among the pages, it refers to images in the parent folder.
    const inPages = {
      'www/index.html': '<p>Page</p>',
      'www/config.xml': named['config.xml'] ?? '',
      'res/large.png': png('above'),
    };
    assert.equal(await getIcon(inPages, uploaded), 'above');
    assert.equal(await getIcon({ ...inPages, 'outside.png': png('outside') }, uploaded), 'above');
    const own = await readFile('src/android-package/shell/icon.png');
    assert.deepEqual(getContent((await build(PAGE)).apk, 'res/icon.png'), own);
  });

  it('uses the monochrome icon from a PWA’s manifest', async () => {
    const manifest = (src: string, purpose = 'any monochrome'): string =>
      JSON.stringify({ icons: [{ src: 'any.png' }, { src: 'plain.svg', purpose: 'monochrome' }, { src, purpose }] });
    const monochrome = async (name: string, text: string): Promise<Buffer | undefined> => {
      const icons = { 'icons/größe 1.png': WHITE_PNG, 'icons/m#1?.png': WHITE_PNG, 'plain.svg': '<svg/>' };
      const { apk } = await build({ ...PAGE, [name]: text, ...icons });
      return apk.entries.find(({ name: entry }) => entry === 'res/monochrome.png')?.content;
    };
    assert.deepEqual(await monochrome('manifest.webmanifest', manifest('icons/größe 1.png')), WHITE_PNG);
    assert.deepEqual(await monochrome('manifest.json', manifest('/icons/gr%C3%B6%C3%9Fe%201.png?v=1')), WHITE_PNG);
    assert.deepEqual(await monochrome('site.webmanifest', manifest('icons/m%231%3F.png')), WHITE_PNG);
    for (const text of [
      manifest('icons/größe 1.png', 'maskable'),
      manifest('../../missing.png'),
      manifest('https://cdn.example/icons/größe 1.png'),
      manifest('%'),
      '{',
      '[null]',
    ]) {
      assert.equal(await monochrome('manifest.json', text), undefined, text);
    }
  });

  it('stores already compressed files and very large files without compression', async () => {
    const large = randomBytes(9 * 1024 ** 2);
    const { apk } = await build({
      ...PAGE,
      'clip.mp4': 'a'.repeat(5000),
      'data.bin': large,
      'text.txt': 'b'.repeat(50_000),
    });
    const areStored = apk.entries.filter(({ name }) => /clip|data|text/.test(name)).map(({ isStored }) => isStored);
    assert.deepEqual(areStored, [true, true, false]);
    assert.deepEqual(getContent(apk, 'assets/www/data.bin'), large);
  });

  describe('signing without the user’s key', () => {
    it('uses one key per data folder, which only the folder’s owner can read', async () => {
      const data = join(folder, 'data');
      await mkdir(data);
      const first = await build(PAGE, {}, data);
      const second = await build(PAGE, {}, data);
      assert.equal(getCertificate(first.apk).fingerprint256, getCertificate(second.apk).fingerprint256);
      const { fingerprint: sha1, fingerprint256: sha256 } = getCertificate(first.apk);
      assert.deepEqual(first.fingerprints, { sha1, sha256 });
      assert.equal(
        (await stat(join(data, 'android-test-key.pem'))).mode & 0o777,
        process.platform === 'win32' ? 0o666 : 0o600,
      );
      assert.ok(Date.parse(getCertificate(first.apk).validTo) > Date.now() + 25 * 365 * 24 * 60 * 60_000);
      assert.equal(first.apk.manifest.application.debuggable, true);
      const other = await build(PAGE);
      assert.notEqual(getCertificate(other.apk).fingerprint256, getCertificate(first.apk).fingerprint256);
      const pem = await readFile(join(data, 'android-test-key.pem'), 'utf8');
      const secret =
        pem
          .split('\n')
          .filter((line) => /^[\w+/=]{20,}$/.test(line))
          .at(-2) ?? pem;
      assert.ok(!first.log.join('\n').includes(secret) && !first.bytes.includes(secret));
    });

    it('uses the elliptic-curve key from an earlier version', async () => {
      const { privateKey, certificates } = openedKey('release.p12', 'release');
      const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
      const certificate = new X509Certificate(certificates[0] ?? '');
      const pem = `${certificate.toString()}${String(key.export({ type: 'pkcs8', format: 'pem' }))}`;
      await writeFile(join(folder, 'android-test-key.pem'), pem);
      const { apk } = await build(PAGE, {}, folder);
      assert.equal(getCertificate(apk).fingerprint256, certificate.fingerprint256);
    });

    it('reports a damaged test key, and leaves its file unchanged', async () => {
      await writeFile(join(folder, 'android-test-key.pem'), 'gone');
      await assert.rejects(build(PAGE, {}, folder), {
        name: 'BuildError',
        message: /^The service’s test key can’t be read\. Restore the file android-test-key\.pem /,
      });
      assert.equal(await readFile(join(folder, 'android-test-key.pem'), 'utf8'), 'gone');
    });

    it('uses the test key for a key of the demo data, which has no file', async () => {
      const { apk, log } = await build(PAGE, { key: { key: testKey, files: {}, passwords: undefined } });
      assert.equal(getCertificate(apk).subject, 'CN=Test key');
      assert.match(log.join('\n'), /^── Configure\nThe key “Key” is part of the demo data and doesn’t have a file\.\n/);
    });
  });

  it('stops when the build is aborted', async () => {
    const job = await testJob(folder, {}, { 'index.html': '' });
    const reason = new Error('enough');
    await assert.rejects(
      createBuiltinBuilder(undefined).build(job, () => undefined, AbortSignal.abort(reason)),
      reason,
    );
  });

  it('stops between two scripts when the build is aborted while it searches them', async () => {
    const job = await testJob(folder, {}, { 'index.html': '', 'a.js': '', 'b.js': '' });
    const controller = new AbortController();
    const reason = new Error('enough');
    const lines: string[] = [];
    const log = (line: string): void => {
      lines.push(line);
      if (line === '── Configure') {
        setImmediate(() => controller.abort(reason));
      }
    };
    await assert.rejects(createBuiltinBuilder(undefined).build(job, log, controller.signal), reason);
    assert.deepEqual(lines, ['── Configure']);
  });
});

function preference(name: string, value: string): string {
  return `<preference name="${name}" value="${value}"/>`;
}

function only<T>(items: readonly T[]): T {
  const [item] = items;
  assert.ok(item !== undefined && items.length === 1);
  return item;
}

function getMinSdk({ manifest }: VerifiedApk): unknown {
  return manifest.usesSdk.minSdkVersion;
}

function getTargetSdk({ manifest }: VerifiedApk): unknown {
  return manifest.usesSdk.targetSdkVersion;
}

function getPermissions({ manifest }: VerifiedApk): readonly string[] {
  return manifest.usesPermissions.map(({ name }) => name.replace('android.permission.', ''));
}

/** Reports whether the app has a day theme and a night theme with these colors. */
function hasThemes(apk: VerifiedApk, windowBackground: number, statusBar: number, darkStatusText: boolean): boolean {
  // The values are the IDs of android.R.attr: windowBackground, statusBarColor, windowLightStatusBar,
  // windowSplashScreenBackground.
  const items = [
    [0x01010054, 0x1c, windowBackground],
    [0x01010451, 0x1c, statusBar],
    [0x010104e0, 0x12, darkStatusText ? 0xffffffff : 0],
    [0x0101062c, 0x1c, windowBackground],
  ].map(([id = 0, type = 0, data = 0]) => Buffer.concat([uint32(id), Buffer.of(8, 0, 0, type), uint32(data)]));
  const table = getContent(apk, 'resources.arsc');
  return [LIGHT_THEME, DARK_THEME].every((theme) =>
    table.includes(Buffer.concat([uint32(theme, items.length), ...items])),
  );
}
