import { parseXml, XmlElement } from '@rgrove/parse-xml';
import assert from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';

import { formatSentence, sentence } from '../../../src/errors/index.ts';
import { DiskTree, ProjectFolder } from '../../../src/web-project/projectFolder.ts';
import { planPackage } from '../../../src/web-project/packing/folderPlan.ts';
import type { PackagePlan } from '../../../src/web-project/packing/packageContents.ts';
import { checkProjectConfig } from '../../../src/web-project/check/configCheck.ts';
import type { KnownApp } from '../../../src/web-project/madeConfig.ts';
import { parseConfig, pngSize } from '../../../src/android-package/index.ts';
import { fileUri, createFolder, KNOWN_APP, type Files } from '../../support/packing.ts';
import { builtFiles, PROJECTS } from '../../support/webProjects.ts';

/** Returns the part of a PNG that contains its size. */
function png(width: number, height = width): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([head, size, deflateSync(Buffer.alloc(9))]);
}

async function planned(files: Files, known: KnownApp = KNOWN_APP): Promise<PackagePlan> {
  const { folder, remove } = await createFolder(files);
  try {
    const project = { uri: fileUri(folder), path: '', name: undefined };
    const read = () => new ProjectFolder(new DiskTree(folder), '');
    const plan = await planPackage(project, { known }, read());
    const { findings } = await checkProjectConfig({ folder: read(), plan, unsavedText: () => undefined });
    const wrong = findings.filter(({ verdict }) => verdict !== 'fine').map(({ message }) => formatSentence(message));
    assert.deepEqual(wrong, [], 'the same checker has nothing against it');
    return plan;
  } finally {
    await remove();
  }
}

/** Returns the values of a generated config.xml with their sources. */
async function getValues(files: Files, known?: KnownApp): Promise<Readonly<Record<string, string>>> {
  const { config } = await planned(files, known);
  return Object.fromEntries(
    (config?.values ?? []).map(({ name, value, from }) => [name, `${value} (${formatSentence(from)})`]),
  );
}

const page = (head: string): string => `<!doctype html><html><head>${head}</head><body>Hello</body></html>`;

const www = (head: string): Files => ({ 'www/index.html': page(head) });
const FALLBACK = { FallbackPage: 'index.html (For pages with client-side routing)' };

describe('the config.xml generated for a package', () => {
  const manifest = JSON.stringify({
    ...{ name: 'Manifest & Co', short_name: 'M', description: 'From the manifest', start_url: '/start.html?from=home' },
    ...{ display: 'fullscreen', orientation: 'landscape-primary' },
    ...{ theme_color: 'rgb(0 128 128)', background_color: '#fff' },
  });
  const packageJson = JSON.stringify({
    ...{ name: 'package', version: 'v2.3.4-beta', description: 'From npm' },
    author: 'Ann <ann@example.com> (https://a.example)',
  });
  const capacitor =
    "export default { appId: 'io.example.cap', appName: 'Cap', webDir: 'www', plugins: { StatusBar: { style: 'DARK', backgroundColor: '#010203' }, SplashScreen: { backgroundColor: '#0a0b0c' } }, server: { androidScheme: 'http', hostname: 'app.example' } };";
  const linked = www(
    '<title>The  title</title><link rel="manifest" href="/app.json"><meta name="theme-color" content="red">',
  );
  const OF_CAPACITOR = {
    id: 'io.example.cap (capacitor.config.js)',
    version: '2.3.4 (package.json)',
    name: 'Cap (capacitor.config.js)',
    author: 'Ann (package.json)',
    Scheme: 'http (capacitor.config.js)',
    Hostname: 'app.example (capacitor.config.js)',
    AndroidWindowSplashScreenBackground: '#0A0B0C (capacitor.config.js)',
    StatusBarBackgroundColor: '#010203 (capacitor.config.js)',
    StatusBarStyle: 'lightcontent (capacitor.config.js)',
    ...FALLBACK,
  };

  it('uses the values of Capacitor, manifest, page, and package.json, in this order', async () => {
    const pages = { ...linked, 'www/app.json': manifest, 'www/start.html': page('') };
    assert.deepEqual(await getValues({ ...pages, 'package.json': packageJson, 'capacitor.config.js': capacitor }), {
      ...OF_CAPACITOR,
      description: 'From the manifest (www/app.json)',
      content: 'start.html (www/app.json)',
      Orientation: 'landscape (www/app.json)',
      Fullscreen: 'true (www/app.json)',
      BackgroundColor: '#FFFFFF (www/app.json)',
    });
    const names: readonly (readonly [Files, string])[] = [
      [{ ...pages, 'package.json': packageJson }, 'Manifest & Co (www/app.json)'],
      [{ ...linked, 'www/app.json': '{"short_name":"Short"}' }, 'Short (www/app.json)'],
      [{ ...linked, 'www/app.json': '[broken', 'package.json': packageJson }, 'The title (www/index.html)'],
      [{ ...www(''), 'package.json': packageJson }, 'package (package.json)'],
      [www(''), 'Example (Name of the app)'],
    ];
    for (const [files, name] of names) {
      assert.equal((await getValues(files)).name, name);
    }
  });

  it('uses the name in package.json as its ID, but only if it looks like an ID', async () => {
    const getId = async (name: string) =>
      (await getValues({ ...www(''), 'package.json': JSON.stringify({ name }) })).id;
    assert.equal(await getId('com.example.tally'), 'com.example.tally (package.json)');
    for (const name of ['tally', 'lodash.debounce', '@scope/com.example.tally', 'com.new.tally']) {
      assert.doesNotMatch((await getId(name)) ?? '', /package\.json/, name);
    }
  });

  it('contains the links that the Android project of a Capacitor app opens', async () => {
    const filter = (name: string, data: string, attributes = ''): string =>
      `<intent-filter${attributes}><action android:name="android.intent.action.${name}" />` +
      `<category android:name="android.intent.category.BROWSABLE" />${data}</intent-filter>`;
    const main = 'android/app/src/main';
    const { config } = await planned({
      ...www(''),
      'capacitor.config.json': '{"appId":"io.example.cap","webDir":"www"}',
      [`${main}/AndroidManifest.xml`]:
        '<manifest xmlns:android="http://schemas.android.com/apk/res/android"><application><activity>' +
        `${filter('MAIN', '')}${filter('VIEW', '<data android:scheme="@string/custom_url_scheme" />')}` +
        filter(
          'VIEW',
          '<data android:scheme="https" tools:ignore="AppLinkUrlError" /><data android:host="shop.example" android:pathPrefix="/a&amp;b" />',
          ' android:autoVerify="true"',
        ) +
        '</activity></application><queries><package android:name="com.whatsapp" tools:node="x" />' +
        '<intent><action android:name="android.intent.action.VIEW" /><data android:scheme="geo" /></intent></queries></manifest>',
      [`${main}/res/values/strings.xml`]:
        '<resources><string name="custom_url_scheme">io.example.cap</string></resources>',
    });
    const { value, from } = config?.values.find(({ name }) => name === 'intent-filter') ?? assert.fail();
    assert.deepEqual(
      [value, formatSentence(from)],
      ['io.example.cap:, https:, shop.example', `${main}/AndroidManifest.xml`],
    );
    assert.deepEqual(parseConfig(Buffer.from(config?.text ?? ''), 'android').intentFilters, [
      { autoVerify: false, data: [{ scheme: 'io.example.cap' }] },
      { autoVerify: true, data: [{ scheme: 'https' }, { host: 'shop.example', pathPrefix: '/a&b' }] },
    ]);
    assert.equal(
      config?.values.find(({ name }) => name === 'queries')?.value,
      'com.whatsapp, android.intent.action.VIEW, geo',
    );
    assert.deepEqual(parseConfig(Buffer.from(config.text), 'android').queries, [
      'package:com.whatsapp',
      'android.intent.action.VIEW:geo',
    ]);
  });

  it('uses capacitor.config, and an old config.xml only for missing values', async () => {
    const old =
      '<widget id="org.old.app" version="3.2.1"><name>Old</name><plugin name="cordova-plugin-contacts"/><preference name="Orientation" value="portrait"/></widget>';
    const files = { ...www('<title>Page</title>'), 'config.xml': old };
    assert.deepEqual(await getValues({ ...files, 'package.json': packageJson, 'capacitor.config.js': capacitor }), {
      ...OF_CAPACITOR,
      description: 'From npm (package.json)',
    });
    assert.deepEqual(await getValues({ ...files, 'capacitor.config.json': '{"webDir":"www"}' }), {
      id: 'org.old.app (config.xml)',
      version: '3.2.1 (config.xml)',
      name: 'Old (config.xml)',
      ...FALLBACK,
    });
  });

  it('is used in a Capacitor project once it’s saved', async () => {
    const files = { ...www(''), 'capacitor.config.js': capacitor };
    const { config } = await planned(files);
    const plan = await planned({ ...files, 'config.xml': config?.text ?? '' });
    assert.deepEqual([plan.config, plan.layout.config], [undefined, 'config.xml']);
  });

  it('starts with the website that Capacitor shows, and allows unencrypted addresses if Capacitor does', async () => {
    const rows: readonly (readonly [object, content: string | undefined, access: string | undefined])[] = [
      [{ server: { url: 'https://shop.example/app?a=1' } }, 'https://shop.example/app?a=1', undefined],
      [{ server: { url: 'shop.example', cleartext: false } }, undefined, undefined],
      [{ server: { cleartext: true } }, undefined, 'http://*'],
      [{ android: { allowMixedContent: true } }, undefined, 'http://*'],
    ];
    for (const [config, ...values] of rows) {
      const files = { ...www(''), 'capacitor.config.json': JSON.stringify({ webDir: 'www', ...config }) };
      const { content, access } = await getValues(files);
      const from = values.map((value) => value && `${value} (capacitor.config.json)`);
      assert.deepEqual([content, access], from);
      const read = parseConfig(Buffer.from((await planned(files)).config?.text ?? ''));
      assert.deepEqual(read.accessOrigins, ['*', ...(values[1] === undefined ? [] : [values[1]])]);
    }
  });

  it('uses the known facts about the app if no file contains them, and always has a version', async () => {
    const head = '<meta name="theme-color" content="#123">';
    const files = { 'index.html': page(head), 'package.json': '{"version":"0.0.0"}' };
    assert.deepEqual(await getValues(files), {
      id: 'com.example.app (As you said)',
      version: '1.0.0 (Not set in any file)',
      name: 'Example (Name of the app)',
      StatusBarBackgroundColor: '#112233 (index.html)',
      ...FALLBACK,
    });
    const version = { value: '7.8.9', from: sentence('The app at the service') };
    assert.equal((await getValues(files, { ...KNOWN_APP, version })).version, '7.8.9 (The app at the service)');
  });

  it('names the largest square PNG, or a plain icon if the app has none at the service', async () => {
    const icons = { icons: [{ src: '/wide.png' }, { src: 'i/big.png' }, { src: 'https://cdn.example/x.png' }] };
    const files: Files = {
      'index.html': page('<link rel="manifest" href="m.json"><link rel="apple-touch-icon" href="touch.png">'),
      'm.json': JSON.stringify(icons),
      ...{ 'touch.png': png(180), 'wide.png': png(900, 10), 'i/big.png': png(512) },
    };
    const icon = async (all: Files, hasIcon = false) => (await getValues(all, { ...KNOWN_APP, hasIcon })).icon;
    assert.equal(await icon(files), 'www/i/big.png (m.json)');
    assert.equal(await icon({ ...files, 'i/big.png': 'no picture' }), 'www/touch.png (index.html)');
    assert.equal(await icon(www('')), 'icon.png (Plain icon: no square PNG found)');
    assert.equal(await icon(www(''), true), undefined);
    const beside = { ...www(''), 'capacitor.config.json': '{"webDir":"www"}', 'assets/icon.png': png(1024) };
    assert.equal(await icon(beside), 'assets/icon.png (assets/icon.png)');
    const plan = await planned(beside, { ...KNOWN_APP, hasIcon: false });
    assert.equal(plan.files.map(({ path }) => path).join(' '), 'assets/icon.png www/index.html');
  });

  const COLORS: Readonly<Record<string, string | undefined>> = {
    '#fff': '#FFFFFF',
    // In Android's colors, the alpha value is first.
    '#abcd': '#DDAABBCC',
    'rgba(255,0,0,.5)': '#80FF0000',
    ' Tomato ': '#FF6347',
    transparent: '#00000000',
    'var(--main)': undefined,
    constructor: undefined,
  };
  for (const [text, color] of Object.entries(COLORS)) {
    it(`converts the color ${text} to ${color ?? 'nothing'}`, async () => {
      const values = await getValues({ 'index.html': page(`<meta name="theme-color" content="${text}">`) });
      assert.equal(values.StatusBarBackgroundColor, color && `${color} (index.html)`);
    });
  }

  it('contains a plain icon in the app’s color, unless the color is translucent', async () => {
    const getColors = async (theme: string) => {
      const files = { 'index.html': page(`<meta name="theme-color" content="${theme}">`) };
      const { made } = await planned(files, { ...KNOWN_APP, hasIcon: false });
      const image = Buffer.from(made.find(({ path }) => path === 'icon.png')?.bytes ?? []);
      assert.deepEqual(pngSize(image), { width: 512, height: 512 });
      const [start, end] = [image.indexOf('PLTE'), image.indexOf('IDAT') - 8];
      assert.equal(image.readUInt32BE(end), crc32(image.subarray(start, end)));
      return [image.toString('hex', start + 4, start + 7), image.toString('hex', end - 3, end)];
    };
    assert.deepEqual(await getColors('teal'), ['008080', 'ffffff']);
    assert.deepEqual(await getColors('#ffe'), ['ffffee', '1b1f24']);
    assert.deepEqual(await getColors('#0008'), ['2e6bc6', 'ffffff']);
  });

  it('gives the service the original values, whatever characters they contain', async () => {
    // Windows doesn't allow `"` in names.
    const start = process.platform === 'win32' ? `st'a&rt.html` : 'sta"rt.html';
    const name = `A "<b>" & 'c' \u0007 日本 \ud83d\ude00`;
    const { config } = await planned({
      'index.html': page('<link rel="manifest" href="app.json">'),
      'app.json': JSON.stringify({ start_url: start }),
      [start]: page(''),
      'package.json': JSON.stringify({ name, author: { name, email: name, url: 'javascript:alert(1)' } }),
    });
    const read = parseConfig(Buffer.from(config?.text ?? ''));
    const expected = `A "<b>" & 'c' 日本 😀`;
    const elements = (parseXml(config?.text ?? '').root?.children ?? []).filter((child) => child instanceof XmlElement);
    const author = elements.find((element) => element.name === 'author');
    assert.deepEqual([author?.text.replace(/\s+/g, ' '), { ...author?.attributes }], [expected, {}]);
    assert.deepEqual(
      [read.name, read.id, read.version, read.contentSrc],
      [expected, 'com.example.app', '1.0.0', start],
    );
    assert.deepEqual(read.preferences, [{ name: 'FallbackPage', value: 'index.html' }]);
  });

  it('isn’t generated for a project that has its own config.xml', async () => {
    const [cordova] = PROJECTS;
    assert.ok(cordova?.kind === 'cordova');
    const plan = await planned(builtFiles(cordova));
    assert.equal(plan.config, undefined);
    assert.deepEqual(plan.made, []);
  });
});
