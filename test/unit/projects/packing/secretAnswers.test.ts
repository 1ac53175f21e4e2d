import assert from 'node:assert/strict';

import fc from 'fast-check';

import type { SuspectFile } from '../../../../src/projects/packing/packageContents.ts';
import { answerOf, readAnswers, withAnswer } from '../../../../src/projects/packing/suspects.ts';
import { fileUri } from '../../../support/packing.ts';

function suspect(path: string, fingerprint?: string): SuspectFile {
  const file = { path, uri: fileUri(import.meta.dirname), sizeBytes: 1, mode: undefined, modifiedMs: 0, inode: 0 };
  return fingerprint === undefined
    ? { file, secret: 'name', line: undefined, isRequested: true }
    : { file, secret: 'accessToken', line: 1, isRequested: false, fingerprint };
}

describe('answers about secrets', () => {
  it('hold for the file, the kind of secret and what was found', () => {
    const answers = withAnswer(withAnswer({}, suspect('a.js', '12'), 'send'), suspect('b.p12'), 'leaveOut');
    const read = readAnswers(JSON.parse(JSON.stringify(answers)));
    assert.equal(answerOf(read, suspect('a.js', '12')), 'send');
    assert.equal(answerOf(read, { ...suspect('a.js', '12'), line: 99 }), 'send');
    assert.equal(answerOf(read, suspect('b.p12')), 'leaveOut');
    for (const other of [
      suspect('a.js', '13'),
      suspect('a.js'),
      suspect('c.js', '12'),
      { ...suspect('a.js', '12'), secret: 'privateKey' as const },
      suspect('toString'),
    ]) {
      assert.equal(answerOf(read, other), undefined);
    }
    assert.equal(answerOf(withAnswer(read, suspect('a.js', '13'), 'leaveOut'), suspect('a.js', '12')), undefined);
  });

  it('are a thousand at most: the oldest is forgotten', () => {
    let answers = {};
    for (let index = 0; index <= 1_000; index += 1) {
      answers = withAnswer(answers, suspect(`f${index}`), 'send');
    }
    assert.equal(answerOf(answers, suspect('f0')), undefined);
    assert.equal(answerOf(answers, suspect('f1')), 'send');
    assert.equal(answerOf(answers, suspect('f1000')), 'send');
  });

  it('are read from anything that is stored: what is not understood was not said', () => {
    for (const stored of [undefined, null, true, 'send', [], { a: 'send' }, { a: { secret: 'name', answer: 'yes' } }]) {
      assert.deepEqual(readAnswers(stored), {});
    }
    fc.assert(fc.property(fc.jsonValue(), (stored) => void answerOf(readAnswers(stored), suspect('a'))));
  });
});
