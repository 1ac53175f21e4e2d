import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

import fc from 'fast-check';

import { CancelledError } from '../../../src/api/errors/cancelledError.ts';
import { DiskTree } from '../../../src/projects/projectFolder.ts';
import { PackingError } from '../../../src/projects/packing/packingError.ts';
import { projectId, projectName } from '../../../src/projects/packing/projectName.ts';
import { keyOfProject, readProject, searchProjects } from '../../../src/projects/projectSearch.ts';
import { fileUri, folderOf, type Files } from '../../support/packing.ts';
import { assertLinear } from '../../support/processorTime.ts';

const PAGE = '<!doctype html>';
const config = (name: string): string => `<?xml version='1.0'?><widget id="a.b"><name>${name}</name></widget>`;

describe('searchProjects', () => {
  let remove = (): Promise<void> => Promise.resolve();
  afterEach(() => remove());

  async function search(files: Files, maxFolders?: number): Promise<readonly (readonly [string, string?])[]> {
    const made = await folderOf(files);
    remove = made.remove;
    const projects = await searchProjects(
      new DiskTree(made.folder),
      fileUri(made.folder),
      maxFolders === undefined ? {} : { maxFolders },
    );
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
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}/index.html`, PAGE]));
    assert.equal((await search(files, 4)).length, 3);
  });

  it('says that the folder is gone, and ends when it is cancelled', async () => {
    const gone = path.join(import.meta.dirname, 'gone');
    await assert.rejects(searchProjects(new DiskTree(gone), fileUri(gone)), (error) => {
      assert.ok(error instanceof PackingError);
      assert.equal(error.problem, 'noSuchFolder');
      assert.equal(error.message, 'The folder gone cannot be found.');
      return true;
    });
    const here = import.meta.dirname;
    await assert.rejects(
      searchProjects(new DiskTree(here), fileUri(here), { signal: AbortSignal.abort() }),
      CancelledError,
    );
    // A file system that never answers keeps nobody.
    const stop = new AbortController();
    const silent = Object.assign(new DiskTree(here), { list: () => new Promise<never>(() => undefined) });
    const waiting = searchProjects(silent, fileUri(here), { signal: stop.signal });
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
    const projects = await searchProjects(new DiskTree(made.folder), fileUri(made.folder));
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
    assert.equal((await readProject(tree, second)).layout.pages, 'out/shop/browser');
    assert.equal((await readProject(tree, first)).layout.pages, 'out/admin/browser');
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
    const [project] = await searchProjects(new DiskTree(made.folder), fileUri(made.folder));
    assert.equal(project?.layout.kind, 'capacitor');
    assert.ok(!(await readdir(made.folder)).includes('trap'));
  });

  it('says that a project has lost its page', async () => {
    const made = await folderOf({ 'index.html': PAGE, 'other.txt': '' });
    remove = made.remove;
    const [project] = await searchProjects(new DiskTree(made.folder), fileUri(made.folder));
    assert.ok(project !== undefined);
    await rm(path.join(made.folder, 'index.html'));
    await assert.rejects(
      readProject(new DiskTree(made.folder), project),
      (error) => error instanceof PackingError && error.problem === 'notBuilt',
    );
  });

  it('reads a config.xml in UTF-16', async () => {
    const utf16 = Buffer.from(`\uFEFF${config('Größe')}`, 'utf16le');
    assert.deepEqual(await search({ 'config.xml': utf16, 'index.html': PAGE }), [['', 'Größe']]);
  });
});

describe('projectName', () => {
  const cases: readonly (readonly [xml: string, name: string | undefined])[] = [
    ['<widget><name>A &amp; B &#x1F600; &lt;&#65;&gt;</name>', 'A & B 😀 <A>'],
    ['<widget><name short="x">\n  Two\n  lines </name>', 'Two lines'],
    ['<widget><name><![CDATA[<b> & c]]></name>', '<b> & c'],
    ['<widget><!-- <name>No</name> --><name>Yes</name>', 'Yes'],
    ['<widget><name/></widget>', undefined],
    ['<widget><name> </name></widget>', undefined],
    ['<widget><name>never closed', undefined],
    ['<widget><!-- never closed <name>No</name>', undefined],
    ['<widget><names>No</names>', undefined],
    ['<widget><name>&unknown; &#0; &#x110000;</name>', '&unknown; &#0; &#x110000;'],
  ];
  for (const [xml, name] of cases) {
    it(xml.replaceAll('\n', ' '), () => assert.equal(projectName(xml), name));
  }

  it('takes any text, and not long for it', () => {
    const parts = fc.constantFrom('<!--', '-->', '<name', '>', '</name>', '<![CDATA[', ']]>', '&#', ';', 'a', ' ');
    fc.assert(fc.property(fc.array(parts, { maxLength: 200 }), (all) => void projectName(all.join(''))));
    for (const part of ['<!--', '<name ', '<![CDATA[', '&#1', '<name>']) {
      assertLinear(part, 60_000, (count) => projectName(`<name>${part.repeat(count)}</name>`));
    }
  });
});

describe('projectId', () => {
  const cases: readonly (readonly [xml: string, id: string | undefined])[] = [
    ['<?xml version="1.0"?><widget xmlns="a>b" id="com.example.a" version="1">', 'com.example.a'],
    ["<widget\n  version = '1'\n  id = 'com.&amp;.b'/>", 'com.&.b'],
    ['<!-- <widget id="no"> --><widget id="yes">', 'yes'],
    ['<widget version="1"><preference id="no"/>', undefined],
    ['<widget data-id="no" id="">', undefined],
    ['<widget xid="no">', undefined],
    ['<widgets id="no">', undefined],
    ['<widget id=no>', undefined],
    ['<widget version="1 id="no">', undefined],
    ['<widget id="never closed', undefined],
  ];
  for (const [xml, id] of cases) {
    it(xml.replaceAll('\n', ' '), () => assert.equal(projectId(xml), id));
  }

  const hostile: Readonly<Record<string, (size: number) => string>> = {
    'many beginnings': (size) => '<widget '.repeat(size),
    'spaces without an attribute': (size) => `<widget${' '.repeat(5 * size)}!`,
    'a name and spaces without a value': (size) => `<widget ${'a'.repeat(5 * size)}${' '.repeat(5 * size)}!`,
    'many attributes': (size) => `<widget${' a="b"'.repeat(size)}!`,
    'a value without an end': (size) => `<widget id="${'a '.repeat(5 * size)}`,
    'comments without an end': (size) => `${'<!-- '.repeat(size)}<widget id="a">`,
  };
  for (const [name, xmlOf] of Object.entries(hostile)) {
    it(`takes time that grows with the text, and no faster: ${name}`, () => {
      assertLinear(name, 20_000, (size) => projectId(xmlOf(size)));
    });
  }
});
