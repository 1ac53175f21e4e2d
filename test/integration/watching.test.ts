import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { AppCalls } from '../../src/apps/calls/appCalls.ts';
import type { App } from '../../src/apps/model/app.ts';
import type { RunBuildCommand } from '../../src/builds/watching/buildActions.ts';
import { BuildStatus, type BuildBadge } from '../../src/builds/watching/buildStatus.ts';
import { BuildWatcher } from '../../src/builds/watching/buildWatcher.ts';
import { EndNotification } from '../../src/builds/watching/endNotification.ts';
import { WATCHED_PREFIX } from '../../src/builds/names.ts';
import { Redactor } from '../../src/api/redaction.ts';
import { showBuilds, stopWatching } from '../../src/commands/watchedBuilds.ts';
import type { CommandDependencies } from '../../src/commands/dependencies.ts';
import type { Notify } from '../../src/workbench/configuration.ts';
import { Log } from '../../src/workbench/log.ts';
import { Notifications } from '../../src/workbench/notifications.ts';
import type { Input } from '../../src/workbench/input.ts';
import { ManualClock } from '../support/manualClock.ts';
import { MapMemento } from '../support/mapMemento.ts';
import { cleanUp, clientOf, json, serve } from '../support/servers.ts';
import type { Finding, FindingCode, Verdict } from '../../src/projects/preflight/finding.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { extensionOfTests, next } from './support/extension.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { signInAt } from './support/signedIn.ts';

const RUNNING = { status: { android: 'pending', ios: 'pending' }, error: {}, completed: false };
const COMPLETE = { status: { android: 'complete', ios: 'complete' }, error: {}, completed: true };
const FAILED = {
  status: { android: 'error', ios: 'error' },
  error: { android: 'No [key](command:x)', ios: '' },
  completed: true,
};

describe('watching a build', () => {
  const access = extensionOfTests();
  let input: Input;
  const person = userOfEachTest();
  /** What the service answers; undefined when the app is deleted. */
  let state: object | undefined;
  let folder: string;
  let item: vscode.StatusBarItem;
  let badge: BuildBadge | undefined;
  let pressed: string[];
  let parts: { dispose(): unknown }[];
  let globalState: MapMemento;
  let log: Log;
  let app: App;
  let serviceUrl: string;

  before(async () => {
    input = await access.loadInput();
    // The channel is the extension's own, so it is not disposed here.
    log = new Log(new Redactor());
    folder = await mkdtemp(path.join(os.tmpdir(), 'app-build-watching-'));
    const server = await serve((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://a');
      if (state === undefined) {
        response.writeHead(404).end();
        return;
      }
      const links = { build_status: '/api/v1/apps/1/status', builds: '/api/v1/apps/1/build' };
      json(
        response,
        pathname.endsWith('/build')
          ? { builds: [{ platform: 'android', status: 'complete' }], links: { app: '/api/v1/apps/1' } }
          : { id: 1, title: 'Field $(zap) Notes', link: '/api/v1/apps/1', ...state, links },
      );
    });
    serviceUrl = server.url;
  });

  after(async () => {
    await cleanUp();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    state = RUNNING;
    const { client } = await signInAt(access, serviceUrl);
    app = await new AppCalls(client).get('/api/v1/apps/1');
    pressed = [];
    parts = [];
    globalState = new MapMemento();
  });

  afterEach(() => {
    close();
  });

  const isRemembered = () => globalState.keys().some((key) => key.startsWith(WATCHED_PREFIX));
  const close = () => parts.splice(0).forEach((part) => part.dispose());
  /** What a window has for watching; the person is at work in it or not. */
  const open = (notify: Notify, focused: boolean) => {
    const clock = new ManualClock();
    const notifications = new Notifications(log, new Redactor(), {});
    const { connections } = access;
    const watcher = new BuildWatcher({
      ...{ connections, globalState, log, clock, isFocused: () => focused },
      // A client of this bundle, whose errors are those that the watcher here knows.
      callsOf: () => new AppCalls(clientOf({ url: serviceUrl })),
      globalStorageUri: vscode.Uri.file(folder),
    });
    const runBuildCommand: RunBuildCommand = (id, { platform }) =>
      Promise.resolve(void pressed.push(`${id.replace('appBuild.', '')} ${platform ?? 'all'}`));
    const create = vscode.window.createStatusBarItem.bind(vscode.window);
    const before = Object.getOwnPropertyDescriptor(vscode.window, 'createStatusBarItem');
    Object.defineProperty(vscode.window, 'createStatusBarItem', {
      configurable: true,
      value: (...args: Parameters<typeof create>) => (item = create(...args)),
    });
    const status = new BuildStatus({
      ...{ watcher, connections, folders: { all: () => [] } },
      setBadge: (value) => {
        badge = value;
        access.tree.setBadge(value);
      },
    });
    if (before !== undefined) {
      Object.defineProperty(vscode.window, 'createStatusBarItem', before);
    }
    const teller = new EndNotification({
      ...{ watcher, notifications, runBuildCommand, log, configuration: { notify }, isFocused: () => focused },
    });
    parts.push(teller, status, watcher);
    const advance = (milliseconds: number) => clock.advance(milliseconds, () => watcher.settled());
    return { watcher, runBuildCommand, notifications, teller, advance };
  };
  /** Of what commands work with only what those about watched builds use. */
  const commandsOf = ({ watcher, runBuildCommand, notifications }: ReturnType<typeof open>) =>
    ({
      apps: { watcher, runBuildCommand },
      input,
      notifications,
      tree: { reveal: (url: string) => Promise.resolve(void pressed.push(`reveal ${url}`)) },
    }) as unknown as CommandDependencies;

  it('shows in the status bar and on the view’s icon, and remembers that something is watched until somebody has looked', async () => {
    const window = open('never', true);
    assert.equal(badge, undefined);
    window.watcher.watch(app, ['android', 'ios']);
    await window.advance(1_000);
    assert.equal(item.text, '$(sync~spin) Field $\u200b(zap) Notes: android, ios building');
    assert.match(JSON.stringify(item.tooltip), /android building, ios building/);
    assert.match(item.accessibilityInformation?.label ?? '', /^Application build: Field /);
    assert.equal(item.backgroundColor, undefined);
    assert.deepEqual(badge, { value: 1, tooltip: '1 build running' });
    assert.deepEqual([isRemembered(), globalState.keys().length], [true, 1]);
    person.answers.pick = ({ label }) => label === 'Cancel Build';
    await showBuilds(commandsOf(window));
    assert.deepEqual(pressed.splice(0), ['cancelBuild all']);
    state = FAILED;
    const ended = window.watcher.whenEnded(app.url);
    await window.advance(2_000);
    assert.equal((await ended).kind, 'ended');
    assert.equal(item.text, '$(error) Field $\u200b(zap) Notes: build failed');
    assert.equal((item.backgroundColor as vscode.ThemeColor | undefined) === undefined, false);
    assert.equal(badge, undefined);
    person.answers.pick = ({ label }) => label === 'Build Again';
    await showBuilds(commandsOf(window));
    assert.deepEqual(pressed, ['buildAgain all']);
    assert.deepEqual(window.watcher.all, []);
    assert.equal(isRemembered(), false);
    await showBuilds(commandsOf(window));
    assert.match(person.notifications.join('\n'), /^No build is being watched/);
  });

  it('can be stopped, which says that the service goes on, and rejects what is not watched', async () => {
    const window = open('always', true);
    const stopped = next(window.watcher.onDidEnd);
    window.watcher.watch(app, ['android']);
    await assert.rejects(stopWatching(commandsOf(window), { url: `${app.url}0` }), { kind: 'invalidInput' });
    await stopWatching(commandsOf(window), { appUrl: app.url, platform: 'android' });
    assert.deepEqual((await stopped).end, { kind: 'stopped' });
    await assert.rejects(stopWatching(commandsOf(window), undefined), { kind: 'invalidInput' });
    await window.advance(60_000);
    assert.deepEqual(person.notifications, []);
  });

  it('goes on after a reload, and tells once what has ended meanwhile', async () => {
    const before = open('always', true);
    before.watcher.watch(app, ['android', 'ios']);
    await before.advance(1_000);
    close();
    assert.equal(isRemembered(), true);
    state = COMPLETE;
    const after = open('always', true);
    await after.advance(2_000);
    assert.equal(person.notifications.length, 1);
    assert.match(person.notifications[0] ?? '', /for Android, iOS is ready\.\n[^]*Download/);
    close();
    const again = open('always', true);
    await again.advance(2_000);
    assert.equal(person.notifications.length, 1);
    again.watcher.seen(app.url);
    await again.watcher.settled();
  });

  for (const [notify, focused, told] of [
    ['always', true, { complete: true, failed: true }],
    ['whenAway', true, { complete: false, failed: true }],
    ['whenAway', false, { complete: true, failed: true }],
    ['failures', false, { complete: false, failed: true }],
    ['never', false, { complete: false, failed: false }],
  ] as const) {
    it(`is told of as the setting “${notify}” says, ${focused ? 'to who is at work' : 'to who is away'}`, async () => {
      for (const [outcome, end] of Object.entries({ complete: COMPLETE, failed: FAILED })) {
        person.notifications.length = 0;
        state = RUNNING;
        const window = open(notify, focused);
        window.watcher.watch(app, ['android']);
        state = end;
        await window.advance(1_000);
        await window.advance(1_000);
        assert.equal(person.notifications.length, told[outcome as keyof typeof told] ? 1 : 0, outcome);
        window.watcher.seen(app.url);
        await window.watcher.settled();
        close();
      }
    });
  }

  it('is told of in any case where it is the first of a folder, and only that one', async () => {
    for (const [index, end] of [COMPLETE, COMPLETE, FAILED].entries()) {
      state = RUNNING;
      const window = open('never', true);
      window.watcher.watch(app, ['android']);
      if (index !== 1) {
        window.teller.expect(app.url, { always: true, findings: [], show: () => undefined });
      }
      state = end;
      await window.advance(1_000);
      await window.advance(1_000);
      assert.equal(person.notifications.splice(0).length, index === 1 ? 0 : 1);
      window.watcher.seen(app.url);
      await window.watcher.settled();
      close();
    }
  });

  it('forgets what it knew about a build that is no longer watched', async () => {
    const window = open('never', true);
    window.watcher.watch(app, ['android']);
    window.teller.expect(app.url, { always: true, findings: [], show: () => undefined });
    window.watcher.stop(app.url);
    await window.advance(1_000);
    window.watcher.watch(app, ['android']);
    state = COMPLETE;
    await window.advance(1_000);
    await window.advance(1_000);
    assert.equal(window.watcher.of(app.url)?.state, 'complete');
    assert.deepEqual(person.notifications, []);
    window.watcher.seen(app.url);
    await window.watcher.settled();
  });

  it('lets one window act on an end, and gives all that ask there the same answer', async () => {
    const window = open('never', true);
    window.watcher.watch(app, ['android']);
    state = COMPLETE;
    const ended = next(window.watcher.onDidEnd);
    await window.advance(1_000);
    const { end } = await ended;
    assert.ok(end.kind === 'ended');
    const ask = async (asked: ReturnType<typeof open>, progress: typeof end.progress) => {
      const answers = Promise.all([asked.watcher.claimEnd(progress), asked.watcher.claimEnd(progress)]);
      await asked.advance(1_000);
      return answers;
    };
    assert.deepEqual(await ask(window, end.progress), [true, true]);
    const other = open('never', true);
    await other.watcher.settled();
    assert.deepEqual(await ask(other, { ...end.progress }), [false, false]);
    window.watcher.seen(app.url);
    await window.watcher.settled();
  });

  it('is told of by one window when the app is gone', async () => {
    const first = open('always', true);
    first.watcher.watch(app, ['android']);
    await first.watcher.settled();
    const second = open('always', true);
    await second.watcher.settled();
    assert.equal(second.watcher.all.length, 1);
    state = undefined;
    for (const window of [first, second]) {
      await window.advance(1_000);
      assert.deepEqual(window.watcher.all, []);
    }
    assert.equal(person.notifications.length, 1);
    assert.match(person.notifications[0] ?? '', /^Field .* is no longer at the service, or not for your account/);
  });

  it('offers in its notification what helps', async () => {
    for (const [end, text, button, runs] of [
      [
        COMPLETE,
        /^Field \$\u200b\(zap\) Notes for Android is ready\.$/,
        'Install on Device',
        'installOnDevice android',
      ],
      [COMPLETE, /is ready/, 'Download', 'downloadBuild android'],
      [FAILED, /^The build of .* failed: No \[key\]\u200b\(command:x\)$/, 'Build Again', 'buildAgain all'],
      [FAILED, /failed/, 'Show Log', 'showBuildLog android'],
    ] as const) {
      pressed = [];
      let shown: readonly string[] = [];
      person.answers.press = (message, buttons) => {
        assert.match(message, text);
        shown = buttons;
        return button;
      };
      state = RUNNING;
      const window = open('always', true);
      window.watcher.watch(app, ['android']);
      state = end;
      await window.advance(1_000);
      await window.watcher.settled();
      await waitUntil(() => pressed.length > 0);
      assert.deepEqual(pressed, [runs]);
      assert.ok(shown.length <= 3);
      assert.equal(shown[0] === 'Install on Device', end === COMPLETE);
      assert.deepEqual(window.watcher.all, []);
      close();
    }
  });

  const finding = (verdict: Verdict, code: FindingCode, message: string): Finding => ({
    ...{ verdict, code },
    message: { template: message, args: [] },
  });
  /** The notification of an end with what was found before it, and its buttons. */
  const told = async (notify: Notify, end: object, findings: readonly Finding[], button?: string) => {
    let shown: readonly string[] = [];
    person.notifications.length = 0;
    person.answers.press = (_, buttons) => {
      shown = buttons;
      return button;
    };
    state = RUNNING;
    const window = open(notify, true);
    const build = async (): Promise<string | undefined> => {
      window.watcher.watch(app, ['android']);
      window.teller.expect(app.url, { always: false, findings, show: () => pressed.push('problems') });
      state = end;
      await window.advance(1_000);
      await window.watcher.settled();
      return person.notifications.splice(0)[0]?.split('\n')[0];
    };
    const texts = [await build(), await build()];
    window.watcher.seen(app.url);
    close();
    return { texts, shown };
  };

  it('reports problems that may keep the app from working, once, and offers to show them; a test key isn’t one', async () => {
    const plugin = finding('mayFail', 'capacitorPlugin', 'Share is missing.');
    const script = finding('fails', 'missingScript', 'app.js is missing.');
    const others = [finding('fine', 'config', 'Fine.'), finding('mayFail', 'keyMissing', 'A test key.')];
    assert.deepEqual((await told('whenAway', COMPLETE, others)).texts, [undefined, undefined]);
    const one = await told('whenAway', COMPLETE, [plugin, ...others]);
    const start = 'Field $\u200b(zap) Notes for Android is ready, but';
    assert.deepEqual(one.texts, [`${start} 1 problem may keep it from working.`, undefined]);
    const { texts, shown } = await told('always', COMPLETE, [plugin, script], 'Show Problems');
    assert.deepEqual(new Set(texts), new Set([`${start} 2 problems may keep it from working.`]));
    assert.deepEqual(shown, ['Show Problems', 'Install on Device', 'Download']);
    await waitUntil(() => pressed.includes('problems'));
  });

  it('doesn’t offer another build if the reason of a failure is known, but shows the problems', async () => {
    const end = { ...FAILED, error: { android: 'Plugin not supported: cordova-plugin-x' } };
    assert.deepEqual((await told('always', end, [])).shown, ['Show Log']);
    const { shown } = await told('always', end, [finding('fails', 'pluginNotSupported', 'No.')], 'Show Problems');
    assert.deepEqual(shown, ['Show Problems', 'Show Log']);
    await waitUntil(() => pressed.includes('problems'));
  });
});
