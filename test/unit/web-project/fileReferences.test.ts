import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { fileProblem, fileReferences, pathsInFolder } from '../../../src/web-project/fileReferences.ts';
import { repositoryRoot } from '../../support/repository.ts';

const found = (text: string) =>
  fileReferences(text).map(({ path, line, column, start, end }) => [text.slice(start, end), path, line, column]);
const getProblem = (text: string) => {
  const problem = fileProblem(text, fileReferences(text));
  return (
    problem && [
      problem.severity,
      problem.reference.path,
      problem.reference.line,
      problem.reference.column,
      problem.message,
    ]
  );
};

describe('the problem matcher of the build task', () => {
  it('matches only files in the folder', async () => {
    const manifest = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
      contributes: { problemMatchers: readonly { fileLocation: readonly string[]; pattern: { regexp: string } }[] };
    };
    const [matcher] = manifest.contributes.problemMatchers;
    assert.ok(matcher);
    assert.deepEqual(matcher.fileLocation, ['relative', '${workspaceFolder}']);
    const file = (line: string) => new RegExp(matcher.pattern.regexp).exec(line)?.slice(1);
    assert.deepEqual(file('www/a.js:3:5: error: Unexpected word'), ['www/a.js', '3', '5', 'error', 'Unexpected word']);
    assert.deepEqual(file('warning in www/a.js:3: No word'), ['www/a.js', '3', undefined, undefined, 'No word']);
    for (const written of [
      '/etc/a.js',
      '//host/a.js',
      '\\\\host\\a.js',
      'C:\\a.js',
      'C:/a.js',
      '../a.js',
      'www/../../a.js',
      'file:///a.js',
    ]) {
      assert.equal(file(`${written}:1:1: error: Fix this file`), undefined, written);
      assert.equal(file(`in ${written}:1:1: error: Fix this file`), undefined, written);
    }
  });
});

describe('the search for files in a log', () => {
  it('finds file names in a log', () => {
    const rows: readonly (readonly [string, readonly unknown[]])[] = [
      ['in www/js/app.js:3:5 there', [['www/js/app.js:3:5', 'www/js/app.js', 3, 5]]],
      ['at f (/home/ann/app/www/app.js:12:7)', [['/home/ann/app/www/app.js:12:7', '/home/ann/app/www/app.js', 12, 7]]],
      ['src/a.ts(3,5): error', [['src/a.ts(3,5)', 'src/a.ts', 3, 5]]],
      ['e: file:///home/a%20b/c.kt:3:5 no', [['file:///home/a%20b/c.kt:3:5', '/home/a b/c.kt', 3, 5]]],
      ['C:\\app\\www\\a.js:3', [['C:\\app\\www\\a.js:3', 'C:/app/www/a.js', 3, undefined]]],
      ['<project>/source/www/ä.js', [['<project>/source/www/ä.js', '<project>/source/www/ä.js', undefined, undefined]]],
      ['at file:///home/a.kt:3', [['file:///home/a.kt:3', '/home/a.kt', 3, undefined]]],
      ['"config.xml", line 4', [['config.xml', 'config.xml', undefined, undefined]]],
      ['config.xml line 4, column 2', [['config.xml line 4, column 2', 'config.xml', 4, 2]]],
      ['Reads config.xml.', [['config.xml', 'config.xml', undefined, undefined]]],
      ['version 1.2.3, 10.5 MB', []],
      ['https://example.com/a/b.js:3', []],
      ['nothing here', []],
    ];
    for (const [text, expected] of rows) {
      assert.deepEqual(found(text), expected);
    }
  });

  it('finds the error or warning that a line reports about a file', () => {
    const rows: readonly (readonly [string, readonly unknown[] | undefined])[] = [
      ['www/a.js:3:5: error: Unexpected token', ['error', 'www/a.js', 3, 5, 'Unexpected token']],
      ['www/a.js:3: warning: old', ['warning', 'www/a.js', 3, undefined, 'old']],
      ['www/a.js:3:5: Unexpected token', ['error', 'www/a.js', 3, 5, 'Unexpected token']],
      ['src/a.ts(3,5): error TS2304: Cannot find', ['error', 'src/a.ts', 3, 5, 'TS2304: Cannot find']],
      ['e: file:///p/c.kt:3:5 Unresolved', ['error', '/p/c.kt', 3, 5, 'Unresolved']],
      ['[warn] w: c.kt:3:5 Unused', ['warning', 'c.kt', 3, 5, 'Unused']],
      ['Malformed config.xml: no name (line 3, column 9).', ['error', 'config.xml', 3, 9, 'no name']],
      [
        'config.xml: <x> isn’t supported and is ignored.',
        ['warning', 'config.xml', 1, undefined, '<x> isn’t supported and is ignored'],
      ],
      ['    at f (www/a.js:3:5)', undefined],
      ['www/a.js: copied', undefined],
      ['config.xml is well-formed.', undefined],
    ];
    for (const [text, expected] of rows) {
      assert.deepEqual(getProblem(text), expected);
    }
  });

  it('resolves paths in the folder /home/ann/app', () => {
    const rows: readonly (readonly [string, readonly string[]])[] = [
      ['www/a.js', ['www/a.js', 'a.js']],
      ['./www/../config.xml', ['config.xml']],
      ['/home/ann/app/www/a.js', ['www/a.js', 'a.js']],
      ['/home/ann/application/a.js', []],
      ['/etc/passwd.d', []],
      ['../../etc/a.js', []],
      ['www/../../a.js', []],
      ['<project>/source/www/a.js', ['www/a.js', 'a.js']],
      ['<project>/source/../../a.js', []],
      ['/data/work/app-build-work-a1B2c3/source/js/a.js', ['js/a.js']],
      ['C:/data/work/app-build-work-a1B2c3/source/js/a.js', ['js/a.js']],
      ['/data/work/app-build-work-a1B2c3/source/../../a.js', []],
      ['<build>/project/platforms/android/app/src/main/assets/www/js/a.js', ['www/js/a.js', 'js/a.js']],
    ];
    for (const [path, expected] of rows) {
      assert.deepEqual(pathsInFolder(path, '/home/ann/app'), expected);
    }
  });

  it('follows Windows rules for other drives and letter case', () => {
    assert.deepEqual(pathsInFolder('C:/Users/Ann/App/a.js', 'c:/users/ann/app'), ['a.js']);
    assert.deepEqual(pathsInFolder('D:/Users/Ann/App/a.js', 'c:/users/ann/app'), []);
  });

  it('finds only files that are in the text and in the folder, whatever the text', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('../', './', '/', '\\', 'a.js', ':3', ':5', '<b>', 'file://', '%2e%2e/', 'C:'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        for (const { path, start, end } of fileReferences(text)) {
          assert.ok(start >= 0 && start < end && end <= text.length);
          for (const candidate of pathsInFolder(path, '/folder')) {
            assert.ok(!candidate.startsWith('/') && !candidate.split('/').includes('..'), candidate);
          }
        }
        getProblem(text);
      }),
    );
  });
});
