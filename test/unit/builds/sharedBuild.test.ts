import assert from 'node:assert/strict';
import { CancelledError } from '../../../src/api/errors/cancelledError.ts';
import { SharedBuild, type ReportStep, type StepView } from '../../../src/builds/sharedBuild.ts';

/** What notifications say, and their Cancel. */
class Notifications {
  readonly said: string[] = [];
  readonly cancels: (() => void)[] = [];

  readonly viewOf = (report: ReportStep | undefined, cancel: () => void): StepView => {
    if (report !== undefined) {
      return { begin: ({ title }) => report(title), report };
    }
    this.cancels.push(cancel);
    return { begin: ({ title }) => this.said.push(title), report: (text) => this.said.push(text) };
  };
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

describe('a build that several wait for', () => {
  const notifications = () => new Notifications();
  const listener = () => {
    const heard: string[] = [];
    return { heard, report: (text: string) => void heard.push(text) };
  };

  /** A build of two steps, the second of which ends when it is told to. */
  const twoSteps = ({ viewOf }: Notifications) => {
    const [packed, uploaded] = [deferred<undefined>(), deferred<string>()];
    const work = { begun: [] as string[], signal: undefined as AbortSignal | undefined };
    const build = new SharedBuild<string>(viewOf, async ({ step, signal }) => {
      work.signal = signal;
      await step('pack', () => {
        work.begun.push('pack');
        return packed.promise;
      });
      return step('upload', (_inner, show) => {
        work.begun.push('upload');
        show('half');
        return uploaded.promise;
      });
    });
    return { build, packed, uploaded, work };
  };

  it('is done once, and each hears its steps: those from the one under way on', async () => {
    const shown = notifications();
    const [first, second] = [listener(), listener()];
    const { build, packed, uploaded, work } = twoSteps(shown);
    const firstDone = build.join(first.report, undefined);
    await new Promise(setImmediate);
    const others = [build.join(second.report, undefined), build.join(undefined, undefined)];
    packed.resolve(undefined);
    uploaded.resolve('app');
    assert.deepEqual(await Promise.all([firstDone, ...others]), ['app', 'app', 'app']);
    const steps = ['pack', 'upload', 'half'];
    assert.deepEqual([first.heard, second.heard, shown.said], [steps, steps, steps]);
    assert.deepEqual(work.begun, ['pack', 'upload']);
  });

  it('goes on when one of two cancels, whichever it is, and ends with the last', async () => {
    for (const leaver of [0, 1]) {
      const callers = [new AbortController(), new AbortController()];
      const { build, packed, uploaded, work } = twoSteps(notifications());
      const heard = callers.map(() => listener());
      const done = callers.map(({ signal }, index) => build.join(heard[index]?.report, signal));
      await new Promise(setImmediate);
      callers[leaver]?.abort();
      await assert.rejects(done[leaver] ?? Promise.resolve(), CancelledError);
      assert.equal(work.signal?.aborted, false);
      packed.resolve(undefined);
      uploaded.resolve('app');
      assert.equal(await done[1 - leaver], 'app');
      assert.deepEqual(heard[leaver]?.heard, ['pack']);
      assert.deepEqual(heard[1 - leaver]?.heard, ['pack', 'upload', 'half']);
    }
    const callers = [new AbortController(), new AbortController()];
    const { build, packed, uploaded, work } = twoSteps(notifications());
    uploaded.resolve('app');
    const done = callers.map(({ signal }) => assert.rejects(build.join(listener().report, signal), CancelledError));
    await new Promise(setImmediate);
    callers.forEach((caller) => caller.abort());
    await Promise.all(done);
    assert.equal(work.signal?.aborted, true);
    packed.resolve(undefined);
    await build.ended;
  });

  it('begins no further step once everybody has cancelled', async () => {
    const caller = new AbortController();
    const { heard, report } = listener();
    const { build, packed, uploaded, work } = twoSteps(notifications());
    uploaded.resolve('app');
    const done = assert.rejects(build.join(report, caller.signal), CancelledError);
    await new Promise(setImmediate);
    caller.abort();
    await done;
    packed.resolve(undefined);
    await build.ended;
    assert.deepEqual(heard, ['pack'], 'who has left hears no more');
    assert.deepEqual(work.begun, ['pack']);
  });

  it('has one notification for all whom it tells, whose Cancel is for all of them and for nobody else', async () => {
    const shown = notifications();
    const task = listener();
    const { build, packed, uploaded } = twoSteps(shown);
    const people = [build.join(undefined, undefined), build.join(undefined, undefined)];
    const left = people.map((each) => assert.rejects(each, CancelledError));
    const done = build.join(task.report, undefined);
    await new Promise(setImmediate);
    assert.equal(shown.cancels.length, 1);
    shown.cancels[0]?.();
    await Promise.all(left);
    packed.resolve(undefined);
    uploaded.resolve('app');
    assert.equal(await done, 'app');
    assert.deepEqual(shown.said, ['pack']);
  });

  it('tells each of them what is no step, and fails for each', async () => {
    const { heard, report } = listener();
    const told: (ReportStep | undefined)[] = [];
    const build = new SharedBuild<string>(notifications().viewOf, (shared) => {
      shared.forEachReport((each) => told.push(each));
      return shared.step('upload', () => Promise.reject(new Error('refused')));
    });
    const both = [build.join(report, undefined), build.join(undefined, undefined)];
    await Promise.all(both.map((each) => assert.rejects(each, /refused/)));
    await build.ended;
    assert.deepEqual(told, [report, undefined]);
    assert.deepEqual(heard, ['upload']);
  });
});
