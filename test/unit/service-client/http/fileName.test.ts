import assert from 'node:assert/strict';
import path from 'node:path';

import fc from 'fast-check';

import { safeFileName } from '../../../../src/service-client/http/fileName.ts';

const cases: readonly (readonly [proposal: string, name: string])[] = [
  ['Field-Notes.apk', 'Field-Notes.apk'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['/absolute/x.zip', 'x.zip'],
  ['C:\\x\\y.zip', 'y.zip'],
  ['.bashrc', 'bashrc'],
  ['con', '_con'],
  ['CON.txt', '_CON.txt'],
  ['com¹.zip', '_com¹.zip'],
  ['nul .zip', '_nul .zip'],
  ['file.exe.', 'file.exe'],
  ['a:b?.png', 'a_b_.png'],
  ['photo\u202Egnp.exe', 'photognp.exe'],
  ['zero\u200Bwidth\0.txt', 'zerowidth.txt'],
  ['new\nline.txt', 'newline.txt'],
  ['  spaced   out .txt ', 'spaced out .txt'],
  ['Café – 珈琲.apk', 'Café – 珈琲.apk'],
  ['x'.repeat(300) + '.tar.gz', 'x'.repeat(197) + '.gz'],
  ['', 'download'],
  ['...', 'download'],
  ['/', 'download'],
  ['???', 'download'],
  ['https://host/api/v1/apps/7/My%20App.apk?signature=x', 'My App.apk'],
  ['https://host/a/..%2F..%2Fevil.sh', 'evil.sh'],
  ['https://host/%E0%A4%A', '%E0%A4%A'],
];

describe('safeFileName', () => {
  for (const [proposal, name] of cases) {
    it(`changes ${JSON.stringify(proposal.slice(0, 40))} to ${JSON.stringify(name.slice(0, 40))}`, () => {
      assert.equal(safeFileName(proposal), name);
    });
  }

  it('uses the first suggestion with valid characters', () => {
    assert.equal(safeFileName(undefined, '..', 'https://host/api/v1/apps/7/android'), 'android');
  });

  it('returns a name that is safe on every file system, whatever the suggestion', () => {
    const hostile = fc.constantFrom(
      ...['..', 'con', 'NUL', 'com1', '%2F', '.exe', 'a'.repeat(260)],
      ...'/\\. \u202e\0:~'.split(''),
      '💾',
      '\ud800',
    );
    const proposal = fc
      .array(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 8 })
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(proposal, (text) => {
        const name = safeFileName(text);
        assert.notEqual(name, '');
        assert.equal(path.posix.basename(name), name);
        assert.equal(path.win32.basename(name), name);
        assert.ok(Buffer.byteLength(name) <= 200);
        assert.doesNotMatch(name, /[\p{C}\p{Zl}\p{Zp}<>:"|?*]|^[. ]|[. ]$/u);
        assert.doesNotMatch(name, /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i);
        assert.equal(safeFileName(name), name);
      }),
      { numRuns: 2000 },
    );
  });
});
