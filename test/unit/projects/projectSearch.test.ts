import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

import { URI } from 'vscode-uri';

import { CancelledError } from '../../../src/api/errors/cancelledError.ts';
import { DiskTree, ProjectFolder } from '../../../src/projects/projectFolder.ts';
import { PackingError } from '../../../src/projects/packing/packingError.ts';
import { findWebProjects, keyOfProject, projectFolder, readProject } from '../../../src/projects/projectSearch.ts';
import { folderOfEachTest } from '../../support/hooks.ts';
import { addFiles, fileUri, folderOf, type Files } from '../../support/packing.ts';

const PAGE = '<!doctype html>';
const config = (name: string): string => `<?xml version='1.0'?><widget id="a.b"><name>${name}</name></widget>`;

describe('findWebProjects', () => {
  let remove = (): Promise<void> => Promise.resolve();
  afterEach(() => remove());

  async function search(files: Files): Promise<readonly (readonly [string, string?])[]> {
    const made = await folderOf(files);
    remove = made.remove;
    const projects = await findWebProjects(fileUri(made.folder));
    for (const { uri, path: below } of projects) {
      assert.equal(uri.fsPath, path.join(made.folder, below));
    }
    return projects.map(({ path: below, name }) => (name === undefined ? [below] : [below, name]));
  }

  const cases: readonly (readonly [title: string, Files, readonly (readonly [string, string?])[]])[] = [
    ['config.xml and www/', { 'config.xml': config('A'), 'www/index.html': PAGE }, [['', 'A']]],
    ['config.xml and a www/ whose page is not built yet', { 'config.xml': config('A'), 'www/': '' }, [['', 'A']]],
    ['config.xml beside the page', { 'config.xml': config('A'), 'index.html': PAGE }, [['', 'A']]],
    ['www/index.html alone', { 'www/index.html': PAGE }, [['']]],
    ['www/ with both', { 'www/index.html': PAGE, 'www/config.xml': config('Inner') }, [['', 'Inner']]],
    ['a page alone', { 'index.html': PAGE }, [['']]],
    ['no page', { 'config.xml': config('A'), 'readme.md': '' }, []],
    ['the config.xml of another tool', { 'config.xml': '<config><modules/></config>', 'www/a.js': '' }, []],
    [
      'a subfolder, and not the templates of packages and builds',
      {
        'package.json': '{}',
        'mobile/app/config.xml': config('Mobile'),
        'mobile/app/www/index.html': PAGE,
        'node_modules/cordova-template/config.xml': config('T'),
        'node_modules/cordova-template/www/index.html': PAGE,
        'platforms/android/www/index.html': PAGE,
        '.cache/index.html': PAGE,
      },
      [['mobile/app', 'Mobile']],
    ],
    [
      'the closest first, then those with a config.xml, then by name',
      {
        'z/config.xml': config('Z'),
        'z/www/index.html': PAGE,
        'b/index.html': PAGE,
        'a/index.html': PAGE,
        'deep/down/config.xml': config('Down'),
        'deep/down/www/index.html': PAGE,
      },
      [['z', 'Z'], ['a'], ['b'], ['deep/down', 'Down']],
    ],
    [
      'below a page only what has a config.xml; below that nothing',
      {
        'index.html': PAGE,
        'docs/index.html': PAGE,
        'app/config.xml': config('App'),
        'app/www/index.html': PAGE,
        'app/www/help/index.html': PAGE,
      },
      [[''], ['app', 'App']],
    ],
    [
      'the packages of a repository, and none of what Git leaves out or Capacitor copies',
      {
        '.gitignore': 'dist\n/copies/\n',
        'package.json': '{"workspaces":["packages/*"],"scripts":{"build":"npm run build -ws"}}',
        'packages/app/capacitor.config.json': '{"appId":"a.b","appName":"Cap","webDir":"dist"}',
        'packages/app/dist/index.html': PAGE,
        'packages/app/android/app/src/main/assets/public/index.html': PAGE,
        'packages/app/ios/App/App/public/index.html': PAGE,
        'packages/ui/package.json': '{"scripts":{"build":"tsc"}}',
        'copies/index.html': PAGE,
      },
      [['packages/app', 'Cap']],
    ],
    [
      'those with pages first, and not the sources of a project beside its pages',
      {
        'a/package.json': '{"name":"unbuilt","scripts":{"build":"vite build"},"devDependencies":{"vite":"8"}}',
        'a/index.html': '<script type="module" src="/src/main.ts"></script>',
        'b/package.json': '{"name":"built","scripts":{"build":"make"}}',
        'b/dist/index.html': PAGE,
        'b/src/index.html': PAGE,
        'b/src/docs/index.html': PAGE,
      },
      [
        ['b', 'built'],
        ['a', 'unbuilt'],
      ],
    ],
    ['nothing deeper than four folders', { 'a/b/c/d/e/index.html': PAGE, 'a/b/c/d/index.html': PAGE }, [['a/b/c/d']]],
  ];
  for (const [title, files, expected] of cases) {
    it(`finds: ${title}`, async () => {
      assert.deepEqual(await search(files), expected);
    });
  }

  it('reads no more folders than it may', async () => {
    const files = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`${index}/index.html`, PAGE]));
    // One of the thousand is the folder itself.
    assert.equal((await search(files)).length, 999);
  });

  it('says that the folder is gone, and ends when it is cancelled', async () => {
    const gone = path.join(import.meta.dirname, 'gone');
    await assert.rejects(findWebProjects(fileUri(gone)), (error) => {
      assert.ok(error instanceof PackingError);
      assert.equal(error.message, 'The folder gone cannot be found.');
      return true;
    });
    const remote = URI.parse('vscode-remote://ssh-remote+host/repo');
    await assert.rejects(findWebProjects(remote), /The folder repo is not on a disk of the computer/);
    const here = import.meta.dirname;
    await assert.rejects(findWebProjects(fileUri(here), AbortSignal.abort()), CancelledError);
    // A file system that never answers keeps nobody.
    const stop = new AbortController();
    const silent = Object.assign(new DiskTree(here), { list: () => new Promise<never>(() => undefined) });
    const waiting = findWebProjects(fileUri(here), stop.signal, undefined, silent);
    stop.abort();
    await assert.rejects(waiting, CancelledError);
  });

  it('finds each app of a workspace of Angular', async () => {
    const architect = (outputPath: string) => ({
      build: { builder: '@angular/build:application', options: { outputPath } },
    });
    const made = await folderOf({
      'angular.json': JSON.stringify({
        projects: {
          shop: { projectType: 'application', architect: architect('out/shop') },
          admin: { projectType: 'application', architect: architect('out/admin') },
          library: { projectType: 'library', architect: architect('out/library') },
        },
      }),
      'out/admin/browser/index.html': '<!doctype html><title>Administration</title><p>Page</p>',
    });
    remove = made.remove;
    const projects = await findWebProjects(fileUri(made.folder));
    assert.deepEqual(
      projects.map((project) => [keyOfProject(project), project.layout.state.kind, project.name]),
      [
        ['#admin', 'built', 'Administration'],
        ['#shop', 'notBuilt', undefined],
      ],
    );
    const [first, second] = projects;
    assert.ok(first !== undefined && second !== undefined);
    // It is found again by its name.
    const tree = new DiskTree(made.folder);
    assert.equal((await readProject(new ProjectFolder(tree, ''), second)).layout.pages, 'out/shop/browser');
    assert.equal((await readProject(new ProjectFolder(tree, ''), first)).layout.pages, 'out/admin/browser');
  });

  it('runs nothing of what it reads', async () => {
    const trap = `require('node:fs').writeFileSync(require('node:path').join(__dirname, 'trap'), ''); throw new Error('run');`;
    const made = await folderOf({
      'package.json':
        '{"scripts":{"build":"vite build"},"dependencies":{"vite":"8","next":"16","astro":"7","nuxt":"4"}}',
      'vite.config.js': `${trap} module.exports = { build: { outDir: (() => { ${trap} })() } };`,
      'next.config.js': `${trap} module.exports = { output: 'export' };`,
      'astro.config.mjs': `${trap} export default { outDir: 'a' };`,
      'capacitor.config.ts': `${trap} export default { appId: 'a.b', webDir: 'dist' };`,
      'dist/index.html': PAGE,
    });
    remove = made.remove;
    const [project] = await findWebProjects(fileUri(made.folder));
    assert.equal(project?.layout.kind, 'capacitor');
    assert.ok(!(await readdir(made.folder)).includes('trap'));
  });

  it('says that a project has lost its page', async () => {
    const made = await folderOf({ 'index.html': PAGE, 'other.txt': '' });
    remove = made.remove;
    const [project] = await findWebProjects(fileUri(made.folder));
    assert.ok(project !== undefined);
    await rm(path.join(made.folder, 'index.html'));
    await assert.rejects(
      readProject(projectFolder(project), project),
      (error) => error instanceof PackingError && error.code === 'notBuilt',
    );
  });

  it('reads a config.xml in UTF-16', async () => {
    const utf16 = Buffer.from(`\uFEFF${config('Größe')}`, 'utf16le');
    assert.deepEqual(await search({ 'config.xml': utf16, 'index.html': PAGE }), [['', 'Größe']]);
  });
});

describe('the name and the ID in a config.xml', () => {
  const cases: readonly (readonly [xml: string, name: string | undefined, id: string | undefined])[] = [
    [
      '<widget id="com.&amp;.b"><name short="x">\n  A &amp; B\n  <![CDATA[<b>]]> </name></widget>',
      'A & B <b>',
      'com.&.b',
    ],
    ['<widget id=""><name> </name></widget>', undefined, undefined],
    ['<widget><preference id="no"/><!-- never closed <name>No</name></widget>', undefined, undefined],
  ];
  let folder: string;
  folderOfEachTest((made) => (folder = made));
  for (const [xml, name, id] of cases) {
    it(xml.replaceAll('\n', ' '), async () => {
      await addFiles(folder, { 'config.xml': xml, 'index.html': PAGE });
      const [project] = await findWebProjects(fileUri(folder));
      assert.deepEqual([project?.facts.name?.value, project?.facts.id?.value], [name, id]);
    });
  }
});
