import assert from 'node:assert/strict';
import {
  cancellable,
  CancelledError,
  formatSentence,
  formatValue,
  InvalidInputError,
  sentence,
  throwIfCancelled,
  withArguments,
} from '../../../src/errors/index.ts';

describe('a sentence', () => {
  it('formats its arguments', () => {
    const found = sentence('Found {0} files ({1}): {2}', 1200, { bytes: 12_345_678 }, ['a', 'b']);
    assert.equal(formatSentence(found), 'Found 1,200 files (12.3 MB): a, b');
    assert.equal(formatSentence(withArguments(found, 1, { bytes: 1 }, ['c'])), 'Found 1 files (1 byte): c');
  });

  it('keeps a placeholder without an argument, and placeholders inside arguments', () => {
    assert.equal(formatSentence(sentence('{1} {0}', '{1}')), '{1} {1}');
  });

  it('formats values for a language, and for English if the language is invalid', () => {
    assert.equal(formatValue(1234.5, 'de'), '1.234,5');
    assert.equal(formatValue(1234.5, 'not a language'), '1,234.5');
    assert.equal(formatValue({ bytes: 999 }, 'en'), '999 bytes');
    assert.equal(formatValue({ bytes: 1000 }, 'en'), '1.0 kB');
  });
});

describe('an expected failure', () => {
  it('has the English sentence as its message, and a next step', () => {
    const error = new InvalidInputError(sentence('“{0}” isn’t a number.', 'x'), sentence('Enter a number.'));
    assert.deepEqual([error.name, error.message, error.remedy], ['InvalidInputError', '“x” isn’t a number.', 'none']);
    assert.equal(error.next && formatSentence(error.next), 'Enter a number.');
  });
});

describe('an action that can be canceled', () => {
  it('ends with its result, or with a CancelledError', async () => {
    const controller = new AbortController();
    assert.equal(await cancellable(Promise.resolve(1), controller.signal), 1);
    const waiting = cancellable(new Promise(() => undefined), controller.signal);
    controller.abort();
    await assert.rejects(waiting, CancelledError);
    await assert.rejects(cancellable(new Promise(() => undefined), controller.signal), CancelledError);
    assert.throws(() => throwIfCancelled(controller.signal), CancelledError);
    assert.doesNotThrow(() => throwIfCancelled(undefined));
  });
});
