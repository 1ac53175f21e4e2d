import assert from 'node:assert/strict';

import { findAbsence, filesNamedIn, type NamedFile, type SearchedFolder } from '../../../src/config-xml/namedFiles.ts';
import { parseXml } from '../../../src/config-xml/xmlDocument.ts';
import { configFixture, widget } from '../../support/configXml.ts';

const app = (...lines: readonly string[]): string => widget(['<name>App</name>', ...lines].join('\n'));

/** Lists the files that a config.xml names, with the paths where each may be. */
function getFiles(text: string, pages?: string): readonly string[] {
  return filesNamedIn(parseXml(text), pages).map(({ path, candidates }) => [path, ...candidates].join(' '));
}

const INDEX = 'index.html www/index.html index.html';

describe('config.xml: the named files', () => {
  it('looks for the start page in www first, then next to config.xml', () => {
    for (const [src, ...files] of [
      ['index.html', INDEX],
      ['app/start.html?from=icon#top', INDEX, 'app/start.html www/app/start.html app/start.html'],
      ['./start.html', INDEX, './start.html www/start.html start.html'],
      ['/start.html', INDEX, '/start.html www/start.html start.html'],
      ['www/start.html', INDEX, 'www/start.html www/www/start.html start.html www/start.html'],
      ['https://example.com/app', INDEX],
      ['../start.html', INDEX],
      ['', INDEX],
    ] as const) {
      assert.deepEqual(getFiles(app(`<content src="${src}" />`)), files, src);
    }
    assert.deepEqual(getFiles(app()), [INDEX]);
    assert.deepEqual(getFiles(''), []);
  });

  it('searches the pages folder, which becomes www in a package', () => {
    const text = app('<content src="start.html" />', '<icon src="www/icon.png" />', '<icon src="res/icon.png" />');
    assert.deepEqual(getFiles(text, 'dist'), [
      'index.html dist/index.html index.html',
      'start.html dist/start.html start.html',
      'www/icon.png www/icon.png dist/www/icon.png dist/icon.png icon.png',
      'res/icon.png res/icon.png dist/res/icon.png',
    ]);
    assert.deepEqual(getFiles(text, '').slice(0, 3), [
      'index.html index.html',
      'start.html start.html',
      'www/icon.png www/icon.png icon.png',
    ]);
  });

  it('searches the parent folder if config.xml is among the pages', () => {
    const named = filesNamedIn(parseXml(app('<icon src="res/icon.png" />')), '', true);
    assert.deepEqual(named.at(-1)?.candidates, ['../res/icon.png', 'res/icon.png']);
  });

  it('looks for icons, splash screens, and resource files next to config.xml first, then in www', () => {
    const text = app(
      '<icon src="icon.png" />',
      '<gap:splash src="res/splash.png" />',
      '<platform name="android">',
      '<icon foreground="a.png" background="@color/back" monochrome="www\\m.png" src="icon.png" />',
      '<splash src="res/splash.xml" />',
      '<resource-file src="google-services.json" target="app/google-services.json" />',
      '<preference name="AndroidWindowSplashScreenAnimatedIcon" value="res/animated.xml" />',
      '<preference name="SplashScreen" value="screen" />',
      '</platform>',
      '<hook src="scripts/hook.js" type="before_build" />',
      '<icon src="../outside.png" />',
      '<icon src="C:\\icon.png" />',
    );
    assert.deepEqual(getFiles(text), [
      INDEX,
      'icon.png icon.png www/icon.png',
      'res/splash.png res/splash.png www/res/splash.png',
      'a.png a.png www/a.png',
      'www\\m.png www/m.png www/www/m.png m.png',
      'res/splash.xml res/splash.xml www/res/splash.xml',
      'google-services.json google-services.json www/google-services.json',
      'res/animated.xml res/animated.xml www/res/animated.xml',
    ]);
  });

  it('marks files in the pages folder, which a tool may still generate', () => {
    const text = app('<icon src="www/icon.png" />', '<icon src="res/icon.png" />');
    assert.deepEqual(
      filesNamedIn(parseXml(text), 'dist').map(({ path, pages }) => [path, pages]),
      [
        ['index.html', 'dist'],
        ['www/icon.png', 'dist'],
        ['res/icon.png', undefined],
      ],
    );
  });

  it('omits a file name with a placeholder', () => {
    for (const name of ['{{A}}.png', '{A}.png', '__A__.png', '<%= a %>', '$A', '%A%', '[[A]]']) {
      assert.deepEqual(getFiles(app(`<icon src="${name}" />`)), [INDEX], name);
    }
  });

  it('lists each file once, however often it’s named', () => {
    const files = filesNamedIn(parseXml(configFixture('apps', 'ionicShop.xml')));
    assert.equal(new Set(files.map(({ path }) => path)).size, files.length);
    assert.equal(files.length, 53);
  });
});

/**
 * Creates a folder with these files. A path that ends in `/` is an empty folder.
 * @param ignored a path that Git ignores, with its contents
 */
function createFolder(files: readonly string[], ignored = 'none'): SearchedFolder {
  const names = (folder: string): ReadonlySet<string> => {
    const start = folder === '' ? '' : `${folder}/`;
    const below = files.filter((file) => file.startsWith(start)).map((file) => file.slice(start.length).split('/')[0]);
    return new Set(below.flatMap((name) => (name === undefined || name === '' ? [] : [name])));
  };
  return {
    names: (folder) => Promise.resolve(names(folder)),
    isIgnored: (path) => Promise.resolve(path === ignored || path.startsWith(`${ignored}/`)),
  };
}

const PAGE: NamedFile = { path: 'index.html', candidates: ['www/index.html', 'index.html'], pages: 'www' };
const IMAGE: NamedFile = { path: 'res/a.png', candidates: ['res/a.png', 'www/res/a.png'] };

describe('config.xml: missing files', () => {
  it('reports whether a tool generates a missing page, depending on the contents of its folder', async () => {
    for (const [files, isMade, ignored] of [
      [['config.xml'], true],
      [['config.xml', 'www/'], true],
      [['config.xml', 'www/.gitkeep', 'www/.gitignore'], true],
      [['config.xml', 'www/app.js'], false],
      [['config.xml', 'www/app.js'], true, 'www'],
      [['config.xml', 'www/Index.html'], false],
      [['config.xml', 'www/index.html'], undefined],
      [['config.xml', 'index.html'], undefined],
    ] as const) {
      const absence = await findAbsence(PAGE, createFolder(files, ignored));
      assert.equal(absence?.isMade, isMade, files.join(' '));
    }
  });

  it('reports a missing image with its missing folder, a path that differs only in case, and whether a tool generates it', async () => {
    for (const [files, expected, ignored] of [
      [['config.xml'], { isMade: false, folder: 'res', otherCase: undefined }],
      [['res/b.png'], { isMade: false, folder: undefined, otherCase: undefined }],
      [['Res/A.png'], { isMade: false, folder: undefined, otherCase: 'Res/A.png' }],
      [['www/Res/a.png'], { isMade: false, folder: 'res', otherCase: 'www/Res/a.png' }],
      [['config.xml'], { isMade: true, folder: 'res', otherCase: undefined }, 'res'],
      [['res/b.png'], { isMade: true, folder: undefined, otherCase: undefined }, 'res/a.png'],
      [['res/a.png'], undefined, 'res'],
      [['www/res/a.png'], undefined],
    ] as const) {
      assert.deepEqual(await findAbsence(IMAGE, createFolder(files, ignored)), expected, files.join(' '));
    }
    const inPages: NamedFile = { path: 'www/a.png', candidates: ['www/a.png'], pages: 'www' };
    assert.equal((await findAbsence(inPages, createFolder(['config.xml'])))?.isMade, true);
    assert.equal((await findAbsence(inPages, createFolder(['www/index.html'])))?.isMade, false);
    const deep: NamedFile = { path: 'res/x/y/a.png', candidates: ['res/x/y/a.png'] };
    assert.equal((await findAbsence(deep, createFolder(['res/b.png'])))?.folder, 'res/x');
  });

  it('reports an image that is missing from the parent folder', async () => {
    const above: NamedFile = { path: 'res/a.png', candidates: ['../res/a.png', 'res/a.png'] };
    const folder = createFolder(['../res/b.png', 'index.html']);
    assert.equal((await findAbsence(above, folder))?.folder, undefined);
    assert.equal((await findAbsence(above, createFolder(['../b.png'])))?.folder, 'res');
    assert.equal((await findAbsence(above, createFolder(['../res/A.png'])))?.otherCase, 'res/A.png');
    assert.equal(await findAbsence(above, createFolder(['../res/a.png'])), undefined);
  });

  it('doesn’t report a missing file if its folder can’t be read', async () => {
    const unreadable: SearchedFolder = { ...createFolder([]), names: () => Promise.resolve(undefined) };
    assert.equal(await findAbsence(PAGE, unreadable), undefined);
    assert.equal(await findAbsence(IMAGE, unreadable), undefined);
  });
});
