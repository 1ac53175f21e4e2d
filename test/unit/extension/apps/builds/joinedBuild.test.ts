import assert from 'node:assert/strict';
import { CancelledError } from '../../../../../src/errors/index.ts';
import { JoinedBuild } from '../../../../../src/extension/apps/builds/joinedBuild.ts';

/** Creates a build with two steps. The test decides when the first one ends. */
function twoSteps() {
  const heard: string[] = [];
  let packed: (value?: undefined) => void = () => undefined;
  const build = new JoinedBuild<string>(
    (text) => void heard.push(text),
    async ({ step }) => {
      await step('pack', () => new Promise<undefined>((resolve) => (packed = resolve)));
      return step('upload', (_signal, show) => {
        show('half');
        return Promise.resolve('app');
      });
    },
  );
  return { build, heard, finish: () => packed() };
}

describe('a build with several callers', () => {
  it('runs once and reports its steps to the first caller', async () => {
    const { build, heard, finish } = twoSteps();
    const all = [build.join(undefined), build.join(undefined)];
    await new Promise(setImmediate);
    finish();
    assert.deepEqual(await Promise.all(all), ['app', 'app']);
    assert.deepEqual(heard, ['pack', 'upload', 'half']);
  });

  for (const leaver of [0, 1]) {
    it(`continues when caller ${leaver} of two cancels, and stops before the next step after both cancel`, async () => {
      const callers = [new AbortController(), new AbortController()];
      const { build, heard, finish } = twoSteps();
      const done = callers.map(({ signal }) => build.join(signal));
      await new Promise(setImmediate);
      callers[leaver]?.abort();
      await assert.rejects(done[leaver] ?? Promise.resolve(), CancelledError);
      assert.equal(build.signal.aborted, false);
      callers[1 - leaver]?.abort();
      await assert.rejects(done[1 - leaver] ?? Promise.resolve(), CancelledError);
      assert.equal(build.signal.aborted, true);
      finish();
      await build.ended;
      assert.deepEqual(heard, ['pack']);
    });
  }

  it('reports its failure to every caller', async () => {
    const build = new JoinedBuild<string>(undefined, () => Promise.reject(new Error('refused')));
    await Promise.all([1, 2].map(() => assert.rejects(build.join(undefined), /refused/)));
  });
});
