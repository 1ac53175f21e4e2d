import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

import { plainText } from '../../../../src/api/errors/sentence.ts';
import { createBuiltinBuilder } from '../../../../src/localService/builds/builtin/builtinBuilder.ts';
import { writePackage } from '../../../../src/projects/packing/packageFile.ts';
import { scanPages } from '../../../../src/projects/preflight/pageScan.ts';
import { supportFindings } from '../../../../src/projects/preflight/supportCheck.ts';
import { testJob } from '../../../support/buildJob.ts';
import { config } from '../../../support/failingFolders.ts';
import { inFolder } from '../../../support/folderChecks.ts';
import type { Files } from '../../../support/packing.ts';
import { readArchive } from '../../../support/readArchive.ts';

const builder = createBuiltinBuilder(undefined);
const SUPPORT = {
  builder: builder.name,
  platforms: [{ platform: 'android', unavailable: undefined }],
  plugins: builder.plugins ?? [],
};

/** What a check says of a project's plugins, and what a build of its package logs, or fails with. */
function checkAndBuild(
  files: Files,
): Promise<{ readonly found: readonly string[]; readonly log: readonly string[]; readonly configXml: string }> {
  return inFolder(files, async ({ path: folder, project, sent, config: { facts } }) => {
    const findings = supportFindings(['android'], SUPPORT, (await scanPages(project, sent, facts)).plugins);
    const found = findings
      .filter(({ code }) => code === 'pluginNotSupported')
      .map(({ verdict, message, place }) => {
        const line = place?.start === undefined ? '' : `:${place.start.line + 1}`;
        return `${verdict} ${place?.path ?? ''}${line} ${plainText(message)}`;
      });
    const packed = await writePackage(sent);
    const archive = path.join(folder, 'sent.zip');
    await pipeline(packed.file.bytes(), createWriteStream(archive));
    await packed.dispose();
    const contents = await readArchive(archive);
    const log: string[] = [];
    await testJob(folder, {}, Object.fromEntries(contents))
      .then((job) => builder.build(job, (line) => log.push(line), AbortSignal.timeout(60_000)))
      .catch((error: unknown) => log.push(String(error)));
    return {
      found,
      log: log.filter((line) => /^(?:Plugin|Warning|(?:Build|Package)Error)/.test(line)),
      configXml: contents.get('config.xml') ?? '',
    };
  });
}

const plugins = (...names: readonly string[]): string =>
  config({ body: names.map((name) => `  <plugin name="${name}"/>\n`).join('') });
const json = (value: unknown): string => JSON.stringify(value, undefined, 1);
const PAGE = { 'www/index.html': '<!doctype html><script src="app.js"></script>' };

describe('what a check and a build say of plugins', () => {
  it('fails for one that the pages call and the package cannot have', async () => {
    const { found, log } = await checkAndBuild({
      'config.xml': plugins('cordova-plugin-whitelist', 'org.apache.cordova.file'),
      ...PAGE,
      'www/app.js': '\nopen(cordova.file.dataDirectory);',
    });
    assert.deepEqual(found, [
      'fails config.xml:5 org.apache.cordova.file: the pages call it in www/app.js, line 2, and the built-in builder can’t compile its native code.',
    ]);
    assert.match(log.join(), /^BuildError: Plugin not supported: org\.apache\.cordova\.file \(www\/app\.js:2\)\./);
  });

  it('notes one that the pages never call, call only where it exists, or do not need', async () => {
    const names = ['cordova-plugin-contacts', 'cordova-sqlite-storage', 'cordova-plugin-compat', 'com.ionic.keyboard'];
    const { found, log } = await checkAndBuild({
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
    assert.deepEqual(
      log.map((line) => line.split(':')[0]),
      names.map((name) => `Plugin ${name}`),
    );
  });

  it('warns at the place of a call that the package lacks, also where nothing names the plugin', async () => {
    const { found, log } = await checkAndBuild({
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
    assert.deepEqual(
      log
        .filter((line) => line.startsWith('Warning'))
        .map((line) => /^Warning: (\S+): the pages use (\S+)/.exec(line)?.slice(1)),
      lacks.map(([, call], index) => [`www/app.js:${index + 1}`, call]),
    );
  });

  it('goes by plugin.xml where a plugin is installed, and no table has it', async () => {
    const { found } = await checkAndBuild({
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

  it('are sent in config.xml, with their versions and variables, and count in the check and the log', async () => {
    const { found, log, configXml } = await checkAndBuild({
      'config.xml': plugins('cordova-plugin-device'),
      'package.json': packageJson,
      ...PAGE,
      'www/app.js': '',
    });
    assert.ok(
      configXml.includes(
        '  <plugin name="cordova-plugin-device"/>\n' +
          '  <plugin name="cordova-plugin-geolocation" spec="^5.0.0" />\n' +
          '  <plugin name="cordova-plugin-facebook4"><variable name="APP_ID" value="1 &amp; 2" /></plugin>\n</widget>',
      ),
      configXml,
    );
    assert.deepEqual(found, [
      'fine package.json:8 cordova-plugin-facebook4: it isn’t in the package, and no call of it was found in the pages.',
    ]);
    assert.equal(log.filter((line) => line.startsWith('Plugin')).length, 3);
  });

  it('do not end the build of a Capacitor project: the check and the log tell what it lacks', async () => {
    const { found, log, configXml } = await checkAndBuild({
      'package.json': json({ dependencies: { 'cordova-plugin-file': '^7.0.0', '@capacitor/core': '7.0.0' } }),
      'capacitor.config.json': json({ appId: 'com.example.cap', appName: 'Cap', webDir: 'www' }),
      ...PAGE,
      'www/app.js': 'open(cordova.file.dataDirectory);',
    });
    assert.ok(!configXml.includes('<plugin'), configXml);
    assert.deepEqual(found, [
      'mayFail www/app.js:1 cordova-plugin-file: the pages use cordova.file here, which the package doesn’t have.',
    ]);
    assert.deepEqual(log, [
      'Warning: www/app.js:1: the pages use cordova.file here, which this package doesn’t have (cordova-plugin-file).',
    ]);
  });

  it('leave config.xml as it is when it names them all, or cannot be completed', async () => {
    const own = plugins('cordova-plugin-geolocation', 'com.phonegap.plugins.facebookconnect');
    const { configXml } = await checkAndBuild({ 'config.xml': own, 'package.json': packageJson, ...PAGE });
    assert.equal(configXml, own);
    const broken = own.replace('</widget>', '');
    const { log } = await checkAndBuild({
      'config.xml': broken,
      'package.json': json({ cordova: { plugins: { x: {} } } }),
      ...PAGE,
    });
    assert.match(log.join(), /^PackageError: Malformed config\.xml/);
  });
});
