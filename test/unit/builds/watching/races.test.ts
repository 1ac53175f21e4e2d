import assert from 'node:assert/strict';

import { AppCalls } from '../../../../src/apps/calls/appCalls.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { cleanUp, clientOf, json, serve } from '../../../support/servers.ts';
import { sharedByWindows, WatchingWindow } from './watchingWindow.ts';

describe('a watched build that is stopped while the service is asked', () => {
  afterEach(cleanUp);

  for (const { stored, query } of [
    { stored: 'and was stored', query: '' },
    { stored: 'and was not, as its address has a query', query: '?key=1' },
  ]) {
    it(`ends once, ${stored}`, async () => {
      const shared = await sharedByWindows();
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
      const window = new WatchingWindow(clientOf({ url }), shared, clock);
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
