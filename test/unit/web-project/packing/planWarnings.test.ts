import assert from 'node:assert/strict';

import { formatSentence } from '../../../../src/errors/index.ts';
import { MAX_PACKAGE_ENTRIES } from '../../../../src/web-project/limits.ts';
import {
  type LeftOut,
  type PackagePlan,
  type PlannedFile,
  type PlanWarning,
  warningsAbout,
} from '../../../../src/web-project/packing/packageContents.ts';
import {
  getLeftOutSentences,
  getPlanSummary,
  getWarningSentence,
} from '../../../../src/web-project/packing/planSentences.ts';
import { plannedFile, createPlan } from '../../../support/folderChecks.ts';
import { fileUri } from '../../../support/packing.ts';

const project = { uri: fileUri(import.meta.dirname), path: '', name: undefined };
const file = (path: string, sizeBytes = 1) => plannedFile(project, path, sizeBytes);

function getWarnings(...paths: readonly string[]): readonly PlanWarning[] {
  return warningsAbout(
    ['config.xml', 'www/index.html', ...paths].map((path) => file(path)),
    { pages: 'www' },
  );
}

describe('the list of warnings before an upload', () => {
  it('names each file that Android leaves out of the app, once', () => {
    const missing: readonly (readonly [path: string, named: string])[] = [
      ['www/_next/static/a.js', 'www/_next/'],
      ['www/lib/_internal/a/b.js', 'www/lib/_internal/'],
      ['www/.well-known/assetlinks.json', 'www/.well-known/'],
      ['www/data/.settings.dat', 'www/data/.settings.dat'],
      ['www/CVS/Entries.js', 'www/CVS/'],
      ['www/picasa.ini', 'www/picasa.ini'],
    ];
    assert.deepEqual(getWarnings(...missing.map(([path]) => path), 'www/_next/b.js'), [
      { kind: 'fileNames', problem: 'leftOutByAndroid', paths: missing.map(([, named]) => named) },
    ]);
  });

  it('doesn’t mention valid names, or files that the app doesn’t need', () => {
    const inPages =
      '_layout.css js/a_b.js a.b.c.js .gitkeep .gitignore lib/.eslintrc.json lib/.bower.json lib/.npmignore';
    const others = 'lib/.travis.yml lib/.github/a.yml backup.js~';
    const notPart = '_source/a.js .github/a.yml res/größe.png docs/a.gz';
    const names = `${inPages} ${others}`.split(' ').map((name) => `www/${name}`);
    for (const path of [...names, 'www/a b.html', ...notPart.split(' ')]) {
      assert.deepEqual(getWarnings(path), [], path);
    }
  });

  it('covers only the pages folder, which is the project itself for a plain page', () => {
    const problem = { kind: 'fileNames', problem: 'leftOutByAndroid' } as const;
    const files = [file('index.html'), file('www/a.js'), file('_a/b.js')];
    assert.deepEqual(warningsAbout(files, { pages: '' }), [{ ...problem, paths: ['_a/'] }]);
    assert.deepEqual(warningsAbout(files, { pages: 'www' }), []);
  });

  it('lists archives that Android unpacks, and files whose names aren’t ASCII', () => {
    assert.deepEqual(getWarnings('www/data.json.gz', 'www/日本/größe.png', 'www/日本/a.png'), [
      { kind: 'fileNames', problem: 'unpackedByAndroid', paths: ['www/data.json.gz'] },
      { kind: 'fileNames', problem: 'notAscii', paths: ['www/日本/'] },
    ]);
  });

  it('names large files, the largest first, and source maps with their size', () => {
    const files = [
      file('www/a.mp4', 10_000_001),
      file('www/app.js'),
      file('www/app.js.map', 300),
      file('www/b.mp4', 20_000_000),
      file('www/c.mp4', 10_000_000),
      file('www/level.map', 9),
      file('www/main.js'),
      file('www/main.map', 30),
      file('www/style.css.map', 3),
    ];
    assert.deepEqual(warningsAbout(files, { pages: 'www' }), [
      { kind: 'largeFiles', paths: ['www/b.mp4', 'www/a.mp4'] },
      { kind: 'sourceMaps', paths: ['www/app.js.map', 'www/main.map', 'www/style.css.map'], bytes: 333 },
    ]);
  });

  it('reports that a service may reject this many files, folders, or bytes', () => {
    const many = (count: number): readonly PlannedFile[] =>
      Array.from({ length: count }, (_, index) => file(`www/a/b/${index}.js`));
    // The three folders are counted as well.
    assert.deepEqual(warningsAbout(many(MAX_PACKAGE_ENTRIES - 3), { pages: 'www' }), []);
    assert.deepEqual(warningsAbout(many(MAX_PACKAGE_ENTRIES - 2), { pages: 'www' }), [{ kind: 'tooManyEntries' }]);
    assert.deepEqual(warningsAbout([file('www/a.bin', 1024 ** 3), file('www/b.bin', 1)], { pages: 'www' }), [
      { kind: 'tooLarge' },
      { kind: 'largeFiles', paths: ['www/a.bin'] },
    ]);
  });
});

describe('the description of a plan', () => {
  const inWords = (leftOut: readonly LeftOut[], warnings: PackagePlan['warnings'] = []): readonly string[] => {
    const plan = createPlan(project, { a: 1_500 }, { leftOut, warnings });
    return [getPlanSummary(plan), ...getLeftOutSentences(plan), ...warnings.map(getWarningSentence)].map(
      formatSentence,
    );
  };

  it('lists the omitted files by reason, secrets first, and counts many files instead', () => {
    const rule = { kind: 'ignored', file: '.gitignore', rule: 'dist/' } as const;
    const many = Array.from({ length: 10 }, (_, index): LeftOut => ({ path: `d${index}/`, reason: rule }));
    const maps = { kind: 'sourceMaps', paths: many.map(({ path }) => path), bytes: 1_500_000 } as const;
    assert.deepEqual(inWords([...many, { path: '.env', reason: { kind: 'secret' } }], [maps]), [
      '1 file, 1.5 kB',
      'Left out because they may contain secrets: .env',
      'Left out by .gitignore or .appbuildignore: d0/, d1/, d2/, d3/, d4/ … (+5)',
      'Source maps (1.5 MB) show the app’s source code: d0/, d1/, d2/, d3/, d4/ … (+5)',
    ]);
  });
});
