import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  flag,
  readInput,
  text,
  textOrNumber,
  texts,
  ToolError,
  toolInput,
  wholeNumber,
} from '../../../../src/extension/agents/toolInput.ts';

const INPUT = toolInput(
  { app: textOrNumber(), folder: text(), create: flag(), seconds: wholeNumber(1, 60), platforms: texts() },
  '{"app": "/api/v1/apps/1"}',
);
const NOTHING = { create: false };

describe('the input of a tool', () => {
  it('can be missing, contain empty or unknown fields, or name one platform without a list', () => {
    for (const [input, read] of [
      [undefined, NOTHING],
      [null, NOTHING],
      [{ app: '', folder: null, create: null, platforms: [], extra: true }, NOTHING],
      [
        { app: 17, seconds: 60 },
        { ...NOTHING, app: '17', seconds: 60 },
      ],
      [
        { platforms: 'ios', create: true },
        { create: true, platforms: ['ios'] },
      ],
      [{ platforms: ['ios', 'ios', '', null, 'android'] }, { ...NOTHING, platforms: ['ios', 'android'] }],
    ] as const) {
      assert.deepEqual(JSON.parse(JSON.stringify(readInput(INPUT, input))), read);
    }
  });

  it('is rejected with the field’s name and the expected value if it’s invalid', () => {
    for (const [input, answer] of [
      [[1], /^The input must be an object, such as \{"app": "\/api\/v1\/apps\/1"\}\. Call again/],
      [{ folder: 7 }, /^"folder" must be a text\. Call again/],
      [{ app: {} }, /^"app" must be a text\. Call again/],
      [{ create: 'true' }, /^"create" must be true or false\. Call again/],
      [{ seconds: 0 }, /^"seconds" must be a whole number from 1 to 60\. Call again/],
      [{ seconds: 1.5 }, /^"seconds" must be a whole number/],
      [{ platforms: [1] }, /^"platforms" must be a list of texts\. Call again/],
    ] as const) {
      assert.throws(() => readInput(INPUT, input), { name: 'ToolError', message: answer });
    }
  });

  it('is either accepted or rejected with instructions for the next call, whatever its value', () => {
    const value = fc.record({ app: fc.anything(), create: fc.anything(), platforms: fc.anything() });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), value), (input) => {
        try {
          const { platforms = [] } = readInput(INPUT, input);
          assert.ok(platforms.every((each) => typeof each === 'string' && each !== ''));
        } catch (error) {
          assert.ok(error instanceof ToolError && error.message.includes('Call again with'), String(error));
        }
      }),
    );
  });
});
