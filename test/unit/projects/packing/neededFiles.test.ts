import assert from 'node:assert/strict';

import { plainText } from '../../../../src/api/errors/sentence.ts';
import type { PackagePlan } from '../../../../src/projects/packing/packageContents.ts';
import { warningOf } from '../../../../src/projects/packing/planSentences.ts';
import type { ProjectFinding } from '../../../../src/projects/preflight/finding.ts';
import { checkStartPage } from '../../../../src/projects/preflight/pageCheck.ts';
import { awsKey } from '../../../support/secrets.ts';
import { inFolder } from '../../../support/folderChecks.ts';
import { pathsOf, reasonsOf, type Files } from '../../../support/packing.ts';

interface Checked {
  readonly planned: PackagePlan;
  readonly findings: readonly ProjectFinding[];
}

/** What is packed of a folder, and what a check finds in it. */
function checked(files: Files, path = ''): Promise<Checked> {
  return inFolder(
    files,
    async ({ project, sent, config }) => {
      const page = await checkStartPage(project, sent, config.facts?.startPage);
      return { planned: sent, findings: [...config.findings, ...page] };
    },
    path,
  );
}

/** The problems that were found, each as `verdict: message next`. */
function problemsIn({ findings }: Checked): readonly string[] {
  return findings
    .filter(({ verdict }) => verdict !== 'fine')
    .map(
      ({ verdict, message, next }) => `${verdict}: ${plainText(message)} ${next === undefined ? '' : plainText(next)}`,
    );
}

/** The warnings about files that are sent although Git ignores them. */
function takenInBy({ planned }: Checked): readonly string[] {
  return planned.warnings.filter(({ kind }) => kind === 'takenIn').map((warning) => plainText(warningOf(warning)));
}

const PAGE = '<!doctype html><p>Page</p>';

describe('a file that the app needs and Git ignores', () => {
  it('is sent if the page loads it, and the plan shows the overruled rule', async () => {
    const elm = await checked({
      '.gitignore': 'elm-stuff\nelm.js\n*.map\n',
      'index.html': '<!doctype html><body><script src="/elm.js?v=1"></script><script>Elm.Main.init()</script>',
      'elm.js': 'var Elm',
      'elm.js.map': '{}',
      'elm-stuff/a': '',
    });
    assert.deepEqual(pathsOf(elm.planned), ['.gitignore', 'elm.js', 'index.html']);
    assert.deepEqual(problemsIn(elm), []);
    assert.deepEqual(takenInBy(elm), [
      'Sent although .gitignore leaves them out, since the app needs them: elm.js (.gitignore: elm.js)',
    ]);
    assert.deepEqual(reasonsOf(elm.planned), {
      'elm-stuff/': '.gitignore: elm-stuff',
      'elm.js.map': '.gitignore: *.map',
    });
  });

  it('is the only file sent from an ignored folder, whichever file ignores it', async () => {
    const ignoreFiles = { 'app/.gitignore': 'bin/\n', 'app/bin/.gitignore': '*\n', '.gitignore': 'bin\n' };
    for (const [name, text] of Object.entries(ignoreFiles)) {
      const esbuild = await checked(
        {
          [name]: text,
          'app/index.html':
            '<!doctype html><link rel="stylesheet" href="bin/app.css"><img src="bin/a%20b.png"><script src="./bin/app.js"></script>',
          'app/bin/app.js': 'start()',
          'app/bin/app.css': '',
          'app/bin/a b.png': '',
          'app/bin/notes.txt': 'not for the public',
        },
        'app',
      );
      assert.deepEqual(
        pathsOf(esbuild.planned).filter((path) => path !== '.gitignore'),
        ['bin/a b.png', 'bin/app.css', 'bin/app.js', 'index.html'],
        name,
      );
      assert.deepEqual(problemsIn(esbuild), []);
      assert.match(takenInBy(esbuild).join(), /bin\/app\.js \(.*\.gitignore: /);
    }
  });

  it('is sent if a script imports it that the page loads', async () => {
    const rollup = await checked({
      '.gitignore': 'dist/\n',
      'index.html': '<!doctype html><script type="module" src="dist/app.js"></script>',
      'dist/app.js': 'import{a}from"./chunks/a.js";const b=()=>import("./chunks/b.mjs");',
      'dist/chunks/a.js': "import '../app.js'; import \n'/dist/chunks/c.js'; export const a = 1;",
      'dist/chunks/b.mjs': 'import "https://example.com/x.js"; import "lit"',
      'dist/chunks/c.js': '',
      'dist/chunks/d.js': '',
    });
    assert.deepEqual(pathsOf(rollup.planned), [
      '.gitignore',
      ...['app.js', 'chunks/a.js', 'chunks/b.mjs', 'chunks/c.js'].map((name) => `dist/${name}`),
      'index.html',
    ]);
  });

  it('is sent if config.xml names it, and config.xml itself is', async () => {
    const cordova = await checked({
      '.gitignore': '/config.xml\n/www/dist/\n/res/\n',
      'config.xml':
        '<?xml version="1.0"?>\n<widget xmlns="http://www.w3.org/ns/widgets" id="edu.example.app" version="2.1.3">\n  <name>A</name>\n  <icon src="res/icon.png"/>\n</widget>\n',
      'www/index.html': '<!doctype html><script src="dist/bundle.js"></script>',
      'www/dist/bundle.js': '',
      'res/icon.png': '',
      'res/icon.psd': '',
    });
    assert.deepEqual(pathsOf(cordova.planned), ['config.xml', 'res/icon.png', 'www/dist/bundle.js', 'www/index.html']);
    assert.deepEqual(cordova.planned.made, []);
    assert.deepEqual(problemsIn(cordova), []);
    assert.match(takenInBy(cordova).join(), /: config\.xml \(\.gitignore: \/config\.xml\), res\/icon\.png \(/);
  });

  it('is left out if .appbuildignore names it, and the check names that line', async () => {
    const own = await checked({
      '.appbuildignore': 'elm.js\n',
      '.gitignore': 'elm.js\n',
      'index.html': '<!doctype html><script src="elm.js"></script>',
      'elm.js': 'var Elm',
    });
    assert.ok(!pathsOf(own.planned).includes('elm.js'));
    assert.deepEqual(takenInBy(own), []);
    assert.deepEqual(problemsIn(own), [
      'fails: index.html loads elm.js, which .appbuildignore leaves out with “elm.js”. Remove that line, or remove the script from the page.',
    ]);
  });

  it('fails the check if it’s config.xml and .appbuildignore leaves it out', async () => {
    const own = await checked({
      '.appbuildignore': 'config.xml\n',
      'config.xml': '<widget id="a.b" version="1.0.0"><name>A</name></widget>',
      'www/index.html': PAGE,
    });
    assert.deepEqual(problemsIn(own), [
      'fails: config.xml is left out by “config.xml” in .appbuildignore, so the app would lose its ID, its version, and its plugins. ' +
        'Take it in with the line !config.xml in .appbuildignore.',
    ]);
  });

  it('stays out if it may be a secret, is outside of the project, or is never packed', async () => {
    const page = [
      'node_modules/a/a.js',
      'keys.js',
      '.env',
      '../beside.js',
      '..%2fbeside.js',
      '/../beside.js',
      'file:///etc/passwd',
      '.git/config',
      'old.apk',
    ];
    const found = await checked(
      {
        'beside.js': '',
        'app/.gitignore': '*\n!index.html\n',
        'app/index.html': `<!doctype html>${page.map((src) => `<script src="${src}"></script>`).join('')}`,
        'app/.env': 'A=1',
        'app/.git/config': '',
        'app/node_modules/a/a.js': '',
        'app/keys.js': `const key = '${awsKey()}';`,
        'app/old.apk': '',
      },
      'app',
    );
    assert.deepEqual(pathsOf(found.planned), ['index.html']);
    assert.deepEqual(takenInBy(found), []);
    assert.deepEqual(
      found.planned.suspects.map(({ file }) => file.path),
      ['.env', 'keys.js'],
    );
    const told = problemsIn(found);
    assert.ok(
      told.includes(
        'fails: index.html loads node_modules/a/a.js from a folder that is never packed. Copy a.js next to the page, and load the copy.',
      ),
    );
    assert.ok(
      told.includes(
        'fails: index.html loads keys.js, which is not in the app. Choose “Show What Will Be Sent” to see why it is left out.',
      ),
    );
  });
});
