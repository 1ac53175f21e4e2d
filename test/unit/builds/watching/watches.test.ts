import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppCalls } from '../../../../src/apps/calls/appCalls.ts';
import type { App } from '../../../../src/apps/model/app.ts';
import { accessToken, cleanUp, clientOf, freePort, json, serve } from '../../../support/servers.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { allSettled, sharedByWindows, WatchingWindow, type Shared } from './watchingWindow.ts';

/** What the service says of the app's builds. */
interface State {
  status: Record<string, string | null>;
  error: Record<string, string>;
  completed: boolean;
}

const PENDING: State = { status: { android: 'pending', ios: 'pending' }, error: {}, completed: false };
const COMPLETE: State = { status: { android: 'complete', ios: 'complete' }, error: {}, completed: true };

describe('watched builds', () => {
  let shared: Shared;
  let clock: ManualClock;
  let state: State;
  /** Instead of an answer. */
  let refuse: { status: number; headers?: Record<string, string> } | undefined;
  let url: string;
  let requests: string[];
  let app: App;

  beforeEach(async () => {
    shared = await sharedByWindows();
    clock = new ManualClock();
    state = PENDING;
    refuse = undefined;
    requests = [];
    const server = await serve((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://a');
      requests.push(pathname);
      if (refuse !== undefined) {
        response.writeHead(refuse.status, refuse.headers).end('{"error":"no"}');
        return;
      }
      json(response, {
        ...{ id: 1, title: 'Field Notes', link: '/api/v1/apps/1', ...state },
        ...(pathname === '/api/v1/apps/1' && {
          download: state.completed ? { android: '/api/v1/apps/1/android' } : {},
          links: { build_status: '/api/v1/apps/1/status' },
        }),
      });
    });
    url = server.url;
    app = await new AppCalls(clientOf({ url })).get('/api/v1/apps/1');
    requests = [];
  });

  afterEach(cleanUp);

  /** A window of the same user. */
  const open = () => new WatchingWindow(clientOf({ url }, { carrier: { retries: { limit: 0 } } }), shared, clock);
  /** What is left on this machine. */
  const stored = async () => JSON.stringify([...shared.globalState.values]) + (await readdir(shared.folder)).join('\n');

  it('are asked for by the status link, and told of when they have ended, with what the status leaves out', async () => {
    const window = open();
    window.watches.watch(app, ['android', 'ios']);
    assert.equal(window.only.state, 'building');
    await window.advance(3_000);
    assert.deepEqual(new Set(requests), new Set(['/api/v1/apps/1/status']));
    assert.equal(requests.length, 3);
    assert.equal(window.changes.length, 1);
    state = { ...COMPLETE, status: { android: 'complete', ios: 'error' }, error: { ios: 'No key' } };
    await window.advance(1_000);
    const [{ end } = assert.fail()] = window.ends;
    assert.equal(end.kind, 'ended');
    assert.equal(window.only.state, 'failed');
    assert.equal(window.only.endedAt, clock.now());
    assert.deepEqual(
      window.only.builds.map((build) => [build.state, build.error, build.downloadUrl]),
      [
        ['complete', undefined, `${url}/api/v1/apps/1/android`],
        ['failed', 'No key', undefined],
      ],
    );
    requests = [];
    await window.advance(3_600_000);
    assert.deepEqual(requests, []);
    window.watches.seen(app.url);
    await window.watches.settled();
    assert.deepEqual(window.watches.all, []);
    assert.deepEqual(shared.globalState.keys(), []);
  });

  it('are not over while the service says so, whatever else it says', async () => {
    const window = open();
    window.watches.watch(app, ['android']);
    for (const status of ['queued', null, 'pending']) {
      state = { status: { android: status }, error: {}, completed: false };
      await window.advance(5_000);
      assert.equal(window.only.endedAt, undefined, String(status));
    }
    state = { status: { android: 'queued' }, error: {}, completed: true };
    await window.advance(15_000);
    assert.equal(window.only.state, 'other');
    assert.notEqual(window.only.endedAt, undefined);
  });

  it('are watched by each window that finds them when it is loaded, of which one tells', async () => {
    const first = open();
    first.watches.watch(app, ['android', 'ios']);
    await first.advance(1_000);
    const windows = [first, open()];
    const [, second = assert.fail()] = windows;
    await allSettled(windows);
    assert.equal(second.only.appUrl, app.url);
    state = COMPLETE;
    await clock.advance(15_000, () => allSettled(windows));
    for (const window of windows) {
      assert.deepEqual(
        window.ends.map(({ end }) => end.kind),
        ['ended'],
      );
    }
    // Who is at work is the first to know; the other one does not tell again.
    const claims = windows.map((window, index) => window.watches.claim(window.only, index === 0 ? 1_000 : 0));
    await clock.advance(1_000, () => allSettled(windows));
    assert.deepEqual(await Promise.all(claims), [false, true]);
  });

  it('are watched on after a reload, by the app’s own address wherever the service runs', async () => {
    const before = open();
    before.watches.watch(app, ['android']);
    await before.advance(1_000);
    before.watches.dispose();
    requests = [];
    const window = open();
    await window.advance(0);
    assert.equal(window.only.appUrl, app.url);
    state = COMPLETE;
    await window.advance(2_000);
    assert.equal(window.ends[0]?.end.kind, 'ended');
    assert.equal(requests[0], '/api/v1/apps/1');
    assert.deepEqual(
      window.only.builds.map(({ platform }) => platform),
      ['android'],
    );
  });

  it('wait as long as a busy service wants, and ever longer when it does not say', async () => {
    const window = open();
    window.watches.watch(app, ['android']);
    refuse = { status: 503, headers: { 'retry-after': '40' } };
    await window.advance(1_000);
    assert.equal(requests.length, 1);
    await window.advance(39_000);
    window.watches.setActive(false);
    window.watches.setActive(true);
    await window.watches.settled();
    assert.equal(requests.length, 1);
    refuse = { status: 429 };
    await window.advance(1_000);
    assert.equal(requests.length, 2);
    await window.advance(29_000);
    assert.equal(requests.length, 2);
    refuse = undefined;
    await window.advance(1_000);
    assert.equal(requests.length, 3);
    assert.equal(window.only.trouble, undefined);
  });

  it('say so while nothing answers, go on, and ask at once when somebody comes back to the window', async () => {
    const window = open();
    const port = await freePort();
    window.watches.watch(
      { ...app, resource: { ...app.resource, links: [] }, url: `http://127.0.0.1:${port}/api/v1/apps/1` },
      ['android'],
    );
    const nobody = new WatchingWindow(
      clientOf({ url: `http://127.0.0.1:${port}` }, { carrier: { retries: { limit: 0 } } }),
      shared,
      clock,
    );
    const { access } = window;
    window.access = nobody.access;
    await window.advance(10_000);
    assert.match(String(window.only.trouble), /Nothing answers|connection/);
    assert.equal(window.only.endedAt, undefined);
    window.access = access;
    window.watches.setActive(false);
    window.watches.setActive(true);
    await window.advance(1_000);
    assert.equal(window.only.trouble, undefined);
    assert.equal(window.only.appUrl, app.url);
  });

  for (const status of [403, 404, 410]) {
    it(`end when the service answers ${status}: the app is gone`, async () => {
      const window = open();
      window.watches.watch(app, ['android']);
      refuse = { status };
      await window.advance(1_000);
      const [{ end } = assert.fail(), ...others] = window.ends;
      assert.deepEqual([end.kind, others, shared.globalState.keys()], ['gone', [], []]);
      assert.deepEqual(window.watches.all, []);
    });
  }

  it('end when the account signs out, and go on when it is back', async () => {
    const window = open();
    const { access } = window;
    window.watches.watch(app, ['android']);
    await window.watches.settled();
    window.access = { kind: 'signedOut' };
    window.watches.connectionChanged();
    await window.watches.settled();
    assert.deepEqual(window.ends, [{ appUrl: app.url, end: { kind: 'signedOut' } }]);
    await window.advance(60_000);
    assert.deepEqual(requests, []);
    window.access = access;
    window.watches.connectionChanged();
    await window.watches.settled();
    assert.equal(window.only.appUrl, app.url);
  });

  it('of another account are left alone', async () => {
    const window = open();
    window.watches.watch(app, ['android']);
    await window.watches.settled();
    const other = open();
    if (other.access.kind === 'signedIn') {
      other.access = { ...other.access, account: 'ben' };
    }
    other.watches.connectionChanged();
    await other.advance(0);
    assert.deepEqual(other.watches.all, []);
    assert.equal(window.watches.all.length, 1);
  });

  it('are not told of by any window when one has stopped them, and can be watched again', async () => {
    const first = open();
    first.watches.watch(app, ['android']);
    await first.watches.settled();
    const windows = [first, open()];
    const [, second = assert.fail()] = windows;
    await allSettled(windows);
    second.watches.stop(app.url);
    await allSettled(windows);
    assert.deepEqual(second.ends, [{ appUrl: app.url, end: { kind: 'stopped' } }]);
    state = COMPLETE;
    await clock.advance(15_000, () => allSettled(windows));
    const claim = first.watches.claim(first.only, 0);
    await clock.advance(0, () => allSettled(windows));
    assert.equal(await claim, false);
    requests = [];
    state = PENDING;
    second.watches.watch(app, ['ios']);
    await second.advance(1_000);
    assert.equal(requests.length, 1);
  });

  it('that were watched for a day are forgotten, and what is stored is read only when it is whole', async () => {
    const window = open();
    window.watches.watch(app, ['android']);
    await window.watches.settled();
    const [[key, value] = assert.fail()] = shared.globalState.values;
    const { startedAt, title } = value as { startedAt: number; title: string };
    for (const odd of [null, 'x', { title, platforms: 'android', startedAt }, { title, platforms: ['android'] }]) {
      await shared.globalState.update(key, odd);
      const other = open();
      await other.watches.settled();
      assert.deepEqual(other.watches.all, []);
    }
    await shared.globalState.update(key, { ...(value as object), startedAt: startedAt - 24 * 60 * 60_000 });
    const later = open();
    await later.watches.settled();
    assert.deepEqual(later.watches.all, []);
  });

  it('leave nothing secret on this machine', async () => {
    const window = open();
    window.watches.watch(app, ['android']);
    await window.watches.settled();
    assert.match(await stored(), /Field Notes/);
    window.watches.watch({ ...app, url: `${app.url}?key=s3cret` }, ['android']);
    await window.advance(1_000);
    assert.equal(window.watches.all.length, 2);
    const whileWatched = await stored();
    state = COMPLETE;
    await window.advance(15_000);
    const claims = window.watches.all.map((progress) => window.watches.claim(progress, 0));
    await window.advance(0);
    assert.deepEqual(await Promise.all(claims), [true, true]);
    assert.doesNotMatch(
      whileWatched + (await stored()),
      new RegExp(`${encodeURIComponent(accessToken)}|access_token|127\\.0\\.0\\.1|s3cret`),
    );
  });

  it('are watched by a window alone where no file can be written', async () => {
    const file = path.join(shared.folder, 'file');
    await writeFile(file, '');
    const window = new WatchingWindow(clientOf({ url }), { ...shared, folder: path.join(file, 'claims') }, clock);
    window.watches.watch(app, ['android', 'ios']);
    state = COMPLETE;
    await window.advance(1_000);
    assert.equal(window.ends[0]?.end.kind, 'ended');
    const claim = window.watches.claim(window.only, 0);
    await window.advance(0);
    assert.equal(await claim, true);
    assert.deepEqual(window.failures, []);
  });
});
