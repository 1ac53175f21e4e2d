import assert from 'node:assert/strict';

import { createBuiltinBuilder } from '../../../../src/localService/builds/builtin/builtinBuilder.ts';
import { scanPages } from '../../../../src/projects/preflight/pageScan.ts';
import { supportFindings } from '../../../../src/projects/preflight/supportCheck.ts';
import { config } from '../../../support/failingFolders.ts';
import { inFolder, lineOfFinding } from '../../../support/folderChecks.ts';
import type { Files } from '../../../support/packing.ts';

const builder = createBuiltinBuilder(undefined);
const SUPPORT = {
  builder: builder.name,
  platforms: [{ platform: 'android', unavailable: undefined }],
  plugins: builder.plugins ?? [],
};

/** Findings about a project's plugins for the built-in builder. A build fails with the same: see failures.test.ts. */
function check(files: Files): Promise<readonly string[]> {
  return inFolder(files, async ({ project, sent, config: { facts } }) => {
    const findings = supportFindings(['android'], SUPPORT, (await scanPages(project, sent, facts)).plugins);
    return findings.filter(({ code }) => code === 'pluginNotSupported').map(lineOfFinding);
  });
}

/** The config.xml that is sent. */
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

describe('findings about plugins', () => {
  it('fails for one that the pages call and the package cannot have', async () => {
    const found = await check({
      'config.xml': plugins('cordova-plugin-whitelist', 'org.apache.cordova.file'),
      ...PAGE,
      'www/app.js': '\nopen(cordova.file.dataDirectory);',
    });
    assert.deepEqual(found, [
      'fails config.xml:5 org.apache.cordova.file: the pages call it in www/app.js, line 2, and the built-in builder can’t compile its native code.',
    ]);
  });

  it('notes one that the pages never call, call only where it exists, or do not need', async () => {
    const names = ['cordova-plugin-contacts', 'cordova-sqlite-storage', 'cordova-plugin-compat', 'com.ionic.keyboard'];
    const found = await check({
      'config.xml': plugins(...names),
      ...PAGE,
      'www/app.js': 'if (window.sqlitePlugin) sqlitePlugin.openDatabase({});',
    });
    assert.deepEqual(found, [
      'fine config.xml:4 cordova-plugin-contacts: it isn’t in the package, and no call of it was found in the pages.',
      'fine config.xml:5 cordova-sqlite-storage: it isn’t in the package, and the pages call it only where it exists.',
      'fine config.xml:6 cordova-plugin-compat: it isn’t in the package, and the app doesn’t need it there.',
      'fine config.xml:7 com.ionic.keyboard: it isn’t in the package, and the app doesn’t need it there.',
    ]);
  });

  it('warns at the place of a call that the package lacks, also where nothing names the plugin', async () => {
    const found = await check({
      'config.xml': plugins('cordova-plugin-camera', 'org.apache.cordova.device'),
      ...PAGE,
      'www/app.js': 'show(device.uuid);\nnavigator.camera.getPicture();\ndb = openDatabase("a", "", "", 1);',
      'www/lib/app.js': 'plugins.toast.show()',
    });
    const lacks = [
      ['org.apache.cordova.device', 'device.uuid'],
      ['cordova-plugin-camera', 'navigator.camera'],
      ['WebSQL', 'openDatabase'],
    ];
    assert.deepEqual(
      found,
      lacks.map(
        ([name, call], index) =>
          `mayFail www/app.js:${index + 1} ${name}: the pages use ${call} here, which the package doesn’t have.`,
      ),
    );
  });

  it('goes by plugin.xml where a plugin is installed, and no table has it', async () => {
    const found = await check({
      'config.xml': plugins('cordova-plugin-own-thing'),
      ...PAGE,
      'www/app.js': 'Chirp.sing();',
      'node_modules/cordova-plugin-own-thing/plugin.xml':
        '<plugin><js-module src="www/a.js"><clobbers target="window.Chirp"/></js-module></plugin>',
    });
    assert.match(
      found.join(),
      /^fails config\.xml:4 cordova-plugin-own-thing: the pages call it in www\/app\.js, line 1/,
    );
  });
});

describe('plugins that another file than config.xml names', () => {
  const packageJson = json({
    dependencies: { 'cordova-plugin-geolocation': '^5.0.0' },
    cordova: { plugins: { 'cordova-plugin-geolocation': {}, 'cordova-plugin-facebook4': { APP_ID: '1 & 2' } } },
  });

  it('are sent in config.xml, with their versions and variables, and count in the check', async () => {
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
      'fine package.json:8 cordova-plugin-facebook4: it isn’t in the package, and no call of it was found in the pages.',
    ]);
  });

  it('do not end the build of a Capacitor project: the check tells what it lacks', async () => {
    const files = {
      'package.json': json({ dependencies: { 'cordova-plugin-file': '^7.0.0', '@capacitor/core': '7.0.0' } }),
      'capacitor.config.json': json({ appId: 'com.example.cap', appName: 'Cap', webDir: 'www' }),
      ...PAGE,
      'www/app.js': 'open(cordova.file.dataDirectory);',
    };
    assert.ok(!(await sentConfig(files)).includes('<plugin'));
    assert.deepEqual(await check(files), [
      'mayFail www/app.js:1 cordova-plugin-file: the pages use cordova.file here, which the package doesn’t have.',
    ]);
  });

  it('leave config.xml as it is when it names them all, or cannot be completed', async () => {
    const own = plugins('cordova-plugin-geolocation', 'com.phonegap.plugins.facebookconnect');
    for (const text of [own, own.replace('</widget>', '')]) {
      assert.equal(await sentConfig({ 'config.xml': text, 'package.json': packageJson, ...PAGE }), text);
    }
  });
});
