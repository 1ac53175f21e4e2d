import assert from 'node:assert/strict';

import { plainText, type Sentence } from '../../../../src/api/errors/sentence.ts';
import type { LeftOut, LeftOutReason, PackagePlan } from '../../../../src/projects/packing/packageContents.ts';
import {
  biggestFilesOf,
  leftOutOf,
  summaryOf,
  suspicionOf,
  warningOf,
} from '../../../../src/projects/packing/planSentences.ts';
import { planOf as planIn } from '../../../support/folderChecks.ts';
import { fileUri } from '../../../support/packing.ts';

const uri = fileUri(import.meta.dirname);
const ignored: LeftOutReason = { kind: 'ignored', file: '.gitignore', rule: 'dist/' };

const planOf = (sizes: Readonly<Record<string, number>>, more?: Partial<PackagePlan>) =>
  planIn({ uri, path: '', name: undefined }, sizes, more);

function texts(sentences: readonly Sentence[]): readonly string[] {
  return sentences.map(plainText);
}

describe('a plan in words', () => {
  it('has the number and size of the files, and the biggest', () => {
    assert.equal(plainText(summaryOf(planOf({ a: 1_500 }))), '1 file, 1.5 kB');
    const sizes = { a: 1, b: 2_000_000, c: 30, d: 4, e: 5, f: 60_000_000 };
    assert.equal(plainText(summaryOf(planOf(sizes))), '6 files, 62.0 MB');
    assert.deepEqual(texts(biggestFilesOf(planOf(sizes))), [
      'f (60.0 MB)',
      'b (2.0 MB)',
      'c (30 bytes)',
      'e (5 bytes)',
      'd (4 bytes)',
    ]);
  });

  it('tells what stays behind, by reasons, secrets first; many paths are counted', () => {
    const kinds = ['appPackage', 'notPartOfApp', 'special', 'unreadable', 'name', 'link', 'secret'] as const;
    const others = kinds.map((kind): LeftOut => ({ path: `of-${kind}`, reason: { kind } }));
    const many = Array.from({ length: 10 }, (_, index): LeftOut => ({ path: `d${index}/`, reason: ignored }));
    assert.deepEqual(texts(leftOutOf(planOf({}, { leftOut: [...many, ...others] }))), [
      'Left out, for they may hold secrets: of-secret',
      'Left out, links that lead out of the folder, nowhere or in a circle: of-link',
      'Left out, for not every system can have files of these names: of-name',
      'Left out, for they cannot be read: of-unreadable',
      'Left out, for they are no files: of-special',
      'Left out, for they are not part of an app: of-notPartOfApp',
      'Left out, since an app doesn’t contain app packages: of-appPackage',
      'Left out by .gitignore or .appbuildignore: d0/, d1/, d2/, d3/, d4/, d5/, d6/, d7/ … (+2)',
    ]);
    assert.deepEqual(leftOutOf(planOf({})), []);
  });

  it('warns of what a service may refuse, and of generated pages', () => {
    const rule = { file: '.gitignore', rule: 'www/' };
    const warnings: PackagePlan['warnings'] = [
      { kind: 'tooManyEntries' },
      { kind: 'tooLarge' },
      { kind: 'generatedContent', folder: 'www/', ...rule },
      { kind: 'generatedContent', folder: '', ...rule },
    ];
    assert.deepEqual(texts(warnings.map(warningOf)), [
      'The package may be refused: services take 20,000 files and folders.',
      'The package may be refused: services take 1.1 GB.',
      'www/ is sent although .gitignore leaves it out with “www/”, for it is the app. ' +
        'A line in .appbuildignore can leave out parts of it.',
      'The folder is sent although .gitignore leaves it out with “www/”, for it is the app.',
    ]);
  });

  it('warns of names that a phone does not take, large files and source maps; many paths are counted', () => {
    const warnings: PackagePlan['warnings'] = [
      { kind: 'fileNames', problem: 'leftOutByAndroid', paths: ['www/_next/', 'www/.data.json'] },
      { kind: 'fileNames', problem: 'unpackedByAndroid', paths: ['www/a.json.gz'] },
      { kind: 'fileNames', problem: 'notAscii', paths: ['www/größe.png'] },
      { kind: 'largeFiles', paths: ['www/film.mp4'] },
      { kind: 'sourceMaps', paths: Array.from({ length: 10 }, (_, index) => `www/${index}.js.map`), bytes: 1_500_000 },
    ];
    assert.deepEqual(texts(warnings.map(warningOf)), [
      'Will be missing in the app on Android, which leaves out names that begin with a dot and folders that begin with an ' +
        'underscore: www/_next/, www/.data.json',
      'Will be unpacked in the app on Android, and lose the ending .gz: www/a.json.gz',
      'Some services and phones take no names with letters such as ü or 日: www/größe.png',
      'Large files, which make the app slow to send and to install: www/film.mp4',
      'Source maps (1.5 MB) show the source of the app to whoever has it: www/0.js.map, www/1.js.map, www/2.js.map, ' +
        'www/3.js.map, www/4.js.map, www/5.js.map, www/6.js.map, www/7.js.map … (+2)',
    ]);
  });

  it('says why a file may hold a secret, and where', () => {
    const kinds = ['privateKey', 'signingPasswords', 'cloudKey', 'accessToken'] as const;
    assert.deepEqual(
      texts([
        suspicionOf({ secret: 'name', line: undefined }),
        ...kinds.map((secret) => suspicionOf({ secret, line: 7 })),
      ]),
      [
        'Its name is that of a secret',
        'Private key in line 7',
        'Passwords of a signing key in line 7',
        'Key of a cloud service in line 7',
        'Access token in line 7',
      ],
    );
  });
});
