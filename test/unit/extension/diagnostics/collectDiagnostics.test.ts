import assert from 'node:assert/strict';
import { NetworkError, ServiceError } from '../../../../src/service-client/index.ts';
import { InvalidInputError, sentence } from '../../../../src/errors/index.ts';
import { failureFacts, failureKind } from '../../../../src/extension/diagnostics/collectDiagnostics.ts';

describe('a failure in a diagnostics report', () => {
  it('reports the error’s kind and the extension’s own stack frames, but never its message', () => {
    const withCode = Object.assign(new TypeError('/home/ann'), { code: 'ENOENT' });
    withCode.stack =
      'TypeError: /home/ann\n    at x (/home/ann/.vscode/dist/later.cjs:1:234)\n    at ann (/x/y.js:1:2)';
    const strange = Object.assign(new Error('ann'), { name: 'ann@example.com', code: 'a b', stack: undefined });
    const kinds: readonly (readonly [unknown, string])[] = [
      [new ServiceError(403, 'ann may not'), 'service 403'],
      [new NetworkError('headersTimeout', 'ann.example'), 'network headersTimeout'],
      [new InvalidInputError(sentence('ann')), 'invalidInput'],
      [withCode, 'TypeError ENOENT at later.cjs:1:234'],
      [strange, 'Error'],
      ['ann', 'not an error'],
      [undefined, 'not an error'],
    ];
    for (const [error, kind] of kinds) {
      assert.equal(failureKind(error), kind);
    }
  });

  it('reports the ID of a failed command, but no other description', () => {
    const error = new ServiceError(500, 'ann');
    const failures = ['appBuild.connect', 'Open ann’s app'].map((doing) => ({ doing, error, time: 1000 }));
    assert.deepEqual(failureFacts(failures, 61_000, ['appBuild.connect']), [
      ['60 s ago', 'appBuild.connect, service 500'],
      ['60 s ago', 'service 500'],
    ]);
    assert.deepEqual(failureFacts([], 0, []), [['Failures since this window was opened', 'none']]);
  });
});
