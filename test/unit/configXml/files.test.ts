import assert from 'node:assert/strict';

import { plainText } from '../../../src/api/errors/sentence.ts';
import { checkConfig } from '../../../src/configXml/checkConfig.ts';
import { filesNamedIn } from '../../../src/configXml/namedFiles.ts';
import type { Absence } from '../../../src/configXml/namedFiles.ts';
import { parseXml } from '../../../src/configXml/xmlDocument.ts';
import { alarmsOf, configFixture, fixed, lineOf, problemsOf, widget } from '../../support/configXml.ts';

const app = (...lines: readonly string[]): string => widget(['<name>App</name>', ...lines].join('\n'));

/** The files of a text: path, and the places where it may be. */
function filesOf(text: string, pages?: string): readonly string[] {
  return filesNamedIn(parseXml(text), pages).map(({ path, candidates }) => [path, ...candidates].join(' '));
}

const INDEX = 'index.html www/index.html index.html';

describe('config.xml: the files that it names', () => {
  it('the start page, below www first', () => {
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
      assert.deepEqual(filesOf(app(`<content src="${src}" />`)), files, src);
    }
    assert.deepEqual(filesOf(app()), [INDEX]);
    assert.deepEqual(filesOf(''), []);
  });

  it('in the folder of the pages, which a package has in www', () => {
    const text = app('<content src="start.html" />', '<icon src="www/icon.png" />', '<icon src="res/icon.png" />');
    assert.deepEqual(filesOf(text, 'dist'), [
      'index.html dist/index.html index.html',
      'start.html dist/start.html start.html',
      'www/icon.png www/icon.png dist/www/icon.png dist/icon.png icon.png',
      'res/icon.png res/icon.png dist/res/icon.png',
    ]);
    assert.deepEqual(filesOf(text, '').slice(0, 3), [
      'index.html index.html',
      'start.html start.html',
      'www/icon.png www/icon.png icon.png',
    ]);
  });

  it('in the folder above, for a config.xml that is among the pages', () => {
    const text = app('<content src="start.html" />', '<icon src="res/icon.png" />');
    const files = filesNamedIn(parseXml(text), '', true).map(({ path, candidates }) => [path, ...candidates].join(' '));
    assert.deepEqual(files, [
      'index.html index.html',
      'start.html start.html',
      'res/icon.png ../res/icon.png res/icon.png',
    ]);
  });

  it('icons, splash screens and resource files, beside the config.xml first', () => {
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
    assert.deepEqual(filesOf(text), [
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

  it('those of the pages, which a tool may have to make yet', () => {
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

  it('each file once, however often it is named', () => {
    const files = filesNamedIn(parseXml(configFixture('apps', 'ionicShop.xml')));
    assert.equal(new Set(files.map(({ path }) => path)).size, files.length);
    assert.equal(files.length, 53);
  });

  it('a start page that is not there is an error where there is no index.html either', () => {
    const text = app('<content src="start.html" />');
    assert.deepEqual(alarmsOf(text, []), []);
    assert.deepEqual(alarmsOf(text, ['index.html']), []);
    assert.deepEqual(alarmsOf(text, ['start.html']), [
      '4 warning startPageMissing: The app has no start.html: it may begin with index.html, or not at all.',
    ]);
    assert.deepEqual(alarmsOf(text, ['start.html', 'index.html']), [
      '4 error startPageMissing: The app has no start.html to begin with.',
    ]);
    const [fix] = problemsOf(text, ['start.html'])[0]?.fixes ?? [];
    assert.ok(fix !== undefined);
    assert.equal(plainText(fix.title), 'Begin with index.html');
    assert.equal(fixed(text, fix), app('<content src="index.html" />'));
  });

  it('index.html is the start page that nobody names', () => {
    for (const text of [app(), app('<content src="https://example.com/" />')]) {
      assert.deepEqual(alarmsOf(text, []), []);
      assert.deepEqual(alarmsOf(text, ['index.html']), ['2 error startPageMissing: The app has no index.html.']);
    }
  });

  it('a folder that is not there is told once, and once more for what a tool makes', () => {
    const icons = (folder: string) => [1, 2, 3, 3].map((number) => `<icon src="${folder}/${number}.png" />`);
    const text = app(...icons('res'), ...icons('resources'), '<icon src="one/a.png" />', '<icon src="b.png" />');
    const absent = new Map<string, Absence>([
      ...['res/1.png', 'res/2.png', 'res/3.png'].map((path): [string, Absence] => [
        path,
        { isMade: false, folder: 'res' },
      ]),
      ...['resources/1.png', 'resources/2.png'].map((path): [string, Absence] => [
        path,
        { isMade: true, folder: 'resources' },
      ]),
      ['resources/3.png', { isMade: true }],
      ['one/a.png', { isMade: false, folder: 'one' }],
      ['b.png', { isMade: false, otherCase: 'B.PNG' }],
    ]);
    const problems = checkConfig(parseXml(text), absent);
    assert.deepEqual(
      problems.map((problem) => lineOf(text, problem)),
      [
        '4 warning fileMissing: There is no folder res, and 3 files in it are named here.',
        '8 information fileMissing: There is no folder resources yet.',
        '10 information fileMissing: There is no file resources/3.png yet.',
        '11 information fileMissing: There is no file resources/3.png yet.',
        '12 warning fileMissing: There is no file one/a.png in this folder.',
        '13 warning fileMissing: The file b.png is called B.PNG: upper and lower case count in an app.',
      ],
    );
    const [fix] = problems.at(-1)?.fixes ?? [];
    assert.equal(fix && fixed(text, fix), text.replace('b.png', 'B.PNG'));
    assert.equal(
      problems[1]?.next && plainText(problems[1].next),
      'A tool makes it, or Git leaves it out: make it, or put it there, before a build.',
    );
  });

  it('a file whose name differs by upper and lower case is written so, wherever its path begins', () => {
    for (const [path, otherCase, mended] of [
      ['./res/Icon.png', 'res/icon.png', './res/icon.png'],
      ['/res/Icon.png', 'www/res/icon.png', '/res/icon.png'],
      ['res/Icon.png', 'www/res/icon.png', 'res/icon.png'],
      ['www/Icon.png', 'icon.png', undefined],
    ] as const) {
      const text = app(`<icon src="${path}" />`);
      const [problem] = checkConfig(parseXml(text), new Map([[path, { isMade: false, otherCase }]]));
      const [fix] = problem?.fixes ?? [];
      assert.equal(fix && fixed(text, fix), mended && app(`<icon src="${mended}" />`), path);
    }
  });

  it('a page whose name differs by upper and lower case is told as such', () => {
    const told = (text: string, absent: ReadonlyMap<string, Absence>) =>
      checkConfig(parseXml(text), absent).map((problem) => [
        lineOf(text, problem),
        ...(problem.fixes ?? []).map((fix) => fixed(text, fix)),
      ]);
    const start = app('<content src="start.html" />');
    const absence: Absence = { isMade: false, otherCase: 'www/Start.html' };
    const absentIndex: Absence = { isMade: false };
    const said =
      'startPageMissing: The file start.html is called www/Start.html: upper and lower case count in an app.';
    assert.deepEqual(told(start, new Map([['start.html', absence]])), [
      [`4 warning ${said}`, app('<content src="Start.html" />'), app('<content src="index.html" />')],
    ]);
    assert.deepEqual(
      told(
        start,
        new Map([
          ['start.html', absence],
          ['index.html', absentIndex],
        ]),
      ),
      [[`4 error ${said}`, app('<content src="Start.html" />')]],
    );
    assert.deepEqual(told(app(), new Map([['index.html', { isMade: false, otherCase: 'www/Index.html' }]])), [
      ['2 error startPageMissing: The file index.html is called www/Index.html: upper and lower case count in an app.'],
    ]);
  });

  it('pages that a tool makes are no mistake: what makes them is said where it is known', () => {
    const said = (text: string, command?: string) => {
      const absent = new Map(['index.html', 'start.html'].map((page) => [page, { isMade: true, command }]));
      return checkConfig(parseXml(text), absent).map(({ severity, message, next }) =>
        [severity, plainText(message), next && plainText(next)].join(' | '),
      );
    };
    assert.deepEqual(said(app(), 'npm run build'), [
      'information | The web files are not built yet: there is no index.html. | Build the web files first: run “npm run build”.',
    ]);
    assert.deepEqual(said(app('<content src="start.html" />')), [
      'information | The web files are not built yet: there is no start.html. | Build the web files first.',
    ]);
  });

  it('another file that is not there is told at each place that names it', () => {
    const text = app('<icon src="icon.png" />', '<platform name="ios">', '<icon src="icon.png" />', '</platform>');
    assert.deepEqual(alarmsOf(text, ['icon.png']), [
      '4 warning fileMissing: There is no file icon.png in this folder.',
      '6 warning fileMissing: There is no file icon.png in this folder.',
    ]);
  });
});
