import assert from 'node:assert/strict';

import { capacitorFindings } from '../../../../src/projects/preflight/capacitorCheck.ts';
import { inFolder, lineOfFinding } from '../../../support/folderChecks.ts';
import type { Files } from '../../../support/packing.ts';

/** A Capacitor app below apps/web, whose pages run this script. */
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
  inFolder(files, async ({ project, sent }) => (await capacitorFindings(project, sent)).map(lineOfFinding), 'apps/web');

const missing = (name: string, line: number): string =>
  `mayFail package.json:${line} ${name} doesn’t work in the package. Calls to it fail, because it needs native code or a web API that WebView doesn’t have.`;

describe('Capacitor plugins', () => {
  it('work as far as WebView supports them', async () => {
    const plugins = ['share', 'local-notifications', 'status-bar', 'keyboard', 'text-zoom', 'motion', 'device'];
    const web = '{web:()=>import("./web.js")}';
    const script =
      `const a=r("Share",${web}),b=r("LocalNotifications",${web}),c=r("StatusBar"),d=r(\`Keyboard\`),` +
      `e=r("TextZoom",{ios:()=>1}),f=r("Motion",{android:()=>1,ios:()=>1,web:()=>1}),g=r("Device",${web});`;
    assert.deepEqual(
      await found(
        app(
          script,
          plugins.map((name) => `@capacitor/${name}`),
        ),
      ),
      [
        missing('@capacitor/share', 5),
        missing('@capacitor/local-notifications', 6),
        'fine These Capacitor plugins run with their code for the web: @capacitor/motion, @capacitor/device',
        'fine These Capacitor plugins do nothing in the package, and the app works without them: @capacitor/status-bar, @capacitor/keyboard, @capacitor/text-zoom',
      ],
    );
  });

  it('that the table lacks are judged by their code', async () => {
    const names = ['@capacitor-x/a-b', '@capacitor-x/c-d', '@capacitor-x/e-f'];
    const script =
      'r("AB",{\n  electron: 1, web: () => 1 });r("CD",{android: () => 1});r("EF", { ios: 1 });r("GH",{web:1})';
    assert.deepEqual(await found(app(script, names)), [
      missing('@capacitor-x/e-f', 7),
      'fine These Capacitor plugins run with their code for the web: @capacitor-x/a-b, @capacitor-x/c-d',
    ]);
  });

  it('may lack functions, which are reported if the pages call them', async () => {
    const names = ['app', 'clipboard', 'geolocation', 'screen-orientation'].map((name) => `@capacitor/${name}`);
    const partly = (name: string, line: number, calls: string) =>
      `mayFail package.json:${line} @capacitor/${name} works only in part in the package. These calls fail: ${calls}`;
    const works = (...all: readonly string[]) =>
      `fine These Capacitor plugins run with their code for the web: ${all.map((name) => `@capacitor/${name}`).join(', ')}`;
    const script =
      'const A=(0,c.registerPlugin)("App",{web:1}),C=r("Clipboard",{web:1}),G=r("Geolocation",{web:1}),o=r("ScreenOrientation",{web:1});';
    const called = await found(
      app(`${script}A.getInfo().then(x);A.exitApp();C.write(1);B.read();G.watch();o.lock();`, names),
    );
    assert.deepEqual(called, [
      partly('app', 5, 'App.getInfo, App.exitApp'),
      partly('screen-orientation', 8, 'ScreenOrientation.lock'),
      works('clipboard', 'geolocation'),
    ]);
    // Another script imports them under other names.
    const split = {
      'apps/web/www/page.js': 'import{A as q}from"./app.js";q.minimizeApp();s.read();s.requestPermissions()',
    };
    assert.deepEqual(await found(app(`${script}export{A,C,G,o}`, names, split)), [
      partly('app', 5, 'App.minimizeApp'),
      partly('geolocation', 7, 'Geolocation.requestPermissions'),
      works('clipboard', 'screen-orientation'),
    ]);
  });

  it('may need another package, or work differently', async () => {
    const script =
      'r("Camera",{web:1});r("CapacitorSQLite",{web:1});r("Filesystem",{web:1});r("SecureStorage",{web:1})';
    const names = [
      ...['@capacitor/camera', '@capacitor-community/sqlite', '@capacitor/filesystem'],
      '@aparajita/capacitor-secure-storage',
    ];
    const others = [
      'fine package.json:7 @capacitor/filesystem keeps files in the storage of the pages, where other apps can’t see them.',
      'mayFail package.json:8 @aparajita/capacitor-secure-storage stores its values without encryption in the package.',
    ];
    assert.deepEqual(await found(app(script, names)), [
      'mayFail package.json:5 @capacitor/camera doesn’t fully work in the package without @ionic/pwa-elements, which the app doesn’t have.',
      'mayFail package.json:6 @capacitor-community/sqlite doesn’t fully work in the package without jeep-sqlite, which the app doesn’t have.',
      ...others,
    ]);
    assert.deepEqual(await found(app(script, [...names, '@ionic/pwa-elements', 'jeep-sqlite'])), [
      ...others,
      'fine These Capacitor plugins run with their code for the web: @capacitor/camera, @capacitor-community/sqlite',
    ]);
  });

  it('include Capacitor’s HTTP client, which sends requests the way a page does', async () => {
    const message =
      'In the package, CapacitorHttp sends requests the way a page does, so servers have to allow the app’s origin (CORS).';
    const registered = 'const h=r("CapacitorHttp",{web:()=>1});';
    assert.deepEqual(await found(app(registered, [])), []);
    assert.deepEqual(await found(app(`${registered}h.get({url:1})`, [])), [`mayFail capacitor.config.json ${message}`]);
    const config = '{\n  "webDir": "www",\n  "plugins": { "CapacitorHttp": { "enabled": true } }\n}';
    assert.deepEqual(await found(app(registered, [], { 'apps/web/capacitor.config.json': config })), [
      `mayFail capacitor.config.json:3 ${message}`,
    ]);
  });

  it('are not what the pages do not use, or only ask for, as Ionic does', async () => {
    const script = 'if(e?.isPluginAvailable("Share"))return e.Plugins.Share;const x="Haptics";t("Share"),t("App",1)';
    assert.deepEqual(await found(app(script, ['@capacitor/share', '@capacitor/haptics', '@capacitor/app'])), []);
  });

  it('have the names that their code registers, where they are installed; other packages are none', async () => {
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

  it('are looked for in Capacitor projects only', async () => {
    const files = app('r("Share",{web:1})', ['@capacitor/share']);
    assert.deepEqual(await found(files), [missing('@capacitor/share', 5)]);
    const others = Object.entries(files).filter(([name]) => !name.endsWith('capacitor.config.json'));
    assert.deepEqual(await found(Object.fromEntries(others)), []);
  });
});
