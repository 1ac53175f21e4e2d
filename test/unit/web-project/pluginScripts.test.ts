import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';

import type { MadeFile } from '../../../src/web-project/projectLayout.ts';
import { readPluginScripts } from '../../../src/web-project/projectPlugins.ts';
import { DiskTree, ProjectFolder } from '../../../src/web-project/projectFolder.ts';
import { config } from '../../support/failingFolders.ts';
import { inFolder, inProject } from '../../support/folderChecks.ts';
import { createFolder, type Files } from '../../support/packing.ts';

const xml = (id: string, body: string): string =>
  `<?xml version="1.0"?><plugin xmlns="http://apache.org/cordova/ns/plugins/1.0" id="${id}" version="2.1.0">${body}</plugin>`;

const scripts = (files: Files, ...names: readonly string[]): Promise<readonly MadeFile[]> =>
  inProject(files, (folder) => readPluginScripts(folder, names));

/** Returns the module list as cordova.js reads it. */
function getList(files: readonly MadeFile[]): readonly Readonly<Record<string, unknown>>[] {
  const file = files.find(({ path }) => path === 'cordova_plugins.js');
  const module = { exports: [] as readonly Readonly<Record<string, unknown>>[] };
  const define = (_: string, factory: (...args: readonly unknown[]) => void): void =>
    factory(undefined, undefined, module);
  runInContext(Buffer.from(file?.bytes ?? []).toString(), createContext({ cordova: { define } }));
  return JSON.parse(JSON.stringify(module.exports)) as typeof module.exports;
}

describe('the list of plugin scripts', () => {
  const CAMERA = {
    'node_modules/cordova-plugin-camera/plugin.xml': xml(
      'cordova-plugin-camera',
      '<js-module src="www/Camera.js" name="camera"><clobbers target="navigator.camera"/><merges target="device"/></js-module>' +
        '<platform name="android"><js-module src="www/./android/Handle.js" name=""><runs/></js-module></platform>' +
        '<platform name="ios"><js-module src="www/ios.js" name="ios"/></platform>' +
        '<js-module src="../secret.js" name="a"/><js-module src="/etc/passwd" name="b"/><js-module src=".." name="e"/><js-module src="www/gone.js" name="c"/>' +
        '<js-module name="d"/><source-file src="src/android/Camera.java"/>',
    ),
    'node_modules/cordova-plugin-camera/www/Camera.js': 'exports.take = 1;',
    'node_modules/cordova-plugin-camera/www/android/Handle.js': 'exports.handle = 2;',
    'node_modules/cordova-plugin-camera/www/ios.js': '',
    'node_modules/secret.js': 'secret',
  };

  it('contains the Android modules of plugin.xml, in the plugin’s folder, wrapped like Cordova’s', async () => {
    const found = await scripts(CAMERA, 'org.apache.cordova.camera', 'cordova-plugin-camera');
    assert.deepEqual(
      found.map(({ path, bytes }) => [path, path.startsWith('plugins/') ? Buffer.from(bytes).toString() : '']),
      [
        ['cordova_plugins.js', ''],
        [
          'plugins/cordova-plugin-camera/www/Camera.js',
          'cordova.define("cordova-plugin-camera.camera", function (require, exports, module) {\nexports.take = 1;\n});\n',
        ],
        [
          'plugins/cordova-plugin-camera/www/android/Handle.js',
          'cordova.define("cordova-plugin-camera.Handle", function (require, exports, module) {\nexports.handle = 2;\n});\n',
        ],
      ],
    );
    assert.deepEqual(getList(found), [
      {
        id: 'cordova-plugin-camera.camera',
        file: 'plugins/cordova-plugin-camera/www/Camera.js',
        pluginId: 'cordova-plugin-camera',
        clobbers: ['navigator.camera'],
        merges: ['device'],
      },
      {
        id: 'cordova-plugin-camera.Handle',
        file: 'plugins/cordova-plugin-camera/www/android/Handle.js',
        pluginId: 'cordova-plugin-camera',
        runs: true,
      },
    ]);
  });

  it('includes only files in the plugin’s own folder, even through links', async () => {
    const own = 'node_modules/cordova-plugin-camera/';
    const { folder, remove } = await createFolder({
      [`${own}plugin.xml`]: xml(
        'cordova-plugin-camera',
        '<js-module src="out.js" name="a"/><js-module src="in.js" name="b"/>',
      ),
      [`${own}www/b.js`]: '',
      'secret.js': 'secret',
    });
    try {
      await symlink('../../secret.js', path.join(folder, own, 'out.js'));
      await symlink('www/b.js', path.join(folder, own, 'in.js'));
      const found = await readPluginScripts(new ProjectFolder(new DiskTree(folder), ''), ['cordova-plugin-camera']);
      assert.deepEqual(
        found.map((file) => file.path),
        ['cordova_plugins.js', 'plugins/cordova-plugin-camera/www/b.js'],
      );
    } finally {
      await remove();
    }
  });

  it('omits a plugin.xml without an ID or with a path as its ID', async () => {
    for (const id of ['../../../evil', '/evil', '']) {
      const found = await scripts(
        {
          'plugins/cordova-plugin-camera/plugin.xml': xml(id, '<js-module src="a.js" name="a"/>'),
          'plugins/cordova-plugin-camera/a.js': '',
        },
        'cordova-plugin-camera',
      );
      assert.deepEqual(found, [], id);
    }
  });

  it('packs each script once, even if modules share a file or an ID', async () => {
    const found = await scripts(
      {
        'plugins/cordova-plugin-camera/plugin.xml': xml(
          'cordova-plugin-camera',
          ['a', 'b', 'a'].map((name) => `<js-module src="a.js" name="${name}"/>`).join(''),
        ),
        'plugins/cordova-plugin-camera/a.js': '',
      },
      'cordova-plugin-camera',
    );
    assert.deepEqual(
      getList(found).map(({ id, file }) => [id, file]),
      ['a', 'b'].map((name) => [`cordova-plugin-camera.${name}`, 'plugins/cordova-plugin-camera/a.js']),
    );
    assert.equal(found.length, 2);
    assert.equal(
      Buffer.from(found[1]?.bytes ?? [])
        .toString()
        .split('cordova.define').length,
      3,
    );
  });

  it('includes a plugin’s scripts once if it’s installed under two of its names', async () => {
    const [old, name] = ['org.apache.cordova.camera', 'cordova-plugin-camera'];
    const files = Object.fromEntries(
      [old, name].flatMap((id) => [
        [`plugins/${id}/plugin.xml`, xml(id, '<js-module src="a.js" name="a"/>')],
        [`plugins/${id}/a.js`, ''],
      ]),
    );
    assert.deepEqual(
      getList(await scripts(files, old, name)).map(({ id }) => id),
      [`${old}.a`],
    );
  });

  it('excludes plugins for other platforms', async () => {
    const made = (body: string): Promise<readonly string[]> =>
      inFolder({ ...CAMERA, 'config.xml': config({ body }), 'www/index.html': '<p>' }, ({ sent }) =>
        sent.made.map((file) => file.path),
      );
    const plugin = '<plugin name="cordova-plugin-camera"/>';
    assert.deepEqual(await made(`<platform name="ios">${plugin}</platform>`), []);
    assert.equal((await made(`<platform name="android">${plugin}</platform>`)).length, 3);
  });

  it('includes the scripts of dependencies, each once', async () => {
    const module = '<js-module src="a.js" name="a"/>';
    const found = await scripts(
      {
        'plugins/cordova-plugin-media/plugin.xml': xml(
          'cordova-plugin-media',
          `<dependency id="cordova-plugin-file" version="^8.0.0"/><dependency id="unknown"/>${module}`,
        ),
        'plugins/cordova-plugin-media/a.js': '',
        'node_modules/cordova-plugin-file/plugin.xml': xml(
          'cordova-plugin-file',
          `<dependency id="cordova-plugin-media"/>${module}`,
        ),
        'node_modules/cordova-plugin-file/a.js': '',
      },
      'cordova-plugin-media',
      'cordova-plugin-file',
    );
    assert.deepEqual(
      getList(found).map(({ id }) => id),
      ['cordova-plugin-media.a', 'cordova-plugin-file.a'],
    );
  });

  it('excludes plugins that aren’t installed or have no native code in packages', async () => {
    const found = await scripts(
      { 'node_modules/phonegap-plugin-push/plugin.xml': xml('phonegap-plugin-push', '<js-module src="a.js"/>') },
      ...['phonegap-plugin-push', 'cordova-plugin-camera', '@capacitor/device'],
    );
    assert.deepEqual(found, []);
  });
});
