import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';

import { AppCalls } from '../../../../src/apps/calls/appCalls.ts';
import { coalesced, PendingWork } from '../../../../src/builds/watching/pendingWork.ts';
import { WatchFiles } from '../../../../src/builds/watching/watchFiles.ts';
import type { WatchRecord } from '../../../../src/builds/watching/watchRecord.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { cleanUp, clientOf, json, serve } from '../../../support/servers.ts';
import { sharedFolder, WatchingWindow } from './watchingWindow.ts';

describe('a watched build that is stopped while the service is asked', () => {
  afterEach(cleanUp);

  for (const { file, query } of [
    { file: 'with a file', query: '' },
    { file: 'without one, as its address has a query', query: '?key=1' },
  ]) {
    it(`ends once, ${file}`, async () => {
      const folder = await sharedFolder();
      let whileAsked = (): void => undefined;
      const { url } = await serve((_request, response) => {
        whileAsked();
        json(response, {
          id: 1,
          title: 'A',
          link: `/api/v1/apps/1${query}`,
          status: { ios: 'complete' },
          completed: true,
        });
      });
      const clock = new ManualClock();
      const window = new WatchingWindow(clientOf({ url }), folder, clock);
      const app = await new AppCalls(clientOf({ url })).get(`/api/v1/apps/1${query}`);
      window.watches.watch(app, ['ios']);
      await window.watches.settled();
      whileAsked = () => window.watches.stop(app.url);
      await window.advance(1_000);
      assert.deepEqual(
        window.ends.map(({ end }) => end.kind),
        ['stopped'],
      );
      assert.deepEqual(window.watches.all, []);
      assert.deepEqual(window.failures, []);
    });
  }
});

/** Files whose folder is looked through just before a record is written, with an answer that comes just after. */
class CrossingFiles extends WatchFiles {
  lookAgain = (): void => undefined;
  #tellLooked = (): void => undefined;
  #tellWritten = (): void => undefined;
  readonly #looked = new Promise<void>((resolve) => (this.#tellLooked = resolve));
  readonly #written = new Promise<void>((resolve) => (this.#tellWritten = resolve));

  override async read(name: string) {
    const found = await super.read(name);
    this.#tellLooked();
    await this.#written;
    // Until whoever has written goes on, too.
    await setImmediate();
    return found;
  }

  override async write(name: string, record: WatchRecord): Promise<void> {
    this.lookAgain();
    await this.#looked;
    await super.write(name, record);
    this.#tellWritten();
  }
}

describe('a watched build whose record is written while the records are read', () => {
  afterEach(cleanUp);

  it('is not taken for one that another window has deleted', async () => {
    const folder = await sharedFolder();
    const { url } = await serve((_request, response) => {
      json(response, { id: 1, title: 'A', link: '/api/v1/apps/1', status: { ios: 'pending' }, completed: false });
    });
    const files = new CrossingFiles(folder);
    const window = new WatchingWindow(clientOf({ url }), folder, new ManualClock(), files);
    await window.watches.settled();
    files.lookAgain = () => window.watches.read();
    window.watches.watch(await new AppCalls(clientOf({ url })).get('/api/v1/apps/1'), ['ios']);
    await window.watches.settled();
    assert.equal(window.only.state, 'building');
    assert.deepEqual(window.failures, []);
  });
});

describe('work in the background', () => {
  it('is done again, once, for all calls while it is under way', async () => {
    const waiting: (() => void)[] = [];
    let done = 0;
    const work = coalesced(async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      done++;
    });
    const first = work();
    const others = [work(), work()];
    waiting.shift()?.();
    // Resolves only when the second time, which the other calls asked for, is over.
    assert.equal(await Promise.race([first, Promise.resolve('under way')]), 'under way');
    while (waiting.length === 0) {
      await Promise.resolve();
    }
    waiting.shift()?.();
    await Promise.all([first, ...others]);
    assert.deepEqual([done, waiting.length], [2, 0]);
    const third = work();
    waiting.shift()?.();
    await third;
    assert.equal(done, 3);
  });

  it('tells of its failures, and has settled when what it began has, too', async () => {
    const failures: unknown[] = [];
    const work = new PendingWork((error) => failures.push(error));
    const failure = new Error('x');
    work.run(() => {
      work.run(() => Promise.reject(failure));
      return Promise.resolve();
    });
    await work.settled();
    assert.deepEqual(failures, [failure]);
  });
});
