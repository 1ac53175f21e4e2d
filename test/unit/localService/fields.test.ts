import assert from 'node:assert/strict';

import { HttpError } from '../../../src/localService/http/errors.ts';
import {
  booleanField,
  integerField,
  listField,
  objectField,
  textField,
} from '../../../src/localService/http/fields.ts';

type Reader = (fields: Readonly<Record<string, unknown>>, name: string) => unknown;
/** What was sent, and what it is read as; an error where it is refused. */
type Row = readonly [sent: unknown, read: unknown];

const TABLE: readonly (readonly [name: string, reader: Reader, rows: readonly Row[]])[] = [
  [
    'text',
    textField,
    [
      ['', ''],
      ['a', 'a'],
      [2.5, '2.5'],
      [null, undefined],
      [true, new Error('The field x must be text.')],
      [{}, new Error('The field x must be text.')],
    ],
  ],
  [
    'a boolean',
    booleanField,
    [
      [true, true],
      ['true', true],
      ['1', true],
      [false, false],
      ['', undefined],
      [null, undefined],
      ['yes', new Error('The field x must be true or false.')],
      [{}, new Error('The field x must be true or false.')],
    ],
  ],
  [
    'an integer',
    integerField,
    [
      [7, 7],
      ['7', 7],
      ['-7', -7],
      ['', undefined],
      [null, undefined],
      [7.5, new Error('The field x must be an integer.')],
      ['1e3', new Error('The field x must be an integer.')],
      ['9007199254740993', new Error('The field x must be an integer.')],
    ],
  ],
  [
    'a list',
    listField,
    [
      ['', []],
      ['a', ['a']],
      ['a, b,', ['a', 'b']],
      ['["a", 1]', ['a', '1']],
      [
        ['a', 1],
        ['a', '1'],
      ],
      [{ 0: 'a', 1: 'b' }, ['a', 'b']],
      [null, undefined],
      ['[', new Error('The field x is malformed JSON.')],
      [{ a: 'a' }, new Error('The field x must be a list of texts.')],
      ['[[]]', new Error('The field x must be a list of texts.')],
    ],
  ],
  [
    'an object',
    objectField,
    [
      [{ a: 1 }, { a: 1 }],
      ['{"a":1}', { a: 1 }],
      ['', undefined],
      [null, undefined],
      ['{', new Error('The field x is malformed JSON.')],
      ['[]', new Error('The field x must be a JSON object.')],
      [[], new Error('The field x must be an object.')],
      [1, new Error('The field x must be an object.')],
    ],
  ],
];

describe('local service: fields of a request', () => {
  for (const [name, reader, rows] of TABLE) {
    it(`reads ${name}, and refuses what is none`, () => {
      assert.equal(reader({}, 'x'), undefined);
      for (const [sent, expected] of rows) {
        const read = (): unknown => reader({ x: sent }, 'x');
        if (expected instanceof Error) {
          assert.throws(read, (error) => {
            assert.ok(error instanceof HttpError, `${name} ${JSON.stringify(sent)}`);
            assert.deepEqual([error.status, error.message], [400, expected.message]);
            return true;
          });
        } else {
          const value = read();
          const plain: unknown = typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
          assert.deepEqual(plain, expected, `${name} ${JSON.stringify(sent)}`);
        }
      }
    });
  }
});
