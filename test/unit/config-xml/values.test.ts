import assert from 'node:assert/strict';

import { formatSentence } from '../../../src/errors/index.ts';
import { valueFault } from '../../../src/config-xml/checks/valueChecks.ts';
import type { ValueType } from '../../../src/config-xml/rules.ts';
import { readFixture } from '../../support/configXml.ts';

interface Row {
  readonly type: ValueType;
  readonly right: readonly string[];
  readonly wrong: readonly { readonly value: string; readonly message: string; readonly suggestion?: string }[];
}

describe('config.xml: values', () => {
  for (const { type, right, wrong } of readFixture('values.json') as readonly Row[]) {
    it(`checks values of the type ${JSON.stringify(type)}`, () => {
      for (const value of right) {
        assert.equal(valueFault(type, value), undefined, value);
      }
      for (const { value, message, suggestion } of wrong) {
        const fault = valueFault(type, value);
        assert.ok(fault !== undefined, value);
        assert.deepEqual([formatSentence(fault.message), fault.suggestion], [message, suggestion]);
        assert.ok(suggestion === undefined || valueFault(type, suggestion) === undefined, 'the suggestion is right');
      }
    });
  }

  it('shortens a value of a thousand characters in a message', () => {
    const fault = valueFault({ kind: 'boolean' }, 'x'.repeat(1000));
    assert.ok(fault !== undefined && formatSentence(fault.message).length < 200);
  });
});
