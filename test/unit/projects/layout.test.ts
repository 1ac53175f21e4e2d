import assert from 'node:assert/strict';

import { DiskTree, ProjectFolder } from '../../../src/projects/projectFolder.ts';
import { layoutsOf, packagePathOf, type Layout } from '../../../src/projects/layout.ts';
import { folderOf, type Files } from '../../support/packing.ts';
import { builtFiles, PROJECTS } from '../../support/webProjects.ts';

const PAGE = '<!doctype html><p>Page</p>';
const CONFIG = '<widget id="a.b"><name>A</name></widget>';
const VITE = { 'package.json': '{"scripts":{"build":"vite build"},"devDependencies":{"vite":"8.0.0"}}' };
const SOURCE = '<!doctype html>\n<script type="module" src="/src/main.tsx"></script>';

/** Kind, folder of the pages and state of each layout, with what the state names. */
function shown({ kind, app, config, pages, state }: Layout): string {
  const what = 'file' in state ? ` ${state.file}:${state.line ?? '-'}` : '';
  const [name, above] = [app === undefined ? '' : ` ${app}`, config === undefined ? '' : ` ${config}`];
  return `${kind}${name}${above} “${pages}” ${state.kind}${what}`;
}

describe('what a folder is', () => {
  async function layouts(files: Files, pages?: string): Promise<readonly string[]> {
    const { folder, remove } = await folderOf(files);
    try {
      const found = await layoutsOf(new ProjectFolder(new DiskTree(folder), ''), pages);
      return found.map(shown);
    } finally {
      await remove();
    }
  }

  for (const project of PROJECTS) {
    const { kind, pages, source, command } = project;
    it(`${kind}: its pages, and where they will be`, async () => {
      const config = kind === 'cordova' ? ' config.xml' : '';
      assert.deepEqual(await layouts(builtFiles(project)), [`${kind}${config} “${pages}” built`]);
      if (command !== undefined) {
        assert.deepEqual(await layouts(source), [`${kind} “${pages}” notBuilt`]);
      }
    });
  }

  const cases: readonly (readonly [title: string, Files, readonly string[]])[] = [
    ['nothing', { 'readme.md': '' }, []],
    [
      'www before src',
      { 'config.xml': CONFIG, 'src/index.html': PAGE, 'www/index.html': PAGE },
      ['cordova config.xml “www” built'],
    ],
    ...['{"scripts":{"build:prod":"x"}}', '{"scripts":{"export":"x"}}', '{"cordova":{"platforms":["android"]}}'].map(
      (json): readonly [string, Files, readonly string[]] => [
        `config.xml, no www and ${json}`,
        { 'config.xml': CONFIG, 'package.json': json },
        ['cordova config.xml “www” notBuilt'],
      ],
    ),
    ['config.xml, no www and no script that makes it', { 'config.xml': CONFIG, 'package.json': '{}' }, []],
    ['config.xml beside its page', { 'config.xml': CONFIG, 'index.html': PAGE }, ['cordova config.xml “” built']],
    [
      'config.xml, a folder www without a page, and a page at the top',
      { 'config.xml': CONFIG, 'www/readme.txt': '', 'index.html': PAGE },
      ['cordova config.xml “” built'],
    ],
    [
      'config.xml with another start page',
      { 'config.xml': '<widget><content src="start.html?a#b"/></widget>', 'www/start.html': PAGE },
      ['cordova config.xml “www” built'],
    ],
    [
      'config.xml whose www is still to be built',
      { 'config.xml': CONFIG, 'www/': '' },
      ['cordova config.xml “www” notBuilt'],
    ],
    [
      'config.xml whose www is in no repository',
      {
        'config.xml': CONFIG,
        'package.json': '{"scripts":{"build":"ionic-app-scripts build"}}',
        'src/index.html': PAGE,
      },
      ['cordova config.xml “www” notBuilt'],
    ],
    ['config.xml alone', { 'config.xml': CONFIG }, []],
    ['config.xml of something else', { 'config.xml': '<project/>', 'package.json': '{}' }, []],
    [
      'config.xml with the output of a tool',
      { ...VITE, 'config.xml': CONFIG, 'index.html': SOURCE, 'dist/index.html': PAGE },
      ['cordova config.xml “dist” built'],
    ],
    [
      'config.xml with a tool that writes into www',
      { ...VITE, 'config.xml': CONFIG, 'index.html': SOURCE, 'www/index.html': PAGE },
      ['cordova config.xml “www” built'],
    ],
    [
      'config.xml whose page is a source',
      { 'config.xml': CONFIG, 'www/index.html': SOURCE },
      ['cordova config.xml “www” source www/index.html:2'],
    ],
    [
      'a broken config.xml beside a page',
      { 'config.xml': '<wigdet', 'www/index.html': PAGE },
      ['cordova config.xml “www” built'],
    ],
    [
      'PhoneGap: config.xml in www',
      { 'www/config.xml': CONFIG, 'www/index.html': PAGE },
      ['cordova www/config.xml “www” built'],
    ],
    ['a source and nothing else', { 'index.html': SOURCE }, ['page “” source index.html:2']],
    ['a source beside built pages', { 'index.html': SOURCE, 'dist/index.html': PAGE }, ['page “dist” built']],
    ['a plain page beside a folder dist', { 'index.html': PAGE, 'dist/index.html': PAGE }, ['page “” built']],
    [
      'a page that a script builds another of',
      { 'package.json': '{"scripts":{"build":"make"}}', 'index.html': PAGE, 'dist/index.html': PAGE },
      ['page “dist” built'],
    ],
    [
      'pages of a server',
      { 'package.json': '{"scripts":{"start":"node ."}}', 'public/index.html': PAGE },
      ['page “public” built'],
    ],
    ['a template of Create React App', { 'public/index.html': '<link href="%PUBLIC_URL%/a.css">' }, []],
    [
      'an empty page where a tool will put another',
      { 'capacitor.config.json': '{"webDir":"www"}', 'www/index.html': '<!doctype html><html><body></body></html>' },
      ['capacitor “www” notBuilt'],
    ],
    [
      'Capacitor whose pages nobody has built, beside other pages',
      { 'capacitor.config.json': '{"webDir":"app"}', 'dist/index.html': PAGE },
      ['capacitor “app” notBuilt'],
    ],
    [
      'Capacitor around Next.js, which alone says nothing',
      { 'capacitor.config.json': '{"webDir":"out"}', 'next.config.js': 'module.exports = {}', 'out/index.html': PAGE },
      ['capacitor “out” built'],
    ],
    [
      'Capacitor with an older config.xml',
      {
        'capacitor.config.json': '{"webDir":"dist"}',
        'config.xml': CONFIG,
        'www/index.html': PAGE,
        'dist/index.html': PAGE,
      },
      ['capacitor “dist” built'],
    ],
    [
      'Capacitor with a config.xml among its pages',
      { 'capacitor.config.json': '{"webDir":"www"}', 'www/config.xml': CONFIG, 'www/index.html': PAGE },
      ['capacitor “www” built'],
    ],
    [
      'Capacitor with the config.xml that was saved for its package',
      {
        'capacitor.config.json': '{"webDir":"dist"}',
        'config.xml': CONFIG.replace('</widget>', '<preference name="FallbackPage" value="index.html"/></widget>'),
        'dist/index.html': PAGE,
      },
      ['capacitor config.xml “dist” built'],
    ],
    ...['src-cordova', 'cordova', 'app', 'mobile'].map((name): readonly [string, Files, readonly string[]] => [
      `a tool with a Cordova project in ${name}`,
      { ...VITE, 'index.html': SOURCE, 'dist/index.html': PAGE, [`${name}/config.xml`]: CONFIG },
      [`vite ${name}/config.xml “dist” built`],
    ]),
    [
      'a tool that has written the pages into its Cordova project',
      { ...VITE, 'index.html': SOURCE, 'src-cordova/config.xml': CONFIG, 'src-cordova/www/index.html': PAGE },
      ['vite src-cordova/config.xml “src-cordova/www” built'],
    ],
    [
      'a tool with a Cordova project, and no pages yet',
      { ...VITE, 'index.html': SOURCE, 'src-cordova/config.xml': CONFIG, 'src-cordova/www/index.html': SOURCE },
      ['vite src-cordova/config.xml “dist” notBuilt'],
    ],
    [
      'a tool beside an unrelated config.xml',
      { ...VITE, 'index.html': SOURCE, 'dist/index.html': PAGE, 'app/config.xml': '<project/>' },
      ['vite “dist” built'],
    ],
    [
      'Next.js for a server',
      { 'package.json': '{"dependencies":{"next":"16"}}', 'next.config.js': 'module.exports = {}' },
      ['next “” none next.config.js:-'],
    ],
    [
      'a folder that an expression names',
      { ...VITE, 'vite.config.js': 'export default {\n  build: { outDir: process.env.OUT } }', 'index.html': SOURCE },
      ['vite “dist” unknown vite.config.js:2'],
    ],
    [
      'Capacitor whose configuration is broken, around another tool',
      {
        ...VITE,
        'capacitor.config.ts': "export default { appId: 'a.b', webDir",
        'vite.config.js': "export default { build: { outDir: 'build' } }",
        'build/index.html': PAGE,
        'www/index.html': PAGE,
      },
      ['capacitor “build” unknown capacitor.config.ts:1'],
    ],
    [
      'several apps of Angular',
      {
        'angular.json': JSON.stringify({
          projects: Object.fromEntries(
            ['shop', 'admin'].map((name) => [
              name,
              {
                projectType: 'application',
                architect: {
                  build: { options: { outputPath: `out/${name}` }, builder: '@angular-devkit/build-angular:browser' },
                },
              },
            ]),
          ),
        }),
        'out/admin/index.html': PAGE,
      },
      ['angular shop “out/shop” notBuilt', 'angular admin “out/admin” built'],
    ],
  ];
  for (const [title, files, expected] of cases) {
    it(title, async () => assert.deepEqual(await layouts(files), expected));
  }

  it('takes the folder that a person has named where an expression does', async () => {
    const files = { ...VITE, 'vite.config.js': 'export default { build: { outDir: out() } }', 'index.html': SOURCE };
    assert.deepEqual(await layouts({ ...files, 'web/index.html': PAGE }, 'web'), ['vite “web” built']);
    assert.deepEqual(await layouts(files, 'web'), ['vite “web” notBuilt']);
  });

  it('puts the pages into www, beside config.xml', () => {
    const own = { config: 'config.xml', pages: 'dist' };
    assert.equal(packagePathOf(own, 'dist/a/b.js'), 'www/a/b.js');
    assert.equal(packagePathOf(own, 'res/icon.png'), 'res/icon.png');
    assert.equal(packagePathOf({ config: undefined, pages: '' }, 'a.js'), 'www/a.js');
    assert.equal(packagePathOf({ config: 'config.xml', pages: '' }, 'a.js'), 'a.js');
    assert.equal(packagePathOf({ config: 'www/config.xml', pages: 'www' }, 'www/config.xml'), 'www/config.xml');
    for (const pages of ['dist', 'cordova/www', '']) {
      const beside = { config: 'cordova/config.xml', pages };
      assert.equal(packagePathOf(beside, 'cordova/config.xml'), 'config.xml');
      assert.equal(packagePathOf(beside, 'cordova/res/icon.png'), 'res/icon.png');
      assert.equal(packagePathOf(beside, `${pages === '' ? '' : `${pages}/`}a.js`), 'www/a.js');
    }
  });
});
