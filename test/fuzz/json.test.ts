import assert from 'node:assert/strict';

import fc from 'fast-check';

import { parseJsonInSlices } from '../../src/api/http/jsonInSlices.ts';
import { holds } from './property.ts';

// No escapes: V8 13.6 takes {"a":1,"\\"":2} for {"a":1,"\\\\":2} when it has seen the other one before.
const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '', '[', ']}', ',');
const document = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc
      .oneof(
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.constantFrom('"', '\\', '\\"', ']', '{'),
      )
      .map((value) => JSON.stringify(value)),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 12 }), fc.constantFrom(',', ' , ', ',\n'))
      .map(([items, comma]) => `[${items.join(comma)}]`),
    // names may come twice: the last one counts
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(',')}}`),
  ),
})).value;

/** A document of which a part is missing, or has become something else. */
const broken = fc
  .tuple(document, fc.nat(), fc.nat(8), fc.constantFrom('', '[', ']', '{', '}', ',', '"', '\\', ':', ' ', '1', ']{['))
  .map(([text, at, length, piece]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + piece + text.slice(start + length);
  });

async function outcome(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() };
  } catch (error) {
    return String(error);
  }
}

describe('JSON in slices', () => {
  it('takes nothing for an array that a brace has opened', async () => {
    for (const text of ['{"a":{ true , ""]}', '{"a":{1,2]}', '[1,2}']) {
      assert.equal(await outcome(() => parseJsonInSlices(text, 0)), await outcome(() => JSON.parse(text)));
    }
  });

  for (const [kind, texts] of Object.entries({ document, broken })) {
    holds(
      `a ${kind} gives what JSON.parse gives`,
      fc.tuple(texts, fc.integer({ min: 0, max: 40 })),
      async ([text, length]) => {
        assert.deepEqual(await outcome(() => parseJsonInSlices(text, length)), await outcome(() => JSON.parse(text)));
      },
    );
  }
});
