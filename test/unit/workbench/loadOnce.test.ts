import assert from 'node:assert/strict';
import { loadOnce } from '../../../src/workbench/loadOnce.ts';

describe('something that is loaded once', () => {
  it('is the same for all that ask, also while it loads', async () => {
    let loads = 0;
    const load = loadOnce(() => Promise.resolve({ number: (loads += 1) }));
    const [first, second] = await Promise.all([load(), load()]);
    assert.equal(first, second);
    assert.equal(await load(), first);
    assert.equal(loads, 1);
  });

  it('is loaded again by the next call after a failure, which all that were waiting get', async () => {
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
