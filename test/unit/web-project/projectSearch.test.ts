import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

import { URI } from 'vscode-uri';

import { CancelledError } from '../../../src/errors/index.ts';
import { DiskTree, ProjectFolder } from '../../../src/web-project/projectFolder.ts';
import { PackingError } from '../../../src/web-project/packing/packingError.ts';
import { findWebProjects, getProjectKey, projectFolder, readProject } from '../../../src/web-project/projectSearch.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { fixtureRows } from '../../support/fixtureRows.ts';
import { addFiles, fileUri, type Files } from '../../support/packing.ts';

const PAGE = '<!doctype html>';

describe('findWebProjects', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  /** Describes each project as `path name`. */
  async function search(files: Files): Promise<readonly string[]> {
    await addFiles(folder, files);
    const projects = await findWebProjects(fileUri(folder));
    for (const { uri, path: below } of projects) {
      assert.equal(uri.fsPath, path.join(folder, below));
    }
    return projects.map(
      ({ path: below, name }) => `${below === '' ? '.' : below}${name === undefined ? '' : ` ${name}`}`,
    );
  }

  for (const { title, files, expected } of fixtureRows('projectSearch.txt', { PAGE })) {
    it(`finds ${title}`, async () => assert.equal((await search(files)).join('; '), expected));
  }

  it('doesn’t read more folders than its limit', async () => {
    const files = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`${index}/index.html`, PAGE]));
    await addFiles(folder, files);
    const found = await findWebProjects(fileUri(folder));
    // The folder itself is one of the thousand.
    assert.equal(found.length, 999);
    assert.equal(found.searchedOnly, 1_000);
    await Promise.all(['0', '1'].map((name) => rm(path.join(folder, name), { recursive: true })));
    assert.equal((await findWebProjects(fileUri(folder))).searchedOnly, undefined);
  });

  it('doesn’t read more text than its limit', async () => {
    const page = PAGE + ' '.repeat(1_000_000 - PAGE.length);
    await addFiles(folder, Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}/index.html`, page])));
    const found = await findWebProjects(fileUri(folder));
    // The folder itself has no text. After 33 pages, the limit of 32 million bytes is exceeded.
    assert.equal(found.searchedOnly, 34);
    assert.equal(found.length, 33);
  });

  it('reports a missing folder, and ends when it’s canceled', async () => {
    const gone = path.join(import.meta.dirname, 'gone');
    await assert.rejects(findWebProjects(fileUri(gone)), (error) => {
      assert.ok(error instanceof PackingError);
      assert.equal(error.message, 'The folder gone can’t be found.');
      return true;
    });
    const remote = URI.parse('vscode-remote://ssh-remote+host/repo');
    await assert.rejects(findWebProjects(remote), /The folder repo isn’t on a disk of the computer/);
    const here = import.meta.dirname;
    await assert.rejects(findWebProjects(fileUri(here), AbortSignal.abort()), CancelledError);
    // A file system that never responds doesn't block the caller.
    const stop = new AbortController();
    const silent = Object.assign(new DiskTree(here), { list: () => new Promise<never>(() => undefined) });
    const waiting = findWebProjects(fileUri(here), stop.signal, undefined, silent);
    stop.abort();
    await assert.rejects(waiting, CancelledError);
  });

  it('finds each app of an Angular workspace', async () => {
    const architect = (outputPath: string) => ({
      build: { builder: '@angular/build:application', options: { outputPath } },
    });
    await addFiles(folder, {
      'angular.json': JSON.stringify({
        projects: {
          shop: { projectType: 'application', architect: architect('out/shop') },
          admin: { projectType: 'application', architect: architect('out/admin') },
          library: { projectType: 'library', architect: architect('out/library') },
        },
      }),
      'out/admin/browser/index.html': '<!doctype html><title>Administration</title><p>Page</p>',
    });
    const projects = await findWebProjects(fileUri(folder));
    assert.deepEqual(
      projects.map((project) => [getProjectKey(project), project.layout.state.kind, project.name]),
      [
        ['#admin', 'built', 'Administration'],
        ['#shop', 'notBuilt', undefined],
      ],
    );
    const [first, second] = projects;
    assert.ok(first !== undefined && second !== undefined);
    // A second search finds it by its name.
    const tree = new DiskTree(folder);
    assert.equal((await readProject(new ProjectFolder(tree, ''), second)).layout.pages, 'out/shop/browser');
    assert.equal((await readProject(new ProjectFolder(tree, ''), first)).layout.pages, 'out/admin/browser');
  });

  it('doesn’t run code from the files that it reads', async () => {
    const trap = `require('node:fs').writeFileSync(require('node:path').join(__dirname, 'trap'), ''); throw new Error('run');`;
    await addFiles(folder, {
      'package.json':
        '{"scripts":{"build":"vite build"},"dependencies":{"vite":"8","next":"16","astro":"7","nuxt":"4"}}',
      'vite.config.js': `${trap} module.exports = { build: { outDir: (() => { ${trap} })() } };`,
      'next.config.js': `${trap} module.exports = { output: 'export' };`,
      'astro.config.mjs': `${trap} export default { outDir: 'a' };`,
      'capacitor.config.ts': `${trap} export default { appId: 'a.b', webDir: 'dist' };`,
      'dist/index.html': PAGE,
    });
    const [project] = await findWebProjects(fileUri(folder));
    assert.equal(project?.layout.kind, 'capacitor');
    assert.ok(!(await readdir(folder)).includes('trap'));
  });

  it('reports a project whose page no longer exists', async () => {
    await addFiles(folder, { 'index.html': PAGE, 'other.txt': '' });
    const [project] = await findWebProjects(fileUri(folder));
    assert.ok(project !== undefined);
    await rm(path.join(folder, 'index.html'));
    await assert.rejects(
      readProject(projectFolder(project), project),
      (error) => error instanceof PackingError && error.code === 'notBuilt',
    );
  });

  it('reads a config.xml in UTF-16', async () => {
    const utf16 = Buffer.from('\uFEFF<widget><name>Größe</name></widget>', 'utf16le');
    assert.deepEqual(await search({ 'config.xml': utf16, 'index.html': PAGE }), ['. Größe']);
  });

  const cases: readonly (readonly [xml: string, name: string | undefined, id: string | undefined])[] = [
    [
      '<widget id="com.&amp;.b"><name short="x">\n  A &amp; B\n  <![CDATA[<b>]]> </name></widget>',
      'A & B <b>',
      'com.&.b',
    ],
    ['<widget id=""><name> </name></widget>', undefined, undefined],
    ['<widget><preference id="no"/><!-- never closed <name>No</name></widget>', undefined, undefined],
  ];
  for (const [xml, name, id] of cases) {
    it(`reads the name and the ID in ${xml.replaceAll('\n', ' ')}`, async () => {
      await addFiles(folder, { 'config.xml': xml, 'index.html': PAGE });
      const [project] = await findWebProjects(fileUri(folder));
      assert.deepEqual([project?.facts.name?.value, project?.facts.id?.value], [name, id]);
    });
  }
});
