import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';

import { inFolder } from '../../../support/folderChecks.ts';
import { folderOf, pathsOf, plan, reasonsOf, type Files } from '../../../support/packing.ts';

const PAGE = '<!doctype html><p>Page</p>';

describe('what of a project is sent', () => {
  const planned = (files: Files) => inFolder(files, ({ sent }) => sent);

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
});
