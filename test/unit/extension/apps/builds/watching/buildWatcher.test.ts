import assert from 'node:assert/strict';
import { EventEmitter } from 'vscode';
import { AppCalls } from '../../../../../../src/extension/apps/calls/appCalls.ts';
import type { App } from '../../../../../../src/extension/apps/model/app.ts';
import type { Connection, SignedInConnection } from '../../../../../../src/extension/auth/connection.ts';
import type { BuildProgress, WatchEnd } from '../../../../../../src/extension/apps/builds/watching/buildProgress.ts';
import { BuildWatcher } from '../../../../../../src/extension/apps/builds/watching/buildWatcher.ts';
import { isUnfinished } from '../../../../../../src/extension/apps/builds/names.ts';
import { ManualClock } from '../../../../../support/manualClock.ts';
import { MapMemento } from '../../../../../support/mapMemento.ts';
import { accessToken, addCleanup, cleanUp, createClient, json, serve } from '../../../../../support/servers.ts';
import { setWindowState } from '../../../../../support/vscode.ts';

/** State of the app's builds at the service. */
interface State {
  status: Record<string, string | null>;
  error: Record<string, string>;
  completed: boolean;
}

const PENDING: State = { status: { android: 'pending', ios: 'pending' }, error: {}, completed: false };
const COMPLETE: State = { status: { android: 'complete', ios: 'complete' }, error: {}, completed: true };

describe('the watcher of builds', () => {
  let clock: ManualClock;
  let state: State;
  /** Sent instead of the usual response. */
  let refuse: { status: number; headers?: Record<string, string> } | undefined;
  /** Called with each request. */
  let whileAsked: () => void;
  let url: string;
  let requests: string[];
  let app: App;

  beforeEach(async () => {
    clock = new ManualClock();
    state = PENDING;
    refuse = undefined;
    whileAsked = () => undefined;
    const server = await serve((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://a');
      requests.push(pathname);
      whileAsked();
      if (refuse !== undefined) {
        response.writeHead(refuse.status, refuse.headers).end('{"error":"no"}');
        return;
      }
      json(response, {
        ...{ id: 1, title: 'Field Notes', link: '/api/v1/apps/1', ...state },
        ...(pathname === '/api/v1/apps/1' && {
          ...(state.completed && {
            download: { android: '/api/v1/apps/1/android' },
            bundle: { android: '/api/v1/apps/1/android/bundle' },
          }),
          links: { build_status: '/api/v1/apps/1/status' },
        }),
      });
    });
    url = server.url;
    requests = [];
    app = await new AppCalls(createClient({ url })).get('/api/v1/apps/1');
    requests = [];
  });

  afterEach(async () => {
    setWindowState({ focused: true, active: true });
    await cleanUp();
  });

  const signedIn = (id = 'ann') =>
    ({
      kind: 'signedIn',
      service: { url: new URL(url), local: false },
      account: { id, label: id },
      client: createClient({ url }, { carrier: { retries: { limit: 0 } } }),
    }) as unknown as SignedInConnection;

  /** Creates a window's dependencies for watching. Windows that open the same workspace in turn share its state. */
  const open = (workspaceState = new MapMemento(), connection: Connection = signedIn()) => {
    const changed = new EventEmitter<void>();
    const failures: unknown[] = [];
    const window = {
      connection,
      workspaceState,
      failures,
      changes: [] as BuildProgress[],
      ends: [] as WatchEnd[],
      get only(): BuildProgress {
        const [progress] = watcher.all;
        return progress ?? assert.fail('Nothing is watched.');
      },
      advance: (milliseconds: number) => clock.advance(milliseconds, () => watcher.settled()),
      connect: async (connection: Connection) => {
        window.connection = connection;
        changed.fire();
        await watcher.settled();
      },
    };
    const watcher = new BuildWatcher({
      connections: { current: () => Promise.resolve(window.connection), onDidChange: changed.event },
      log: { error: (_doing, error) => void failures.push(error) },
      ...{ workspaceState, clock },
    });
    watcher.onDidChange((progress) => window.changes.push(progress));
    watcher.onDidEnd(({ end }) => window.ends.push(end));
    addCleanup(async () => {
      watcher.dispose();
      await watcher.settled();
    });
    return Object.assign(window, { watcher });
  };
  const kinds = ({ ends }: ReturnType<typeof open>) => ends.map(({ kind }) => kind);

  it('polls the status link, and ends when the status no longer lists the builds', async () => {
    const window = open();
    window.watcher.watch(app, ['android', 'ios']);
    assert.equal(window.only.state, 'building');
    await window.advance(3_000);
    assert.deepEqual(requests, Array(6).fill('/api/v1/apps/1/status'));
    assert.equal(window.changes.length, 1);
    state = { ...COMPLETE, status: { android: 'complete', ios: 'error' }, error: { ios: 'No key' } };
    await window.advance(500);
    assert.deepEqual(kinds(window), ['ended']);
    assert.deepEqual([window.only.state, window.only.endedAt], ['failed', clock.now()]);
    assert.deepEqual(
      window.only.builds.map((build) => [build.state, build.error, build.downloadUrl, build.bundleUrl]),
      [
        ['complete', undefined, `${url}/api/v1/apps/1/android`, `${url}/api/v1/apps/1/android/bundle`],
        ['failed', 'No key', undefined, undefined],
      ],
    );
    requests = [];
    await window.advance(3_600_000);
    assert.deepEqual(requests, []);
    window.watcher.seen(app.url);
    assert.deepEqual([window.watcher.all, window.workspaceState.keys()], [[], []]);
  });

  it('doesn’t request the state if the response to the build request already contains the end', async () => {
    const window = open();
    state = COMPLETE;
    const answer = await new AppCalls(createClient({ url })).get('/api/v1/apps/1');
    requests = [];
    window.watcher.watch(answer, ['android'], ['android']);
    await window.advance(0);
    assert.deepEqual(kinds(window), ['ended']);
    assert.ok(!requests.includes('/api/v1/apps/1/status'));
    // Without knowing that this isn't the end of the previous build, ask.
    window.watcher.watch(answer, ['android', 'ios'], ['android']);
    await window.advance(0);
    assert.ok(requests.includes('/api/v1/apps/1/status'));
  });

  it('continues while the service reports the builds as running, whatever their status', async () => {
    const window = open();
    window.watcher.watch(app, ['android']);
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

  it('continues after a reload, even if the account can’t be read at first', async () => {
    const before = open();
    before.watcher.watch(app, ['android']);
    await before.watcher.settled();
    before.watcher.dispose();
    const window = open(before.workspaceState, { kind: 'broken', error: new Error('The keychain is locked.') });
    await window.advance(14_000);
    assert.deepEqual(window.watcher.all, []);
    window.connection = signedIn();
    await window.advance(1_000);
    assert.equal(window.only.appUrl, app.url);
  });

  it('continues after a reload, at the app’s own address, but only in the window that was reloaded', async () => {
    const before = open();
    before.watcher.watch(app, ['android']);
    await before.advance(1_000);
    before.watcher.dispose();
    requests = [];
    assert.equal(isUnfinished(new MapMemento(), before.workspaceState), true);
    const [window, other] = [open(before.workspaceState), open()];
    await window.advance(0);
    assert.equal(window.only.appUrl, app.url);
    state = COMPLETE;
    await window.advance(2_000);
    assert.deepEqual([kinds(window), requests[0]], [['ended'], '/api/v1/apps/1']);
    assert.deepEqual(
      window.only.builds.map(({ platform }) => platform),
      ['android'],
    );
    assert.deepEqual([other.watcher.all, kinds(open(before.workspaceState))], [[], []]);
  });

  it('doesn’t poll while a busy service asks for a delay, even when the window gets focus', async () => {
    const window = open();
    window.watcher.watch(app, ['android']);
    refuse = { status: 503, headers: { 'retry-after': '40' } };
    await window.advance(39_000);
    setWindowState({ focused: false, active: false });
    setWindowState({ focused: true, active: true });
    await window.watcher.settled();
    assert.equal(requests.length, 1);
    refuse = { status: 429 };
    await window.advance(1_000);
    assert.equal(requests.length, 2);
    await window.advance(9_000);
    assert.equal(requests.length, 2);
    refuse = undefined;
    await window.advance(1_000);
    assert.equal(requests.length, 3);
    assert.equal(window.only.trouble, undefined);
  });

  it('reports an unreadable account, and polls immediately when the account is readable and the window gets focus', async () => {
    const window = open();
    const { connection } = window;
    const error = new Error('The keychain is locked.');
    window.connection = { kind: 'broken', error };
    window.watcher.watch(app, ['android']);
    await window.advance(10_000);
    assert.deepEqual([window.only.trouble, window.only.endedAt], [error, undefined]);
    window.connection = connection;
    setWindowState({ focused: false, active: false });
    setWindowState({ focused: true, active: true });
    await window.advance(1_000);
    assert.deepEqual([window.only.trouble, requests.length], [undefined, 1]);
  });

  for (const status of [403, 404, 410]) {
    it(`stops watching when the service responds with ${status}, because the app no longer exists`, async () => {
      const window = open();
      window.watcher.watch(app, ['android']);
      refuse = { status };
      await window.advance(1_000);
      assert.deepEqual(kinds(window), ['gone']);
      assert.deepEqual([window.watcher.all, window.workspaceState.keys()], [[], []]);
    });
  }

  it('pauses while the user is signed out or uses another account', async () => {
    const window = open();
    window.watcher.watch(app, ['android']);
    await window.watcher.settled();
    for (const connection of [{ kind: 'unconfigured' }, signedIn('ben')] as const) {
      await window.connect(connection);
      assert.deepEqual(kinds(window), ['signedOut']);
      window.ends.length = 0;
      await window.advance(60_000);
      assert.deepEqual(requests, []);
      await window.connect(signedIn());
      assert.equal(window.only.appUrl, app.url);
    }
  });

  for (const query of ['', '?key=1']) {
    it(`stops on request, even during a call, and can start again: apps/1${query}`, async () => {
      const window = open();
      const asked = { ...app, url: app.url + query };
      window.watcher.watch(asked, ['ios']);
      await window.watcher.settled();
      state = COMPLETE;
      whileAsked = () => window.watcher.stop(asked.url);
      await window.advance(1_000);
      assert.deepEqual([kinds(window), window.watcher.all, window.workspaceState.keys()], [['stopped'], [], []]);
      whileAsked = () => undefined;
      window.watcher.watch(asked, ['ios']);
      await window.advance(1_000);
      assert.deepEqual([kinds(window), window.failures], [['stopped', 'ended'], []]);
    });
  }

  it('forgets builds after a day, or if the stored data is incomplete', async () => {
    const { watcher, workspaceState } = open();
    watcher.watch(app, ['android']);
    await watcher.settled();
    const [[key, value] = assert.fail()] = workspaceState.values;
    const { startedAt, title } = value as { startedAt: number; title: string };
    for (const odd of [
      null,
      { title, platforms: 'android', startedAt },
      { title, platforms: ['android'] },
      { title, platforms: ['android'], startedAt: startedAt - 24 * 60 * 60_000 },
    ]) {
      await workspaceState.update(key, odd);
      const later = open(workspaceState);
      await later.watcher.settled();
      assert.deepEqual(later.watcher.all, []);
    }
  });

  it('stores no secrets on this computer', async () => {
    const { watcher, workspaceState } = open();
    watcher.watch(app, ['android']);
    watcher.watch({ ...app, url: `${app.url}?key=s3cret` }, ['android']);
    await watcher.settled();
    assert.equal(watcher.all.length, 2);
    const stored = JSON.stringify([...workspaceState.values]);
    assert.match(stored, /Field Notes/);
    assert.ok(![accessToken, encodeURIComponent(accessToken), 's3cret'].some((secret) => stored.includes(secret)));
  });
});
