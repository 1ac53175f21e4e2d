import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppCalls } from '../../../../src/apps/calls/appCalls.ts';
import type { App } from '../../../../src/apps/model/app.ts';
import { accessToken, cleanUp, clientOf, freePort, json, serve } from '../../../support/servers.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { allSettled, sharedFolder, WatchingWindow } from './watchingWindow.ts';

/** What the service says of the app's builds. */
interface State {
  status: Record<string, string | null>;
  error: Record<string, string>;
  completed: boolean;
}

const PENDING: State = { status: { android: 'pending', ios: 'pending' }, error: {}, completed: false };
const COMPLETE: State = { status: { android: 'complete', ios: 'complete' }, error: {}, completed: true };

describe('watched builds', () => {
  let folder: string;
  let clock: ManualClock;
  let state: State;
  /** Instead of an answer. */
  let refuse: { status: number; headers?: Record<string, string> } | undefined;
  let url: string;
  let requests: string[];
  let app: App;

  beforeEach(async () => {
    folder = await sharedFolder();
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
  const open = () => new WatchingWindow(clientOf({ url }, { carrier: { retries: { limit: 0 } } }), folder, clock);
  const filesBelow = async () =>
    Promise.all(
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(async (entry) => `${entry.name}\n${await readFile(path.join(entry.parentPath, entry.name), 'utf8')}`),
    );

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
    assert.deepEqual(await filesBelow(), []);
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

  it('are asked for once by two windows together, of which each knows, and one tells', async () => {
    const windows = [open(), open()];
    const [first = assert.fail(), second = assert.fail()] = windows;
    first.watches.watch(app, ['android', 'ios']);
    await allSettled(windows);
    second.watches.read();
    await allSettled(windows);
    assert.equal(second.only.appUrl, app.url);
    await clock.advance(120_000, () => allSettled(windows));
    const alone = requests.length;
    // As often as one of them alone: see the schedule.
    assert.equal(alone, 22);
    state = COMPLETE;
    await clock.advance(15_000, () => allSettled(windows));
    second.watches.read();
    first.watches.read();
    await allSettled(windows);
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

  it('are taken over by the other window when one has gone in the middle of a question', async () => {
    const first = open();
    first.watches.watch(app, ['android']);
    await first.watches.settled();
    const [record = ''] = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    await writeFile(path.join(folder, record.replace('.json', '.asking')), '');
    await first.advance(10_000);
    assert.deepEqual(requests, []);
    await first.advance(15_000);
    assert.ok(requests.length > 0);
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
      folder,
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
      assert.deepEqual(window.ends, [{ appUrl: app.url, end: { kind: 'gone', title: 'Field Notes' } }]);
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
    await other.advance(0);
    assert.deepEqual(other.watches.all, []);
    assert.equal(window.watches.all.length, 1);
  });

  it('end in every window when they are stopped in one, and can be watched again', async () => {
    const windows = [open(), open()];
    const [first = assert.fail(), second = assert.fail()] = windows;
    first.watches.watch(app, ['android']);
    await allSettled(windows);
    second.watches.read();
    await allSettled(windows);
    second.watches.stop(app.url);
    await allSettled(windows);
    first.watches.read();
    await allSettled(windows);
    for (const window of windows) {
      assert.deepEqual(window.ends, [{ appUrl: app.url, end: { kind: 'stopped' } }]);
    }
    await clock.advance(30_000, () => allSettled(windows));
    assert.deepEqual(requests, []);
    first.watches.watch(app, ['ios']);
    await first.advance(1_000);
    assert.equal(requests.length, 1);
  });

  it('keep nothing secret in files, nor in their names, and mend a damaged one', async () => {
    const window = open();
    window.watches.watch(app, ['android']);
    await window.advance(1_000);
    const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    await writeFile(path.join(folder, file), '{"title":');
    await window.advance(2_000);
    const texts = (await filesBelow()).join('\n');
    if (process.platform !== 'win32') {
      assert.equal((await stat(path.join(folder, file))).mode & 0o777, 0o600, 'nobody else may read it');
    }
    assert.match(texts, /"title":"Field Notes"/);
    assert.doesNotMatch(texts, new RegExp(`${encodeURIComponent(accessToken)}|access_token|127\\.0\\.0\\.1|ann`));
    for (const name of await readdir(folder)) {
      assert.match(name, /^(told|[0-9a-f]{32}\.json)$/);
    }
    const query = { ...app, url: `${app.url}?key=s3cret` };
    window.watches.watch(query, ['android']);
    await window.advance(1_000);
    assert.doesNotMatch((await filesBelow()).join('\n'), /s3cret/);
    assert.equal(window.watches.all.length, 2);
  });

  it('are watched by a window alone where no file can be written', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    const window = new WatchingWindow(clientOf({ url }), path.join(file, 'watching'), clock);
    window.watches.watch(app, ['android', 'ios']);
    state = COMPLETE;
    await window.advance(1_000);
    assert.equal(window.ends[0]?.end.kind, 'ended');
    const claim = window.watches.claim(window.only, 0);
    await window.advance(0);
    assert.equal(await claim, true);
    assert.ok(window.failures.length > 0);
  });
});
