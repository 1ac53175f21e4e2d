import assert from 'node:assert/strict';

import {
  booleanField,
  integerField,
  listField,
  objectField,
  textField,
} from '../../../src/localService/http/fields.ts';

/** For each reader, what was sent, and what it is read as. */
const READ = [
  [textField, '', ''],
  [textField, 'a', 'a'],
  [textField, 2.5, '2.5'],
  [booleanField, true, true],
  [booleanField, 'true', true],
  [booleanField, '1', true],
  [booleanField, false, false],
  [booleanField, '', undefined],
  [integerField, 7, 7],
  [integerField, '7', 7],
  [integerField, '-7', -7],
  [integerField, '', undefined],
  [listField, '', []],
  [listField, 'a', ['a']],
  [listField, 'a, b,', ['a', 'b']],
  [listField, '["a", 1]', ['a', '1']],
  [listField, ['a', 1], ['a', '1']],
  [listField, { 0: 'a', 1: 'b' }, ['a', 'b']],
  [objectField, { a: 1 }, { a: 1 }],
  [objectField, '{"a":1}', { a: 1 }],
  [objectField, '', undefined],
] as const;

/** For each reader, what was sent, and what is wrong with it. */
const REFUSED = [
  [textField, true, 'must be text'],
  [textField, {}, 'must be text'],
  [booleanField, 'yes', 'must be true or false'],
  [booleanField, {}, 'must be true or false'],
  [integerField, 7.5, 'must be an integer'],
  [integerField, '1e3', 'must be an integer'],
  [integerField, '9007199254740993', 'must be an integer'],
  [listField, '[', 'is malformed JSON'],
  [listField, { a: 'a' }, 'must be a list of texts'],
  [listField, '[[]]', 'must be a list of texts'],
  [objectField, '{', 'is malformed JSON'],
  [objectField, '[]', 'must be a JSON object'],
  [objectField, [], 'must be an object'],
  [objectField, 1, 'must be an object'],
] as const;

describe('local service: fields of a request', () => {
  it('are read in every form in which clients send them, or count as not sent', () => {
    for (const [read, sent, expected] of READ) {
      const what = `${read.name} ${JSON.stringify(sent)}`;
      assert.deepEqual([read({}, 'x'), read({ x: null }, 'x')], [undefined, undefined], what);
      assert.deepEqual(structuredClone(read({ x: sent }, 'x')), expected, what);
    }
  });

  it('are refused by name where they have another type', () => {
    for (const [read, sent, fault] of REFUSED) {
      const expected = { status: 400, message: `The field x ${fault}.` };
      assert.throws(() => read({ x: sent }, 'x'), expected, JSON.stringify(sent));
    }
  });
});
