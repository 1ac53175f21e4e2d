import assert from 'node:assert/strict';
import { loadOnce } from '../../../../src/extension/workbench/loadOnce.ts';

describe('a value that is loaded once', () => {
  it('is shared by all callers, including while it loads', async () => {
    let loads = 0;
    const load = loadOnce(() => Promise.resolve({ number: (loads += 1) }));
    const [first, second] = await Promise.all([load(), load()]);
    assert.equal(first, second);
    assert.equal(await load(), first);
    assert.equal(loads, 1);
  });

  it('is loaded again after a failure, which all waiting callers receive', async () => {
    let loads = 0;
    const load = loadOnce(() => (++loads === 1 ? Promise.reject(new Error('gone')) : Promise.resolve(loads)));
    const answers = await Promise.allSettled([load(), load()]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await load(), 2);
    assert.equal(await load(), 2);
  });
});
