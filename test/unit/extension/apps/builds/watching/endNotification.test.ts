import assert from 'node:assert/strict';
import { EventEmitter } from 'vscode';
import { getAppState, type BuildState } from '../../../../../../src/extension/apps/model/app.ts';
import {
  watchedBuilds,
  type BuildProgress,
  type WatchEnd,
} from '../../../../../../src/extension/apps/builds/watching/buildProgress.ts';
import {
  EndNotification,
  type ExpectedEnd,
} from '../../../../../../src/extension/apps/builds/watching/endNotification.ts';
import type { FindingCode, FindingVerdict } from '../../../../../../src/web-project/index.ts';
import type { NotifySetting } from '../../../../../../src/extension/workbench/configuration.ts';
import type { NotificationButton } from '../../../../../../src/extension/workbench/notifications.ts';
import { setWindowState } from '../../../../../support/vscode.ts';
import type { Finding } from '../../../../../../src/extension/preflight/finding.ts';

const APP = 'https://build.example/api/v1/apps/1';

/**
 * Returns the progress of a finished build.
 * @param states by platform
 */
function createProgress(states: Readonly<Record<string, BuildState>>, error = 'No key'): BuildProgress {
  const builds = watchedBuilds(Object.keys(states), []).map((build) => {
    const state = states[build.platform] ?? 'none';
    const downloadUrl = state === 'complete' ? `${APP}/${build.platform}` : undefined;
    return { ...build, state, downloadUrl, error: state === 'failed' ? error : undefined };
  });
  const time = { startedAt: 0, endedAt: 1, trouble: undefined };
  return { appUrl: APP, title: 'Notes', version: '1.2', builds, state: getAppState(builds), ...time };
}

const finding = (verdict: FindingVerdict, code: FindingCode): Finding => ({
  ...{ verdict, code },
  message: { template: code, args: [] },
});

/** Opens a window that shows notifications. */
function open(notify: NotifySetting, isFocused = true) {
  setWindowState({ focused: isFocused, active: isFocused });
  const ended = new EventEmitter<{ readonly appUrl: string; readonly end: WatchEnd }>();
  const told: { text: string; buttons: readonly NotificationButton[] }[] = [];
  const done: string[] = [];
  const tell = (text: string, ...buttons: readonly NotificationButton[]) => void told.push({ text, buttons });
  const notification = new EndNotification({
    watcher: { onDidEnd: ended.event, seen: (url) => void done.push(`seen ${url}`) },
    configuration: { notify },
    notifications: { information: tell, warning: tell },
    runBuildCommand: (id, { platform }) => Promise.resolve(void done.push(`${id} ${platform ?? 'all'}`)),
  });
  return {
    done,
    /** Returns the notifications about the end of a build. */
    end: (end: WatchEnd, expected?: Partial<ExpectedEnd>) => {
      if (expected !== undefined) {
        notification.expect(APP, {
          always: false,
          findings: [],
          show: () => done.push('problems'),
          remedies: () => [],
          ...expected,
        });
      }
      ended.fire({ appUrl: APP, end });
      return told.splice(0);
    },
  };
}

const COMPLETE: WatchEnd = { kind: 'ended', progress: createProgress({ android: 'complete' }) };
const FAILED: WatchEnd = { kind: 'ended', progress: createProgress({ android: 'failed' }) };

describe('the notification about the end of a build', () => {
  after(() => setWindowState({ focused: true, active: true }));

  for (const [notify, isFocused, complete, failed] of [
    ['always', true, 1, 1],
    ['whenAway', true, 0, 1],
    ['whenAway', false, 1, 1],
    ['failures', false, 0, 1],
    ['never', false, 0, 0],
  ] as const) {
    it(`follows the setting “${notify}” ${isFocused ? 'with' : 'without'} the focus`, () => {
      const { end } = open(notify, isFocused);
      assert.deepEqual([end(COMPLETE).length, end(FAILED).length], [complete, failed]);
    });
  }

  it('appears for an expected build regardless of the setting', () => {
    const { end } = open('never');
    assert.equal(end(COMPLETE, { always: true }).length, 1);
    assert.equal(end(COMPLETE).length, 0);
    assert.equal(end({ kind: 'stopped' }, { always: true }).length, 0);
    assert.equal(end(FAILED).length, 0);
  });

  it('reports the result for each platform, and why one failed', () => {
    const { end } = open('always');
    const text = (progress: BuildProgress) => end({ kind: 'ended', progress })[0]?.text;
    assert.equal(
      text(createProgress({ android: 'complete', ios: 'complete' })),
      'Notes 1.2 for Android, iOS is ready.',
    );
    const { builds, ...withBundle } = createProgress({ android: 'complete' });
    assert.equal(
      text({ ...withBundle, builds: builds.map((build) => ({ ...build, bundleUrl: `${APP}/android/bundle` })) }),
      'Notes 1.2 for Android is ready.',
    );
    assert.equal(
      text(createProgress({ android: 'complete', ios: 'failed' })),
      'Notes 1.2 is ready for Android, but failed for iOS.',
    );
    assert.equal(text(createProgress({ ios: 'failed' }, '')), 'The build of Notes 1.2 for iOS failed.');
    assert.equal(text(createProgress({ ios: 'skipped' })), 'The build of Notes 1.2 has ended: iOS skipped');
    const [gone] = end({ kind: 'gone', progress: createProgress({}) });
    assert.equal(gone?.text, 'Notes 1.2 no longer exists at the service.');
  });

  it('includes the package size for one platform', () => {
    const { end } = open('always');
    const { builds, ...ended } = createProgress({ android: 'complete' });
    const progress = { ...ended, builds: builds.map((build) => ({ ...build, size: 26_624 })) };
    assert.equal(end({ kind: 'ended', progress })[0]?.text, 'Notes 1.2 for Android is ready (26.6 kB).');
  });

  it('fits in one line, whatever the app’s name and number of platforms', () => {
    const { end } = open('always');
    const names = ['android', 'ios', 'winphone', 'browser'];
    const states: readonly BuildState[] = ['complete', 'failed', 'skipped'];
    for (const title of ['Notes', 'A title that a service takes although no launcher has room for it']) {
      for (const [index, state] of [...states, ...states].entries()) {
        const platforms = index < states.length ? ['android'] : names;
        const progress = createProgress(
          Object.fromEntries(platforms.map((name) => [name, state])),
          'Out of memory. '.repeat(5),
        );
        for (const findings of [[], [finding('mayFail', 'capacitorPlugin')]]) {
          const told = end({ kind: 'ended', progress: { ...progress, title, version: '10.20.30' } }, { findings });
          assert.ok(told.length === 1 && (told[0]?.text ?? '').length <= 60, told[0]?.text);
        }
      }
    }
    const reason = end({ kind: 'ended', progress: createProgress({ ios: 'failed' }) })[0]?.text;
    assert.equal(reason, 'The build of Notes 1.2 for iOS failed: No key');
  });

  it('offers a preview of a folder that was built', async () => {
    const { end, done } = open('always');
    const [{ buttons } = assert.fail()] = end(COMPLETE, {});
    assert.deepEqual(
      buttons.map(({ title }) => title),
      ['Install', 'Preview', 'Download'],
    );
    await buttons[1]?.run();
    assert.deepEqual(done, [`seen ${APP}`, 'appBuild.preview all']);
  });

  it('offers actions that match the result, and marks the build as seen when the user selects one', async () => {
    const { end, done } = open('always');
    for (const [ended, titles, runs] of [
      [COMPLETE, ['Install', 'Download'], 'install android'],
      [FAILED, ['Show Log', 'Build Again'], 'showBuildLog android'],
    ] as const) {
      const [{ buttons } = assert.fail()] = end(ended);
      assert.deepEqual(
        buttons.map(({ title }) => title),
        titles,
      );
      await buttons[0]?.run();
      assert.deepEqual(done.splice(0), [`seen ${APP}`, `appBuild.${runs}`]);
    }
  });

  it('offers a remedy instead of Build Again if the check explains the failure', () => {
    const { end, done } = open('always');
    const error = 'Plugin not supported: cordova-plugin-ble-central.';
    const failed: WatchEnd = { kind: 'ended', progress: createProgress({ android: 'failed' }, error) };
    const findings = [finding('fails', 'config'), finding('fails', 'pluginNotSupported')];
    const remedies = (about: readonly Finding[]) =>
      ['Install Engine…', 'Remove Plugin', 'Open config.xml'].map((title) => ({
        title,
        run: () => done.push(about.map(({ code }) => code).join()),
      }));
    const [{ buttons } = assert.fail()] = end(failed, { findings, remedies });
    assert.deepEqual(
      buttons.map(({ title }) => title),
      ['Install Engine…', 'Remove Plugin', 'Show Log'],
    );
    buttons[0]?.run();
    assert.deepEqual(done, ['pluginNotSupported']);
    const partial: WatchEnd = {
      kind: 'ended',
      progress: createProgress({ android: 'failed', ios: 'complete' }, error),
    };
    const [{ buttons: three } = assert.fail()] = end(partial, { findings, remedies });
    assert.deepEqual(
      three.map(({ title }) => title),
      ['Install Engine…', 'Show Log', 'Download'],
    );
    const [unexplained = assert.fail()] = end(failed, { findings: [finding('fails', 'config')], remedies });
    assert.deepEqual(
      unexplained.buttons.map(({ title }) => title),
      ['Show Problems', 'Show Log'],
    );
  });

  it('reports problems of the app once and offers to show them, but ignores a test key', () => {
    const { end, done } = open('whenAway');
    const others = [finding('fine', 'config'), finding('mayFail', 'keyMissing')];
    assert.deepEqual(end(COMPLETE, { findings: others }), []);
    const findings = [finding('mayFail', 'capacitorPlugin'), ...others];
    const [one = assert.fail()] = end(COMPLETE, { findings });
    assert.match(one.text, /^Notes 1\.2 is ready, with 1 problem\.$/);
    assert.deepEqual(
      one.buttons.map(({ title }) => title),
      ['Show Problems', 'Install', 'Preview'],
    );
    one.buttons[0]?.run();
    assert.deepEqual(done, ['problems']);
    assert.deepEqual(end(COMPLETE, { findings }), []);
    const [two] = end(COMPLETE, { findings: [finding('fails', 'missingScript'), ...findings] });
    assert.match(two?.text ?? '', /with 2 problems/);
  });

  it('omits Build Again if the reason for a failure is known, and offers Show Problems if the check found the reason', () => {
    const { end } = open('always');
    const progress = createProgress({ android: 'failed' }, 'Plugin not supported: cordova-plugin-x');
    const titles = (findings: readonly Finding[]) =>
      end({ kind: 'ended', progress }, { findings })[0]?.buttons.map(({ title }) => title);
    assert.deepEqual(titles([]), ['Show Log']);
    assert.deepEqual(titles([finding('fails', 'pluginNotSupported')]), ['Show Problems', 'Show Log']);
  });
});
