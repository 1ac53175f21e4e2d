import assert from 'node:assert/strict';
import { errorCount, kindOf, stepsOf, type LineKind, type Step } from '../../../../src/builds/logs/logSteps.ts';

const marksOf = (lines: readonly string[]) =>
  lines.flatMap((text, line) => {
    const mark = kindOf(text);
    return mark === undefined ? [] : [{ line, mark }];
  });
const shape = ({ title, firstLine, lastLine, steps }: Step): unknown[] => [
  title,
  firstLine,
  lastLine,
  ...steps.map(shape),
];
const step = (level: 1 | 2, title: string): LineKind => ({ kind: 'step', header: { level, title } });

describe('the steps of a log', () => {
  it('begin with', () => {
    const rows: readonly (readonly [string, LineKind | undefined])[] = [
      ['── Preparing', step(1, 'Preparing')],
      [
        'Building App 1.0 for android with the cordova builder',
        step(1, 'Building App 1.0 for android with the cordova builder'),
      ],
      ['=== BUILD TARGET App OF PROJECT App ===', step(1, 'BUILD TARGET App OF PROJECT App')],
      ['##[group]Set up', step(1, 'Set up')],
      ['::group::Set up', step(1, 'Set up')],
      ['##[endgroup]', { kind: 'groupEnd' }],
      ['2026-01-02T03:04:05.678Z ── Preparing', step(1, 'Preparing')],
      ['[03:04:05] > Task :app:compile FAILED', step(2, 'Task :app:compile FAILED')],
      ['> Configure project :app', step(2, 'Configure project :app')],
      ['CompileC a.o a.m normal', step(2, 'CompileC a.o a.m normal')],
      ['> app@1.0.0 build', step(2, 'app@1.0.0 build')],
      ['> quoted text', undefined],
      ['Building a house', undefined],
      ['', undefined],
    ];
    for (const [line, expected] of rows) {
      assert.deepEqual(kindOf(line), expected);
    }
  });

  for (const line of [
    'error: no such thing',
    'www/app.js:3:5: error: Unexpected token',
    'src/a.ts(3,5): error TS2304: Cannot find name',
    'FAILURE: Build failed with an exception.',
    'npm ERR! code 1',
    '** BUILD FAILED **',
    'e: file:///a/b.kt:3:5 Unresolved reference',
    '##[error]It failed',
    'Malformed config.xml: the element name is missing or empty.',
  ]) {
    it(`have an error: ${line}`, () => assert.equal(kindOf(line)?.kind, 'error'));
  }

  for (const line of ['0 errors', 'No error: all is well here', 'errors.js was packed', 'warning: no icon']) {
    it(`have none: ${line}`, () => assert.notEqual(kindOf(line)?.kind, 'error'));
  }

  it('go on until the next one of their level, or the end of their group', () => {
    const lines = [
      'text',
      '── One',
      '> Task :a',
      'error: a',
      '> Task :b',
      '── Two',
      '##[group]Three',
      'x',
      '##[endgroup]',
      'y',
    ];
    const { steps } = stepsOf(marksOf(lines), lines.length);
    assert.deepEqual(steps.map(shape), [
      ['One', 1, 4, ['Task :a', 2, 3], ['Task :b', 4, 4]],
      ['Two', 5, 5],
      ['Three', 6, 8],
    ]);
    assert.deepEqual(steps.map(errorCount), [1, 0, 0]);
  });

  it('of errors outside all steps: they are the log’s own', () => {
    const { steps, errors } = stepsOf(marksOf(['error: a', 'b']), 2);
    assert.deepEqual([steps, errors], [[], [{ line: 0, text: 'error: a' }]]);
  });
});
