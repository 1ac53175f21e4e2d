import assert from 'node:assert/strict';

import { findLayouts, getPackagePath, type ProjectLayout } from '../../../src/web-project/projectLayout.ts';
import { fixtureRows } from '../../support/fixtureRows.ts';
import { inProject } from '../../support/folderChecks.ts';
import type { Files } from '../../support/packing.ts';
import { builtFiles, PROJECTS } from '../../support/webProjects.ts';

const PAGE = '<!doctype html><p>Page</p>';
const CONFIG = '<widget id="a.b"><name>A</name></widget>';
const VITE = '{"scripts":{"build":"vite build"},"devDependencies":{"vite":"8.0.0"}}';
const SOURCE = '<!doctype html>\n<script type="module" src="/src/main.tsx"></script>';

/** Describes each layout by kind, pages folder, and state, with the names in the state. */
function shown({ kind, app, config, pages, state }: ProjectLayout): string {
  const what = 'file' in state ? ` ${state.file}:${state.line ?? '-'}` : '';
  const [name, above] = [app === undefined ? '' : ` ${app}`, config === undefined ? '' : ` ${config}`];
  return `${kind}${name}${above} “${pages}” ${state.kind}${what}`;
}

describe('the layout of a folder', () => {
  const layouts = (files: Files, pages?: string): Promise<readonly string[]> =>
    inProject(files, async (project) => (await findLayouts(project, pages)).map(shown));

  for (const project of PROJECTS) {
    const { kind, pages, source, command } = project;
    it(`describes a ${kind} project with its pages folder, whether or not the folder exists yet`, async () => {
      const config = kind === 'cordova' ? ' config.xml' : '';
      assert.deepEqual(await layouts(builtFiles(project)), [`${kind}${config} “${pages}” built`]);
      if (command !== undefined) {
        assert.deepEqual(await layouts(source), [`${kind} “${pages}” notBuilt`]);
      }
    });
  }

  for (const { title, files, expected } of fixtureRows('layouts.txt', { PAGE, CONFIG, SOURCE, VITE })) {
    it(`recognizes ${title}`, async () => assert.equal((await layouts(files)).join('; '), expected));
  }

  it('uses the pages folder that the user chose if the configuration computes it', async () => {
    const files = {
      'package.json': VITE,
      'vite.config.js': 'export default { build: { outDir: out() } }',
      'index.html': SOURCE,
    };
    assert.deepEqual(await layouts({ ...files, 'web/index.html': PAGE }, 'web'), ['vite “web” built']);
    assert.deepEqual(await layouts(files, 'web'), ['vite “web” notBuilt']);
  });

  it('uses the folder that the user chose if the specified one has no page', async () => {
    const files = { 'package.json': VITE, 'vite.config.js': 'export default {}', 'index.html': SOURCE };
    const written = { ...files, 'dist/www/index.html': PAGE };
    assert.deepEqual(await layouts(written, 'dist/www'), ['vite “dist/www” built']);
    assert.deepEqual(await layouts(files, 'dist/www'), ['vite “dist” notBuilt']);
    assert.deepEqual(await layouts({ ...written, 'dist/index.html': PAGE }, 'dist/www'), ['vite “dist” built']);
  });

  it('puts the pages into www, next to config.xml', () => {
    const own = { config: 'config.xml', pages: 'dist' };
    assert.equal(getPackagePath(own, 'dist/a/b.js'), 'www/a/b.js');
    assert.equal(getPackagePath(own, 'res/icon.png'), 'res/icon.png');
    assert.equal(getPackagePath({ config: undefined, pages: '' }, 'a.js'), 'www/a.js');
    assert.equal(getPackagePath({ config: 'config.xml', pages: '' }, 'a.js'), 'a.js');
    assert.equal(getPackagePath({ config: 'www/config.xml', pages: 'www' }, 'www/config.xml'), 'www/config.xml');
    for (const pages of ['dist', 'cordova/www', '']) {
      const beside = { config: 'cordova/config.xml', pages };
      assert.equal(getPackagePath(beside, 'cordova/config.xml'), 'config.xml');
      assert.equal(getPackagePath(beside, 'cordova/res/icon.png'), 'res/icon.png');
      assert.equal(getPackagePath(beside, `${pages === '' ? '' : `${pages}/`}a.js`), 'www/a.js');
    }
  });
});
