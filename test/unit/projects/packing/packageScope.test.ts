import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';

import { packagePathOf } from '../../../../src/projects/layout.ts';
import { PackingError } from '../../../../src/projects/packing/packingError.ts';
import { folderOf, pathsOf, plan, reasonsOf, type Files } from '../../../support/packing.ts';

const PAGE = '<!doctype html><p>Page</p>';

describe('what of a project is sent', () => {
  async function planned(files: Files) {
    const { folder, remove } = await folderOf(files);
    try {
      return await plan(folder);
    } finally {
      await remove();
    }
  }

  const CORDOVA: Files = {
    'config.xml':
      '<widget id="a.b"><name>A</name><icon src="res/icon.png"/><platform name="android"><splash src="res/a/splash.png"/></platform></widget>',
    'www/index.html': PAGE,
    'www/.env': 'A=1',
    'merges/android/a.css': '',
    'res/icon.png': '',
    'res/a/splash.png': '',
    'res/a/other.png': '',
    'android/app/build.gradle': '',
    'src/app.ts': '',
    'package.json': '{}',
    'passwords.txt': '',
    '.env': 'A=1',
    'node_modules/a/b.js': '',
  };

  it('is config.xml, its pages and what it names, and nothing beside them', async () => {
    const found = await planned(CORDOVA);
    assert.deepEqual(pathsOf(found), [
      'config.xml',
      'merges/android/a.css',
      'res/a/splash.png',
      'res/icon.png',
      'www/index.html',
    ]);
    assert.deepEqual(reasonsOf(found), {
      '.env': 'outside',
      'android/': 'outside',
      'node_modules/': 'notPartOfApp',
      'package.json': 'outside',
      'passwords.txt': 'outside',
      'res/a/other.png': 'outside',
      'src/': 'outside',
      'www/.env': 'secret',
    });
  });

  it('is config.xml and its files from a folder for Cordova, and the pages of the tool', async () => {
    const found = await planned({
      'package.json': '{"dependencies":{"@quasar/app-vite":"2"}}',
      'quasar.config.js': 'export default {}',
      'index.html': PAGE,
      'dist/spa/index.html': PAGE,
      'dist/spa/img/icon.png': '',
      'res/icon.png': '',
      'src-cordova/config.xml':
        '<widget id="a.b"><name>A</name><icon src="res/icon.png"/><icon src="www/img/icon.png"/></widget>',
      'src-cordova/res/icon.png': '',
      'src-cordova/merges/android/a.css': '',
      'src-cordova/package.json': '{}',
      'src-cordova/www/index.html': PAGE,
      'src-cordova/plugins/a/plugin.xml': '',
    });
    assert.deepEqual(
      pathsOf(found).map((file) => packagePathOf(found.layout, file)),
      ['www/img/icon.png', 'www/index.html', 'config.xml', 'merges/android/a.css', 'res/icon.png'],
    );
    assert.equal(found.config, undefined);
  });

  it('is no folder that config.xml names, for it names files, also where that is a link', async () => {
    const { folder, remove } = await folderOf({
      ...CORDOVA,
      'config.xml': '<widget><icon src="src"/><resource-file src="linked"/><icon src="src/deep/icon.png"/></widget>',
      'src/deep/icon.png': '',
    });
    try {
      await symlink('src', path.join(folder, 'linked'), 'junction');
      const found = await plan(folder);
      assert.deepEqual(pathsOf(found), ['config.xml', 'merges/android/a.css', 'src/deep/icon.png', 'www/index.html']);
      assert.equal(reasonsOf(found)['linked/'], 'outside');
    } finally {
      await remove();
    }
  });

  it('is what a line of .appbuildignore takes in, too; a secret still needs a yes', async () => {
    const found = await planned({ ...CORDOVA, '.appbuildignore': '!src\n!/.env\n', 'src/deep/b.ts': '' });
    assert.deepEqual(pathsOf(found).slice(-4), ['res/icon.png', 'src/app.ts', 'src/deep/b.ts', 'www/index.html']);
    assert.deepEqual(
      found.suspects.filter(({ isRequested }) => isRequested).map(({ file }) => file.path),
      ['.env'],
    );
  });

  it('is the folder that a tool writes, whatever Git leaves out of it, and what lies beside it stays', async () => {
    const nuxt = {
      '.gitignore': '.output\n',
      'package.json': '{"scripts":{"generate":"nuxt generate"},"dependencies":{"nuxt":"4"}}',
      'nuxt.config.ts': 'export default defineNuxtConfig({})',
      '.output/public/index.html': PAGE,
      '.output/public/_nuxt/a.js': '',
      '.output/server/index.mjs': '',
    };
    const found = await planned(nuxt);
    assert.deepEqual(pathsOf(found), ['.output/public/_nuxt/a.js', '.output/public/index.html']);
    assert.equal(reasonsOf(found)['.output/server/'], 'outside');
    assert.deepEqual(
      found.made.map(({ path }) => path),
      ['config.xml'],
    );
    const rollup = {
      '.gitignore': '/public/build/\n',
      'package.json': '{"scripts":{"build":"rollup -c"}}',
      'public/index.html': '<!doctype html><script defer src="build/a.js"></script><p>A</p>',
      'public/build/a.js': '',
    };
    assert.deepEqual(pathsOf(await planned(rollup)), ['public/build/a.js', 'public/index.html']);
  });

  it('is nothing of a page that only a tool can read, or that is not there', async () => {
    const source = '<!doctype html>\n<script type="module" src="/src/main.ts"></script>';
    const cases: readonly (readonly [Files, string])[] = [
      [{ 'index.html': source }, 'sourcePage'],
      [{ 'config.xml': '<widget/>', 'www/index.html': source }, 'sourcePage'],
      [{ 'capacitor.config.json': '{"webDir":"dist"}', 'index.html': PAGE }, 'notBuilt'],
    ];
    for (const [files, problem] of cases) {
      await assert.rejects(planned(files), (error) => error instanceof PackingError && error.problem === problem);
    }
    await assert.rejects(
      planned({ 'capacitor.config.ts': "export default { appId: 'a.b', webDir", 'www/index.html': PAGE }),
      /capacitor\.config\.ts has a syntax error or is too large to read/,
    );
  });
});
