import assert from 'node:assert/strict';

import { scanPages } from '../../../../src/web-project/check/scanPages.ts';
import { supportFindings } from '../../../../src/web-project/check/supportCheck.ts';
import { config } from '../../../support/failingFolders.ts';
import { inFolder, formatFinding } from '../../../support/folderChecks.ts';
import type { Files } from '../../../support/packing.ts';
import { createBuiltinBuilder } from '../../../../src/build-service/builds/builtinBuilder.ts';
import type { BuilderSupport } from '../../../../src/web-project/check/builderSupport.ts';

const builder = createBuiltinBuilder(undefined);
const SUPPORT = {
  builder: builder.name,
  platforms: [{ platform: 'android', unavailable: undefined }],
  plugins: builder.plugins ?? [],
};

/**
 * Lists the findings about a project's plugins for the built-in builder alone. A build fails with the same messages, as
 * failures.test.ts shows.
 */
function check(files: Files, support: BuilderSupport = SUPPORT): Promise<readonly string[]> {
  return inFolder(files, async ({ project, sent, config: { facts } }) => {
    const findings = supportFindings(['android'], support, (await scanPages(project, sent, facts)).plugins);
    return findings.filter(({ code }) => code === 'pluginNotSupported').map(formatFinding);
  });
}

/** Returns the sent config.xml. */
function sentConfig(files: Files): Promise<string> {
  return inFolder(files, ({ sent }) => {
    const bytes = sent.files.find(({ path }) => path === 'config.xml')?.withPlugins?.bytes ?? sent.made[0]?.bytes;
    return bytes === undefined ? String(files['config.xml']) : new TextDecoder().decode(bytes);
  });
}

const plugins = (...names: readonly string[]): string =>
  config({ body: names.map((name) => `  <plugin name="${name}"/>\n`).join('') });
const json = (value: unknown): string => JSON.stringify(value, undefined, 1);
const PAGE = { 'www/index.html': '<!doctype html><script src="app.js"></script>' };

describe('the check of a project’s plugins', () => {
  it('ignores Capacitor plugins that Cordova leaves out', async () => {
    const engine = { ...SUPPORT, builder: 'cordova', plugins: [] };
    const files = { 'config.xml': plugins('@capacitor/device', 'cordova-plugin-device'), ...PAGE };
    assert.deepEqual(await check(files, engine), [
      'fails config.xml:5 The service doesn’t have the plugin cordova-plugin-device.',
    ]);
  });

  it('fails a plugin that the pages call and the package can’t contain', async () => {
    const found = await check({
      'config.xml': plugins('cordova-plugin-whitelist', 'cordova-plugin-ble-central'),
      ...PAGE,
      'www/app.js': '\nble.scan([], 5);',
    });
    assert.deepEqual(found, [
      'fails config.xml:5 cordova-plugin-ble-central contains native code, which the built-in builder can’t compile. The app calls it in www/app.js, line 2.',
    ]);
  });

  it('warns of a failure for a plugin whose plugin.xml names another that isn’t installed', async () => {
    const files = {
      'config.xml': plugins('cordova-plugin-local-notification'),
      ...PAGE,
      'node_modules/cordova-plugin-local-notification/plugin.xml': '<plugin/>',
    };
    assert.deepEqual(await check(files), [
      'mayFail config.xml:4 cordova-plugin-local-notification doesn’t start without cordova-plugin-device.',
    ]);
    assert.deepEqual(await check({ ...files, 'node_modules/cordova-plugin-device/plugin.xml': '<plugin/>' }), [
      'fine The service has all plugins that the app uses.',
    ]);
  });

  it('notes a plugin that the pages never call, call only if it exists, or don’t need', async () => {
    const names = ['phonegap-plugin-push', 'cordova-plugin-ble-central', 'cordova-plugin-compat', 'com.ionic.keyboard'];
    const found = await check({
      'config.xml': plugins(...names),
      ...PAGE,
      'www/app.js': 'if (window.ble) ble.scan([], 5);',
    });
    assert.deepEqual(found, [
      'fine config.xml:4 phonegap-plugin-push isn’t in the package. The app doesn’t call it.',
      'fine config.xml:5 cordova-plugin-ble-central isn’t in the package. The app checks for it before it calls it.',
      'fine config.xml:6 cordova-plugin-compat isn’t in the package. The app doesn’t need it there.',
      'fine config.xml:7 com.ionic.keyboard isn’t in the package. The app doesn’t need it there.',
    ]);
  });

  it('warns about a call that the package doesn’t support, even if no file names the plugin', async () => {
    const found = await check({
      'config.xml': plugins('cordova-plugin-camera', 'org.apache.cordova.device'),
      ...PAGE,
      'www/app.js': 'show(device.uuid);\nnavigator.camera.getPicture();',
      'www/lib/app.js': 'plugins.toast.show()',
    });
    const lacks = [
      ['org.apache.cordova.device', 'device.uuid'],
      ['cordova-plugin-camera', 'navigator.camera'],
    ];
    assert.deepEqual(
      found,
      lacks.map(
        ([name, call], index) =>
          `mayFail www/app.js:${index + 1} The app calls ${call} from ${name}, which isn’t in the package.`,
      ),
    );
  });

  it('ignores a plugin with native code in the package once its JavaScript is installed', async () => {
    const files: Files = {
      'config.xml': plugins('cordova-plugin-ionic-keyboard'),
      ...PAGE,
      'www/app.js': 'Keyboard.hide();',
    };
    assert.deepEqual(await check(files), [
      'fine config.xml:4 cordova-plugin-ionic-keyboard isn’t in the package. The app doesn’t need it there.',
      'mayFail www/app.js:1 The app calls Keyboard.hide from cordova-plugin-ionic-keyboard, which isn’t in the package.',
    ]);
    const installed = { 'node_modules/cordova-plugin-ionic-keyboard/plugin.xml': '<plugin/>' };
    assert.deepEqual(await check({ ...files, ...installed }), ['fine The service has all plugins that the app uses.']);
  });

  it('notes a plugin with native code in the package but without its JavaScript, and suggests “npm install”', async () => {
    const files = { ...PAGE, 'www/app.js': 'if (window.StatusBar) StatusBar.hide();' };
    const names = ['cordova-plugin-statusbar', 'cordova-plugin-device', '@capacitor/device'];
    assert.deepEqual(
      await check({ 'config.xml': plugins(...names), ...files }),
      names
        .slice(0, 2)
        .map(
          (name, index) =>
            `fine config.xml:${index + 4} ${name}: its native code is in the package, but not its JavaScript.`,
        ),
    );
  });

  it('follows plugin.xml for an installed plugin that no table contains', async () => {
    const found = await check({
      'config.xml': plugins('cordova-plugin-own-thing'),
      ...PAGE,
      'www/app.js': 'Chirp.sing();',
      'node_modules/cordova-plugin-own-thing/plugin.xml':
        '<plugin><js-module src="www/a.js"><clobbers target="window.Chirp"/></js-module></plugin>',
    });
    assert.match(
      found.join(),
      /^fails config\.xml:4 cordova-plugin-own-thing contains native code, .*\. The app calls it in www\/app\.js, line 1\.$/,
    );
  });
});

describe('plugins named outside config.xml', () => {
  const packageJson = json({
    dependencies: { 'cordova-plugin-geolocation': '^5.0.0' },
    cordova: { plugins: { 'cordova-plugin-geolocation': {}, 'cordova-plugin-facebook4': { APP_ID: '1 & 2' } } },
  });

  it('adds the plugins to the sent config.xml, with versions and variables, and checks them', async () => {
    const files = {
      'config.xml': plugins('cordova-plugin-device'),
      'package.json': packageJson,
      ...PAGE,
      'www/app.js': '',
    };
    assert.ok(
      (await sentConfig(files)).includes(
        '  <plugin name="cordova-plugin-device"/>\n' +
          '  <plugin name="cordova-plugin-geolocation" spec="^5.0.0" />\n' +
          '  <plugin name="cordova-plugin-facebook4"><variable name="APP_ID" value="1 &amp; 2" /></plugin>\n</widget>',
      ),
    );
    assert.deepEqual(await check(files), [
      'fine config.xml:4 cordova-plugin-device: its native code is in the package, but not its JavaScript.',
      'fine package.json:3 cordova-plugin-geolocation: its native code is in the package, but not its JavaScript.',
      'fine package.json:8 cordova-plugin-facebook4 isn’t in the package. The app doesn’t call it.',
    ]);
  });

  it('doesn’t fail a Capacitor project, and reports the missing plugins', async () => {
    const files = {
      'package.json': json({ dependencies: { 'cordova-plugin-ble-central': '^1.0.0', '@capacitor/core': '7.0.0' } }),
      'capacitor.config.json': json({ appId: 'com.example.cap', appName: 'Cap', webDir: 'www' }),
      ...PAGE,
      'www/app.js': 'ble.scan([], 5);',
    };
    assert.ok(!(await sentConfig(files)).includes('<plugin'));
    assert.deepEqual(await check(files), [
      'mayFail www/app.js:1 The app calls ble.scan from cordova-plugin-ble-central, which isn’t in the package.',
    ]);
  });

  it('leaves config.xml unchanged if it already names all plugins or can’t be completed', async () => {
    const own = plugins('cordova-plugin-geolocation', 'com.phonegap.plugins.facebookconnect');
    for (const text of [own, own.replace('</widget>', '')]) {
      assert.equal(await sentConfig({ 'config.xml': text, 'package.json': packageJson, ...PAGE }), text);
    }
  });
});
