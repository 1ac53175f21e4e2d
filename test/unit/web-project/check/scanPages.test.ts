import assert from 'node:assert/strict';

import { formatSentence } from '../../../../src/errors/index.ts';
import { scanPages } from '../../../../src/web-project/check/scanPages.ts';
import { config } from '../../../support/failingFolders.ts';
import { inFolder } from '../../../support/folderChecks.ts';
import type { Files } from '../../../support/packing.ts';

function scan(files: Files) {
  return inFolder(files, async ({ project, sent, config: { facts } }) => {
    const { permissions, findings } = await scanPages(project, sent, facts);
    return {
      permissions: permissions.map(
        ({ permission, by, path, isAllowed }) =>
          `${permission} ${by}${path === by ? '' : ' plugin'}${isAllowed ? '' : ' refused'}`,
      ),
      findings: findings.map(({ code, verdict, message, next, location }) => {
        const at =
          location?.start === undefined
            ? ''
            : `${location.path}:${location.start.line + 1}:${location.start.character + 1} `;
        return `${code} ${verdict} ${at}${formatSentence(message)}${next === undefined ? '' : ` ${formatSentence(next)}`}`;
      }),
    };
  });
}

const withConfig = (body: string, script: string): Files => ({
  'config.xml': config({ body }),
  'www/index.html': '<script src="app.js"></script>',
  'www/app.js': script,
});

describe('the scan of the pages in an Android package', () => {
  it('lists permissions, with the first file or plugin that requests each', async () => {
    const { permissions } = await scan({
      'index.html': '<script>navigator.geolocation.watchPosition(show)</script>',
      'js/scan.js': '\n// getUserMedia({audio: true})\nnavigator.mediaDevices.getUserMedia({ video: true });',
      'js/scan2.js': 'navigator.mediaDevices.getUserMedia({ video: true });',
    });
    assert.deepEqual(permissions, ['camera js/scan.js', 'location index.html']);
  });

  it('lists plugins’ permissions, by all their names, if config.xml allows them', async () => {
    const script = 'navigator.mediaDevices.getUserMedia({ audio: true })';
    const plugins =
      '<plugin name="org.apache.cordova.geolocation"/><platform name="ios"><plugin name="cordova-plugin-camera"/></platform>';
    const allowed = (value: string): string => `${plugins}<preference name="androidpermissions" value="${value}"/>`;
    assert.deepEqual(
      (await scan(withConfig(plugins, script))).permissions.map((each) =>
        each.replace('cordova-plugin-', 'org.apache.cordova.'),
      ),
      ['microphone www/app.js', 'location org.apache.cordova.geolocation plugin'],
    );
    assert.deepEqual(
      (await scan(withConfig(allowed('none'), script))).permissions.map((each) => each.endsWith('refused')),
      [true, true],
    );
    assert.equal((await scan(withConfig(allowed('microphone'), script))).permissions[0], 'microphone www/app.js');
    assert.equal((await scan(withConfig(allowed('contacts'), script))).permissions[0], 'microphone www/app.js');
  });

  const script = 'const a = 1;\n  fetch("http://api.shop.test/items?key=secret");';
  const said =
    'cleartext mayFail www/app.js:2:10 www/app.js loads from http://api.shop.test, but Android apps can’t load unencrypted addresses. Use https:, or';

  it('lists unencrypted addresses, with the line and a way to allow them', async () => {
    assert.deepEqual((await scan(withConfig('<access origin="*"/>', script))).findings, [
      `${said} add <access origin="http://api.shop.test" /> to config.xml.`,
    ]);
    assert.deepEqual((await scan({ 'index.html': '<img src="http://i.shop.test/a.png">' })).findings, [
      'cleartext mayFail index.html:1:11 index.html loads from http://i.shop.test, but Android apps can’t load unencrypted addresses. ' +
        'Use https:, or choose Save as config.xml, and add <access origin="http://i.shop.test" /> to that file.',
    ]);
    const capacitor = (value: string): Files => ({
      'capacitor.config.json': `{"appId":"com.example.a","webDir":"www"${value}}`,
      'package.json': '{}',
      'www/index.html': '<script src="app.js"></script>',
      'www/app.js': script,
    });
    assert.deepEqual((await scan(capacitor(''))).findings, [
      `${said} set “server.cleartext” to true in capacitor.config.json.`,
    ]);
    assert.deepEqual((await scan(capacitor(',"server":{"cleartext":true}'))).findings, []);
  });

  it('lists only the first five unencrypted addresses, and counts the others', async () => {
    const many = Array.from({ length: 7 }, (_, index) => `fetch("http://a${index}.test");`).join('\n');
    const { findings } = await scan(withConfig('', many));
    assert.equal(findings.length, 6);
    assert.equal(
      findings[5],
      'cleartext mayFail www/app.js:6:8 2 more addresses that the app loads from aren’t encrypted.',
    );
  });

  const ALLOWING = [
    '<access origin="http://api.shop.test"/>',
    '<allow-navigation href="http://*/*"/>',
    '<plugin name="cordova-plugin-cleartext"/>',
    '<platform name="android"><edit-config file="a" mode="merge" target="/manifest/application"><application android:usesCleartextTraffic="true"/></edit-config></platform>',
    '<config-file target="AndroidManifest.xml" parent="/manifest"><application android:usesCleartextTraffic="true"/></config-file>',
  ];
  it('omits addresses that config.xml, or a plugin in package.json, allows', async () => {
    for (const body of ALLOWING) {
      assert.deepEqual((await scan(withConfig(body, script))).findings, [], body);
    }
    const packageJson = JSON.stringify({ cordova: { plugins: { 'cordova-plugin-cleartext': {} } } });
    assert.deepEqual((await scan({ ...withConfig('', script), 'package.json': packageJson })).findings, []);
  });

  it('lists addresses that only another platform allows', async () => {
    const ios =
      '<platform name="ios"><edit-config file="a" mode="merge" target="b"><a android:usesCleartextTraffic="true"/></edit-config></platform>';
    const off = '<edit-config file="a" mode="merge" target="b"><a android:usesCleartextTraffic="false"/></edit-config>';
    assert.equal((await scan(withConfig(ios + off, script))).findings.length, 1);
    // Builders read the attribute from the elements of the change, not from nested ones.
    const deep =
      '<config-file target="AndroidManifest.xml" parent="/"><manifest><application android:usesCleartextTraffic="true"/></manifest></config-file>';
    assert.equal((await scan(withConfig(deep, script))).findings.length, 1);
  });
});
