import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  ToolError,
  argumentsOf,
  flagOf,
  listOf,
  numberOf,
  textArgument,
  textOrNumberOf,
  textsOf,
} from '../../../src/agentTools/toolInput.ts';

describe('what an agent calls a tool with', () => {
  it('is what a schema asks for, or a sentence that says what to do, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (input, value) => {
        try {
          argumentsOf(input, '{}');
          const values = { value };
          assert.equal(typeof (textArgument(values, 'value') ?? ''), 'string');
          assert.equal(typeof (textOrNumberOf(values, 'value') ?? ''), 'string');
          assert.ok((textsOf(values, 'value') ?? []).every((each) => typeof each === 'string' && each !== ''));
          assert.equal(typeof flagOf(values, 'value'), 'boolean');
          const number = numberOf(values, 'value', { min: 1, max: 60 }) ?? 1;
          assert.ok(Number.isInteger(number) && number >= 1 && number <= 60);
        } catch (error) {
          assert.ok(error instanceof ToolError && error.message.includes('Call again with'), String(error));
        }
      }),
    );
  });

  it('may be left out, and is not held against its form where that is clear', () => {
    assert.deepEqual(argumentsOf(undefined, '{}'), {});
    for (const value of [undefined, null, '']) {
      assert.equal(textArgument({ value }, 'value'), undefined);
      assert.equal(textsOf({ value }, 'value'), undefined);
    }
    assert.deepEqual(textsOf({ value: ['ios', 'ios', '', 'android'] }, 'value'), ['ios', 'android']);
    assert.deepEqual(textsOf({ value: 'ios' }, 'value'), ['ios']);
    assert.equal(textOrNumberOf({ value: 17 }, 'value'), '17');
    assert.equal(flagOf({ value: null }, 'value'), false);
    assert.throws(() => flagOf({ value: 'true' }, 'value'), ToolError);
    assert.throws(() => textsOf({ value: Array.from({ length: 51 }, () => 'x') }, 'value'), ToolError);
    assert.match(listOf(Array.from({ length: 22 }, (_, index) => String(index))), /, 18, 19 and 2 more$/);
  });
});
