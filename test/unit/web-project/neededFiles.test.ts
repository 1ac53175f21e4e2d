import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';

import { formatSentence } from '../../../src/errors/index.ts';
import { getWarningSentence } from '../../../src/web-project/packing/planSentences.ts';
import { checkStartPage } from '../../../src/web-project/check/pageCheck.ts';
import { awsKey } from '../../support/secrets.ts';
import { inFolder } from '../../support/folderChecks.ts';
import { emptyFiles, createFolder, getPaths, plan, getReasons, type Files } from '../../support/packing.ts';

/**
 * Returns the packed files of a folder, the warnings about files that are sent although Git ignores them, and the check's
 * problems, each as `verdict: message next`.
 */
const checked = (files: Files, project = '') =>
  inFolder(
    files,
    async ({ project: read, sent, config }) => {
      const page = await checkStartPage(read, sent, config.facts?.startPage);
      const takenIn = sent.warnings.filter(({ kind }) => kind === 'takenIn');
      const problems = [...config.findings, ...page].filter(({ verdict }) => verdict !== 'fine');
      return {
        planned: sent,
        paths: getPaths(sent),
        takenIn: takenIn.map((warning) => formatSentence(getWarningSentence(warning))),
        problems: problems.map(
          ({ verdict, message, next }) =>
            `${verdict}: ${formatSentence(message)} ${next === undefined ? '' : formatSentence(next)}`,
        ),
      };
    },
    project,
  );

const script = (src: string): string => `<!doctype html><script src="${src}"></script>`;

describe('a needed file that Git ignores', () => {
  it('is sent if the page loads it, and the plan shows the overruled rule', async () => {
    const { planned, paths, takenIn, problems } = await checked({
      '.gitignore': 'elm-stuff\nelm.js\n*.map\n',
      'index.html': `${script('/elm.js?v=1')}<script>Elm.Main.init()</script>`,
      ...emptyFiles(['elm.js', 'elm.js.map', 'elm-stuff/a']),
    });
    assert.deepEqual([paths, problems], [['.gitignore', 'elm.js', 'index.html'], []]);
    assert.deepEqual(takenIn, [
      'Sent because the app needs them, although .gitignore leaves them out: elm.js (.gitignore: elm.js)',
    ]);
    assert.deepEqual(getReasons(planned), { 'elm-stuff/': '.gitignore: elm-stuff', 'elm.js.map': '.gitignore: *.map' });
  });

  it('is sent from an ignored folder without the unneeded files there, whichever ignore file applies', async () => {
    const ignoreFiles = { 'app/.gitignore': 'bin/\n', 'app/bin/.gitignore': '*\n', '.gitignore': 'bin\n' };
    const others = '<link rel="stylesheet" href="bin/app.css"><img src="bin/a%20b.png">';
    for (const [name, text] of Object.entries(ignoreFiles)) {
      const page = { [name]: text, 'app/index.html': `${script('./bin/app.js')}${others}` };
      const files = emptyFiles(['app.js', 'app.css', 'a b.png', 'notes.txt'], 'app/bin/');
      const { paths, problems, takenIn } = await checked({ ...page, ...files }, 'app');
      const expected = ['bin/a b.png', 'bin/app.css', 'bin/app.js', 'index.html'];
      assert.deepEqual([paths.filter((each) => each !== '.gitignore'), problems], [expected, []], name);
      assert.match(takenIn.join(), /bin\/app\.js \(.*\.gitignore: /);
    }
  });

  it('is sent if a script of the page imports it', async () => {
    const { paths } = await checked({
      '.gitignore': 'dist/\n',
      'index.html': '<!doctype html><script type="module" src="dist/app.js"></script>',
      'dist/app.js': 'import{a}from"./chunks/a.js";const b=()=>import("./chunks/b.mjs");',
      'dist/chunks/a.js': "import './app.js'; import \n'/dist/chunks/c.js'; export const a = 1;",
      'dist/chunks/b.mjs': 'import "https://example.com/x.js"; import "lit"',
      ...emptyFiles(['c.js', 'd.js'], 'dist/chunks/'),
    });
    const loaded = ['app.js', 'chunks/a.js', 'chunks/b.mjs', 'chunks/c.js'].map((name) => `dist/${name}`);
    assert.deepEqual(paths, ['.gitignore', ...loaded, 'index.html']);
  });

  it('is sent if it’s config.xml, or a file that config.xml names', async () => {
    const { planned, paths, problems, takenIn } = await checked({
      '.gitignore': '/config.xml\n/www/dist/\n/res/\n',
      'config.xml':
        '<?xml version="1.0"?>\n<widget xmlns="http://www.w3.org/ns/widgets" id="edu.example.app" version="2.1.3">\n  <name>A</name>\n  <icon src="res/icon.png"/>\n</widget>\n',
      'www/index.html': script('dist/bundle.js'),
      ...emptyFiles(['www/dist/bundle.js', 'res/icon.png', 'res/icon.psd']),
    });
    assert.deepEqual(paths, ['config.xml', 'res/icon.png', 'www/dist/bundle.js', 'www/index.html']);
    assert.deepEqual([planned.made, problems], [[], []]);
    assert.match(takenIn.join(), /: config\.xml \(\.gitignore: \/config\.xml\), res\/icon\.png \(/);
  });

  it('is omitted if .appbuildignore names it, and the check names that line', async () => {
    const rules = { '.appbuildignore': 'elm.js\n', '.gitignore': 'elm.js\n' };
    const own = await checked({ ...rules, 'index.html': script('elm.js'), 'elm.js': 'var Elm' });
    assert.deepEqual([own.paths.includes('elm.js'), own.takenIn], [false, []]);
    assert.deepEqual(own.problems, [
      'fails: index.html loads elm.js, which .appbuildignore leaves out with “elm.js”. Remove that line, or remove the script from the page.',
    ]);
    const config = '<widget id="a.b" version="1.0.0"><name>A</name></widget>';
    const page = { 'www/index.html': '<!doctype html><p>Page</p>' };
    const withoutConfig = await checked({ '.appbuildignore': 'config.xml\n', 'config.xml': config, ...page });
    assert.deepEqual(withoutConfig.problems, [
      'fails: The rule “config.xml” in .appbuildignore leaves out config.xml, so the app would lose its ID, version, and plugins. ' +
        'Add the line !config.xml to .appbuildignore to include it.',
    ]);
  });

  it('is omitted if it may be a secret, is outside the project, or is never packed', async () => {
    const loaded = 'node_modules/a/a.js keys.js .env ../beside.js ..%2fbeside.js /../beside.js .git/config old.apk';
    const { planned, paths, problems, takenIn } = await checked(
      {
        'app/.gitignore': '*\n!index.html\n',
        'app/index.html': [...loaded.split(' '), 'file:///etc/passwd'].map(script).join(''),
        'app/keys.js': `const key = '${awsKey()}';`,
        ...emptyFiles(['beside.js', 'app/.env', 'app/.git/config', 'app/node_modules/a/a.js', 'app/old.apk']),
      },
      'app',
    );
    assert.deepEqual([paths, takenIn], [['index.html'], []]);
    assert.deepEqual(
      planned.suspects.map(({ file }) => file.path),
      ['.env', 'keys.js'],
    );
    for (const problem of [
      'fails: index.html loads node_modules/a/a.js from a folder that’s never packed. Copy a.js next to the page, and load the copy.',
      'fails: index.html loads keys.js, which isn’t in the app. Choose “Show Package Contents” to see why it’s left out.',
    ]) {
      assert.ok(problems.includes(problem), problem);
    }
  });
});

describe('the list of sent files', () => {
  const PAGE = '<!doctype html><p>Page</p>';
  const resources = ['res/icon.png', 'res/a/splash.png', 'res/a/other.png', 'merges/android/a.css'];
  const CORDOVA: Files = {
    'config.xml':
      '<widget id="a.b"><name>A</name><icon src="res/icon.png"/><platform name="android"><splash src="res/a/splash.png"/></platform></widget>',
    'www/index.html': PAGE,
    ...emptyFiles(['www/.env', ...resources, 'android/app/build.gradle', 'src/app.ts', 'package.json']),
    ...emptyFiles(['passwords.txt', '.env', 'node_modules/a/b.js']),
  };

  it('sends only config.xml, the pages, and the files that config.xml names', async () => {
    const found = await inFolder(CORDOVA, ({ sent }) => sent);
    const expected = ['config.xml', 'merges/android/a.css', 'res/a/splash.png', 'res/icon.png', 'www/index.html'];
    assert.deepEqual(getPaths(found), expected);
    const outside = ['.env', 'android/', 'package.json', 'passwords.txt', 'res/a/other.png', 'src/'];
    assert.deepEqual(getReasons(found), {
      ...Object.fromEntries(outside.map((name) => [name, 'outside'])),
      'node_modules/': 'notPartOfApp',
      'www/.env': 'secret',
    });
  });

  it('omits folders named by config.xml, even through a link', async () => {
    const { folder, remove } = await createFolder({
      ...CORDOVA,
      'config.xml': '<widget><icon src="src"/><resource-file src="linked"/><icon src="src/deep/icon.png"/></widget>',
      'src/deep/icon.png': '',
    });
    try {
      await symlink('src', path.join(folder, 'linked'), 'junction');
      const found = await plan(folder);
      assert.deepEqual(getPaths(found), ['config.xml', 'merges/android/a.css', 'src/deep/icon.png', 'www/index.html']);
      assert.equal(getReasons(found)['linked/'], 'outside');
    } finally {
      await remove();
    }
  });

  it('sends the tool’s output folder, whatever Git ignores in it, but nothing next to it', async () => {
    const found = await inFolder(
      {
        '.gitignore': '.output\n',
        'package.json': '{"scripts":{"generate":"nuxt generate"},"dependencies":{"nuxt":"4"}}',
        'nuxt.config.ts': 'export default defineNuxtConfig({})',
        '.output/public/index.html': PAGE,
        ...emptyFiles(['.output/public/_nuxt/a.js', '.output/server/index.mjs']),
      },
      ({ sent }) => sent,
    );
    assert.deepEqual(getPaths(found), ['.output/public/_nuxt/a.js', '.output/public/index.html']);
    assert.equal(getReasons(found)['.output/server/'], 'outside');
    assert.equal(found.made.map(({ path: each }) => each).join(), 'config.xml');
    const rollup = {
      '.gitignore': '/public/build/\n',
      'package.json': '{"scripts":{"build":"rollup -c"}}',
      'public/index.html': '<!doctype html><script defer src="build/a.js"></script><p>A</p>',
      'public/build/a.js': '',
    };
    assert.deepEqual((await checked(rollup)).paths, ['public/build/a.js', 'public/index.html']);
  });
});
