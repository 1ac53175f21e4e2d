import assert from 'node:assert/strict';

import { readClobbers, pluginsBesideConfig, projectPlugins } from '../../../src/web-project/projectPlugins.ts';
import { config } from '../../support/failingFolders.ts';
import { inProject } from '../../support/folderChecks.ts';
import type { Files } from '../../support/packing.ts';

/** Describes each plugin with its spec, its source, and its variables. */
const getPlugins = (files: Files, layoutConfig?: string): Promise<readonly string[]> =>
  inProject(files, async (folder) =>
    (await projectPlugins(folder, { config: layoutConfig })).map(({ name, spec = '', variables, platform, location }) =>
      [
        `${name}@${spec}`,
        `${location.path}${location.start === undefined ? '' : `:${location.start.line + 1}`}`,
        ...Object.entries(variables).map((each) => each.join('=')),
        ...(platform === undefined ? [] : [platform]),
      ].join(' '),
    ),
  );

const json = (value: unknown): string => JSON.stringify(value, undefined, 1);

describe('the list of a project’s Cordova plugins', () => {
  it('reads plugins from config.xml, except PhoneGap 2 classes', async () => {
    const body =
      '<plugin name="cordova-plugin-device" spec="^2.0.0"/>\n<gap:plugin name="org.apache.cordova.camera" version="1"/>\n' +
      '<plugin name="Geolocation" value="org.apache.cordova.GeoBroker"/>\n' +
      '<platform name="ios"><plugin name="p"><variable name="KEY" value="k"/></plugin></platform>';
    assert.deepEqual(await getPlugins({ 'config.xml': config({ body }) }, 'config.xml'), [
      'cordova-plugin-device@^2.0.0 config.xml:4',
      'org.apache.cordova.camera@1 config.xml:5',
      'p@ config.xml:7 KEY=k ios',
    ]);
  });

  it('reads package.json: Cordova’s section, dependencies with known names, and installed plugins', async () => {
    const packageJson = json({
      dependencies: {
        'cordova-plugin-file': '^7.0.0',
        '@types/cordova-plugin-file': '1.0.0',
        '@ionic-native/camera': '5.0.0',
        'cordova-android': '12.0.0',
        'es6-promise-plugin': '4.0.0',
        'my-own-thing': 'file:../thing',
        'left-pad': '1.0.0',
        'cordova-plugin-camera': '~7.0.0',
        'cordova-plugin-media': '~/plugins/media',
      },
      devDependencies: { 'cordova-plugin-device': 'github:apache/cordova-plugin-device', '@me/cordova-plugin-x': '1' },
      cordova: { plugins: { 'cordova-plugin-device': {}, 'cordova-plugin-facebook4': { APP_ID: '12' } } },
    });
    assert.deepEqual(
      await getPlugins({ 'package.json': packageJson, 'node_modules/my-own-thing/plugin.xml': '<plugin/>' }),
      [
        'cordova-plugin-device@github:apache/cordova-plugin-device package.json:14',
        '@me/cordova-plugin-x@1 package.json:15',
        'cordova-plugin-file@^7.0.0 package.json:3',
        'es6-promise-plugin@4.0.0 package.json:7',
        'my-own-thing@ package.json:8',
        'cordova-plugin-camera@~7.0.0 package.json:10',
        'cordova-plugin-media@ package.json:11',
        'cordova-plugin-facebook4@ package.json:20 APP_ID=12',
      ],
    );
  });

  it('reads the plugin list of Ionic 1', async () => {
    const cordovaPlugins = [
      'org.apache.cordova.device',
      'cordova-plugin-camera@1.2.0',
      { id: 'cordova-plugin-facebook4', locator: 'https://example.com/x.git', variables: { APP_ID: '1' } },
      'https://example.com/x.git',
      7,
    ];
    assert.deepEqual(await getPlugins({ 'package.json': json({ cordovaPlugins }) }), [
      'org.apache.cordova.device@ package.json:3',
      'cordova-plugin-camera@ package.json',
      'cordova-plugin-facebook4@ package.json:6 APP_ID=1',
    ]);
  });

  it('reads plugins from the folders src-cordova, cordova, and plugins', async () => {
    assert.deepEqual(
      await getPlugins({
        'src-cordova/config.xml': config({ body: '<plugin name="cordova-plugin-a" spec="1"/>' }),
        'src-cordova/package.json': json({ cordova: { plugins: { 'cordova-plugin-b': {} } } }),
        'cordova/package.json': json({ devDependencies: { 'cordova-plugin-c': '3' } }),
        'plugins/cordova-plugin-d/plugin.xml': '<plugin/>',
        'plugins/cordova-plugin-e/plugin.xml': '<plugin/>',
        'plugins/@me/cordova-plugin-g/plugin.xml': '<plugin/>',
        'plugins/readme/readme.md': '',
        'plugins/fetch.json': json({
          '@me/cordova-plugin-g': { is_top_level: true },
          'cordova-plugin-d': { is_top_level: true },
          'cordova-plugin-e': { is_top_level: false },
        }),
        'src-cordova/plugins/cordova-plugin-f/plugin.xml': '<plugin/>',
        'src-cordova/plugins/@me/cordova-plugin-h/plugin.xml': '<plugin/>',
      }),
      [
        'cordova-plugin-a@1 src-cordova/config.xml:4',
        'cordova-plugin-b@ src-cordova/package.json:4',
        'cordova-plugin-c@3 cordova/package.json:3',
        '@me/cordova-plugin-g@ plugins/@me/cordova-plugin-g/plugin.xml',
        'cordova-plugin-d@ plugins/cordova-plugin-d/plugin.xml',
        '@me/cordova-plugin-h@ src-cordova/plugins/@me/cordova-plugin-h/plugin.xml',
        'cordova-plugin-f@ src-cordova/plugins/cordova-plugin-f/plugin.xml',
      ],
    );
  });

  it('lists each plugin once, even if it has two names', async () => {
    const files = {
      'config.xml': config({ body: '<plugin name="org.apache.cordova.device"/>' }),
      'package.json': json({ cordova: { plugins: { 'cordova-plugin-device': {}, 'cordova-plugin-camera': {} } } }),
      'plugins/cordova-plugin-camera/plugin.xml': '<plugin/>',
    };
    const beside = await inProject(files, (folder) => pluginsBesideConfig(folder, { config: 'config.xml' }));
    assert.deepEqual(
      beside.map(({ name, location }) => [name, location.path]),
      [['cordova-plugin-camera', 'package.json']],
    );
  });

  it('reads from plugin.xml the names that pages use for a plugin on Android', async () => {
    const xml =
      '<plugin><js-module src="a.js"><clobbers target="cordova.plugins.a"/></js-module>' +
      '<platform name="android"><js-module src="b.js"><merges target="navigator.b"/></js-module></platform>' +
      '<platform name="ios"><js-module src="c.js"><clobbers target="c"/></js-module></platform></plugin>';
    const files = { 'node_modules/cordova-plugin-a/plugin.xml': xml };
    const clobbers = (name: string, path?: string) => inProject(files, (folder) => readClobbers(folder, name), path);
    assert.deepEqual(await clobbers('cordova-plugin-a'), ['cordova.plugins.a', 'navigator.b']);
    assert.deepEqual(await clobbers('cordova-plugin-a', 'apps/one'), ['cordova.plugins.a', 'navigator.b']);
    assert.equal(await clobbers('cordova-plugin-b'), undefined);
    assert.equal(await clobbers('../node_modules/cordova-plugin-a'), undefined);
  });
});
