import assert from 'node:assert/strict';
import { PreviewProblems } from '../../../../src/extension/devices/previewProblems.ts';
import { fileUri } from '../../../support/packing.ts';

const ORIGIN = 'http://127.0.0.1:4000';
const report = (message: string, place = '', isBlank = false) => ({ report: { error: { message, place }, isBlank } });

describe('the problems of a previewed app', () => {
  let problems: PreviewProblems;
  beforeEach(() => {
    problems = new PreviewProblems('/index.html#home');
  });
  const diagnostics = () =>
    problems
      .getDiagnostics((path) => fileUri(path))
      .flatMap(([uri, all]) =>
        all.map(({ message, range, severity }) => [
          uri.path,
          range.start.line,
          range.start.character,
          severity,
          message,
        ]),
      );

  it('places an error at the first place in the app, and not in a script of another origin', () => {
    const stack = `Error: no\n    at run (https://cdn.example/app.js:1:1)\n    at start (${ORIGIN}/js/app.js?v=7:12:5)`;
    problems.setReport(report('Uncaught Error: no', stack), ORIGIN);
    assert.deepEqual(diagnostics(), [['/js/app.js', 11, 4, 0, 'Uncaught Error: no']]);
    assert.equal(problems.summary, 'Uncaught Error: no (js/app.js:12)');
    problems.setReport(report('Script error.', ':0:0'), ORIGIN);
    assert.deepEqual(diagnostics(), [['/index.html', 0, 0, 0, 'Script error.']]);
  });

  it('names missing files once where they’re loaded, and counts all problems', () => {
    problems.addMissing('/js/a%20b.js', '/pages/list.html');
    problems.addMissing('/js/a%20b.js', undefined);
    problems.addMissing('/%zz.png', undefined);
    problems.setReport({ report: { isBlank: true } }, ORIGIN);
    assert.deepEqual(
      diagnostics().map(([file, , , , message]) => [file, message]),
      [
        ['/pages/list.html', 'js/a b.js isn’t in the app.'],
        ['/index.html', '%zz.png isn’t in the app.'],
        ['/index.html', 'The page is still empty five seconds after it loaded.'],
      ],
    );
    assert.equal(problems.summary, '3 problems: js/a b.js isn’t in the app.');
    problems.setReport({ report: { isBlank: false } }, ORIGIN);
    assert.equal(diagnostics().length, 2);
  });

  it('shows untrusted text as one short line without secrets', () => {
    problems.setReport(
      report('Failed:\n\u202e[x](command:y) https://me:pass@api.example/list?key=5ecret&b=1 /me?token=5ecret'),
      ORIGIN,
    );
    assert.match(problems.summary, /^Failed: \[x\]\u200b\(command:y\) https:/);
    assert.doesNotMatch(problems.summary, /5ecret|pass@|\n|\u202e/);
    problems.setReport(report('x'.repeat(100_000)), ORIGIN);
    assert.equal(problems.summary.length, 300);
    for (let index = 0; index < 100; index += 1) {
      problems.addMissing(`/${index}`, undefined);
    }
    assert.equal(diagnostics().length, 21);
  });

  it('ignores other messages', () => {
    for (const message of ['reload', undefined, {}, { report: {} }, { report: { error: 'no', isBlank: false } }]) {
      problems.setReport(message, ORIGIN);
    }
    assert.deepEqual([problems.summary, diagnostics()], ['', []]);
  });
});
