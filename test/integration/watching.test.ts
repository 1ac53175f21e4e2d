import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AppCalls } from '../../src/apps/calls/appCalls.ts';
import type { App } from '../../src/apps/model/app.ts';
import type { RunBuildCommand } from '../../src/builds/watching/buildProgress.ts';
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
  let item: vscode.StatusBarItem;
  let badge: BuildBadge | undefined;
  let pressed: string[];
  let parts: { dispose(): unknown }[];
  let workspaceState: MapMemento;
  let log: Log;
  let app: App;
  let serviceUrl: string;

  before(async () => {
    input = await access.loadInput();
    // The channel is the extension's own, so it is not disposed here.
    log = new Log(new Redactor());
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

  after(cleanUp);

  beforeEach(async () => {
    state = RUNNING;
    const { client } = await signInAt(access, serviceUrl);
    app = await new AppCalls(client).get('/api/v1/apps/1');
    pressed = [];
    parts = [];
    workspaceState = new MapMemento();
  });

  afterEach(() => {
    close();
  });

  const isRemembered = () => workspaceState.keys().some((key) => key.startsWith(WATCHED_PREFIX));
  const close = () => parts.splice(0).forEach((part) => part.dispose());
  /** What a window has for watching. */
  const open = (notify: Notify) => {
    const clock = new ManualClock();
    const notifications = new Notifications(log, new Redactor(), {});
    const { connections } = access;
    const watcher = new BuildWatcher({
      ...{ connections, workspaceState, log, clock },
      // A client of this bundle, whose errors are those that the watcher here knows.
      callsOf: () => new AppCalls(clientOf({ url: serviceUrl })),
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
    parts.push(new EndNotification({ watcher, notifications, runBuildCommand, configuration: { notify } }));
    parts.push(status, watcher);
    const advance = (milliseconds: number) => clock.advance(milliseconds, () => watcher.settled());
    return { watcher, runBuildCommand, notifications, advance };
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
    const window = open('never');
    assert.equal(badge, undefined);
    window.watcher.watch(app, ['android', 'ios']);
    await window.advance(1_000);
    assert.equal(item.text, '$(sync~spin) Field $\u200b(zap) Notes: android, ios building');
    assert.match(JSON.stringify(item.tooltip), /android building, ios building/);
    assert.match(item.accessibilityInformation?.label ?? '', /^Application build: Field /);
    assert.equal(item.backgroundColor, undefined);
    assert.deepEqual(badge, { value: 1, tooltip: '1 build running' });
    assert.deepEqual([isRemembered(), workspaceState.keys().length], [true, 1]);
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
    const window = open('always');
    const stopped = next(window.watcher.onDidEnd);
    window.watcher.watch(app, ['android']);
    await assert.rejects(stopWatching(commandsOf(window), { url: `${app.url}0` }), { kind: 'invalidInput' });
    await stopWatching(commandsOf(window), { appUrl: app.url, platform: 'android' });
    assert.deepEqual((await stopped).end, { kind: 'stopped' });
    await assert.rejects(stopWatching(commandsOf(window), undefined), { kind: 'invalidInput' });
  });

  it('goes on after a reload, and tells once what has ended meanwhile', async () => {
    const before = open('always');
    before.watcher.watch(app, ['android', 'ios']);
    await before.advance(1_000);
    close();
    assert.equal(isRemembered(), true);
    state = COMPLETE;
    const after = open('always');
    await after.advance(2_000);
    assert.equal(person.notifications.length, 1);
    assert.match(person.notifications[0] ?? '', /for Android, iOS is ready\.\n[^]*Download/);
    close();
    const again = open('always');
    await again.advance(2_000);
    assert.equal(person.notifications.length, 1);
    again.watcher.seen(app.url);
    await again.watcher.settled();
  });
});
