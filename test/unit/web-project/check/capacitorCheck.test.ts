import assert from 'node:assert/strict';

import { capacitorFindings } from '../../../../src/web-project/check/capacitorCheck.ts';
import { inFolder, formatFinding } from '../../../support/folderChecks.ts';
import type { Files } from '../../../support/packing.ts';

/** Creates a Capacitor app in apps/web whose pages run this script. */
function app(script: string, plugins: readonly string[], more: Files = {}): Files {
  const dependencies = Object.fromEntries(
    ['@capacitor/core', '@capacitor/android', ...plugins].map((name) => [name, '8']),
  );
  return {
    'apps/web/capacitor.config.json': '{"webDir":"www"}',
    'apps/web/package.json': JSON.stringify({ dependencies }, undefined, 2),
    'apps/web/www/index.html': '<!doctype html><script src="app.js"></script>',
    'apps/web/www/app.js': script,
    ...more,
  };
}

const found = (files: Files): Promise<readonly string[]> =>
  inFolder(files, async ({ project, sent }) => (await capacitorFindings(project, sent)).map(formatFinding), 'apps/web');

const missing = (name: string, line: number): string =>
  `mayFail package.json:${line} ${name} doesn’t work in the package. Calls to it fail, because it needs native code or a web API that WebView doesn’t have.`;

describe('the check of Capacitor plugins', () => {
  it('accepts plugins that have native code in the package or a web implementation', async () => {
    const plugins = ['share', 'push-notifications', 'status-bar', 'privacy-screen', 'motion', 'device'];
    const web = '{web:()=>import("./web.js")}';
    const script =
      `const a=r("Share",${web}),b=r("PushNotifications",${web}),c=r("StatusBar"),d=r("PrivacyScreen",${web}),` +
      `f=r("Motion",{android:()=>1,ios:()=>1,web:()=>1}),g=r("Device",${web});`;
    assert.deepEqual(
      await found(
        app(
          script,
          plugins.map((name) => `@capacitor/${name}`),
        ),
      ),
      [
        missing('@capacitor/push-notifications', 6),
        'fine The package contains the native code for these Capacitor plugins: @capacitor/share, @capacitor/status-bar, @capacitor/device',
        'fine These Capacitor plugins work with their web implementation: @capacitor/motion',
        'fine These Capacitor plugins do nothing in the package. The app works without them: @capacitor/privacy-screen',
      ],
    );
  });

  it('examines the code of plugins that aren’t in the table', async () => {
    const names = ['@capacitor-x/a-b', '@capacitor-x/c-d', '@capacitor-x/e-f'];
    const script =
      'r("AB",{\n  electron: 1, web: () => 1 });r("CD",{android: () => 1});r("EF", { ios: 1 });r("GH",{web:1})';
    assert.deepEqual(await found(app(script, names)), [
      missing('@capacitor-x/e-f', 7),
      'fine These Capacitor plugins work with their web implementation: @capacitor-x/a-b, @capacitor-x/c-d',
    ]);
  });

  it('reports missing functions that the pages call, and functions that work differently', async () => {
    const names = ['@capacitor-mlkit/barcode-scanning', '@aparajita/capacitor-secure-storage'];
    const partly = (calls: string) =>
      `mayFail package.json:5 @capacitor-mlkit/barcode-scanning works only partially in the package. These calls fail: ${calls}`;
    const differs =
      'mayFail package.json:6 @aparajita/capacitor-secure-storage stores its values without encryption in the package.';
    const script = 'const B=(0,c.registerPlugin)("BarcodeScanner",{web:1}),s=r("SecureStorage",{web:1});';
    const called = await found(app(`${script}B.scan().then(x);B.openSettings();B.startScan()`, names));
    assert.deepEqual(called, [partly('BarcodeScanner.scan, BarcodeScanner.openSettings'), differs]);
    // Another script imports the plugin under another name.
    const split = { 'apps/web/www/page.js': 'import{B as q}from"./app.js";q.toggleTorch();s.scan()' };
    assert.deepEqual(await found(app(`${script}export{B}`, names, split)), [
      partly('BarcodeScanner.toggleTorch'),
      differs,
    ]);
    assert.deepEqual(await found(app(`${script}B.startScan()`, names)), [
      differs,
      'fine These Capacitor plugins work with their web implementation: @capacitor-mlkit/barcode-scanning',
    ]);
  });

  describe('with Capacitor’s HTTP client', () => {
    const registered = 'const h=r("CapacitorHttp",{web:()=>1});';
    const enabled = {
      'apps/web/capacitor.config.json':
        '{\n  "webDir": "www",\n  "plugins": { "CapacitorHttp": { "enabled": true } }\n}',
    };
    const added = (files: Files): Promise<readonly string[]> =>
      inFolder(files, ({ sent }) => (sent.config?.text.match(/<plugin [^>]+>/g) ?? []).map(String), 'apps/web');
    const CORE = ['<plugin name="@capacitor/core" spec="8" />'];

    it('adds the native code if the pages call it', async () => {
      const native = ['fine The package contains the native code for these Capacitor plugins: CapacitorHttp'];
      for (const name of ['get', 'patch']) {
        const files = app(`${registered}h.${name}({url:1})`, []);
        assert.deepEqual([await found(files), await added(files)], [native, CORE]);
      }
      const unused = app(registered, []);
      assert.deepEqual([await found(unused), await added(unused)], [[], []]);
    });

    it('adds the native code if the client is enabled, although fetch sends requests as in a browser', async () => {
      const files = app(registered, [], enabled);
      const message =
        'In the package, fetch and XMLHttpRequest send requests the way a page does, even with CapacitorHttp enabled, so servers have to allow the app’s origin (CORS).';
      assert.deepEqual(
        [await found(files), await added(files)],
        [[`mayFail capacitor.config.json:3 ${message}`], CORE],
      );
    });

    it('accepts the client alongside other plugins, including in the project’s config.xml', async () => {
      const files = app(`${registered}h.get({url:1})`, ['@capacitor/device', 'cordova-plugin-ble-central']);
      const names = CORE.concat('<plugin name="@capacitor/device" spec="8" />').sort();
      assert.deepEqual((await added(files)).toSorted(), names);
      const saved = await inFolder(files, ({ sent }) => sent.config?.text ?? '', 'apps/web');
      const withOwn = { ...files, 'apps/web/config.xml': saved };
      assert.equal(saved.split('@capacitor/core').length, 2);
      await inFolder(
        withOwn,
        ({ sent }) => assert.deepEqual(sent.files.map(({ withPlugins }) => withPlugins).filter(Boolean), []),
        'apps/web',
      );
    });
  });

  it('ignores plugins that the pages don’t use, and plugins that they only check for, as Ionic does', async () => {
    const script = 'if(e?.isPluginAvailable("Share"))return e.Plugins.Share;const x="Haptics";t("Share"),t("App",1)';
    assert.deepEqual(await found(app(script, ['@capacitor/share', '@capacitor/haptics', '@capacitor/app'])), []);
  });

  it('uses the names registered in the code of installed plugins, and ignores other packages', async () => {
    const installed = (name: string, json: object, code: string): Files => ({
      [`node_modules/${name}/package.json`]: JSON.stringify(json),
      [`node_modules/${name}/dist/esm/index.js`]: code,
    });
    const files = app('r("SpeakAloud");r("Lodash");', ['community-speech', 'lodash'], {
      ...installed('community-speech', { capacitor: { android: {} } }, "const a = registerPlugin('SpeakAloud');"),
      ...installed('lodash', {}, ''),
    });
    assert.deepEqual(await found(files), [missing('community-speech', 5)]);
  });

  it('searches only Capacitor projects', async () => {
    const files = app('r("PushNotifications",{web:1})', ['@capacitor/push-notifications']);
    assert.deepEqual(await found(files), [missing('@capacitor/push-notifications', 5)]);
    const others = Object.entries(files).filter(([name]) => !name.endsWith('capacitor.config.json'));
    assert.deepEqual(await found(Object.fromEntries(others)), []);
  });
});
