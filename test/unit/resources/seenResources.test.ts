import assert from 'node:assert/strict';
import { plainLines } from '../../../src/resources/tree/plainText.ts';
import { SeenResources } from '../../../src/resources/seenResources.ts';
import { inert } from '../../../src/workbench/inert.ts';

describe('resources that were seen', () => {
  const one = (url: string, title = url) => ({ url, title });

  it('come back the most recent first, each once, with the latest title', () => {
    const seen = new SeenResources();
    seen.add('ann', [one('/a'), one('/b'), one('/c')]);
    seen.add('ann', [one('/a', 'A')]);
    assert.deepEqual(seen.of('ann'), [one('/a', 'A'), one('/c'), one('/b')]);
  });

  it('belong to an account', () => {
    const seen = new SeenResources();
    seen.add('ann', [one('/a')]);
    assert.deepEqual(seen.of('ben'), []);
  });

  it('are at most a thousand, for at most ten accounts', () => {
    const seen = new SeenResources();
    seen.add(
      'ann',
      Array.from({ length: 1500 }, (_one, index) => one(`/${index}`)),
    );
    assert.equal(seen.of('ann').length, 1000);
    assert.equal(seen.of('ann')[0]?.url, '/1499');
    for (let index = 0; index < 10; index += 1) {
      seen.add(`other ${index}`, [one('/x')]);
    }
    assert.deepEqual(seen.of('ann'), []);
    assert.equal(seen.of('other 0').length, 1);
  });
});

describe('text from the service', () => {
  for (const [sent, shown] of [
    ['plain', 'plain'],
    ['$(zap) [x](command:y) $ ( ] (', '$\u200b(zap) [x]\u200b(command:y) $ ( ] ('],
    ['a\nb\u202ec', 'a b c'],
  ] as const) {
    it(`${JSON.stringify(sent)} has no effect in a picker`, () => assert.equal(inert(sent), shown));
  }

  it('keeps its lines in a tooltip, and nothing else that is invisible', () => {
    assert.equal(plainLines('a\nb\u202ec\u0007\td'), 'a\nb c  d');
    assert.equal(plainLines('x'.repeat(5000)).length, 2001);
  });
});
