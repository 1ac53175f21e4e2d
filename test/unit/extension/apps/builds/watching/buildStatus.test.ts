import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { EventEmitter } from 'vscode';
import { getAppState, type BuildState } from '../../../../../../src/extension/apps/model/app.ts';
import {
  watchedBuilds,
  type BuildProgress,
} from '../../../../../../src/extension/apps/builds/watching/buildProgress.ts';
import { showBuildStatus, type BuildBadge } from '../../../../../../src/extension/apps/builds/watching/buildStatus.ts';
import type { CommandDependencies } from '../../../../../../src/extension/commands/dependencies.ts';
import { showBuilds, stopWatching } from '../../../../../../src/extension/commands/runningBuilds.ts';
import { Input, type PickItem } from '../../../../../../src/extension/workbench/input.ts';
import { statusBarItems } from '../../../../../support/vscode.ts';

const APP = 'https://build.example/api/v1/apps/1';

function createProgress(state: BuildState, more: Partial<BuildProgress> = {}): BuildProgress {
  const builds = watchedBuilds(['android', 'ios'], []).map((build) => ({ ...build, state }));
  const endedAt = state === 'building' ? undefined : 1;
  const title = 'Field $(zap) Notes';
  return { appUrl: APP, title, builds, state: getAppState(builds), startedAt: 0, endedAt, trouble: undefined, ...more };
}

/** Opens a window that watches these builds, with its status bar and commands. */
function open() {
  const changed = new EventEmitter<void>();
  const badges: (BuildBadge | undefined)[] = [];
  const done: string[] = [];
  const watcher = {
    all: [] as readonly BuildProgress[],
    onDidChangeAll: changed.event,
    seen: (url: string) => done.push(`seen ${url}`),
    stop: (url: string) => done.push(`stop ${url}`),
  };
  const status = showBuildStatus({
    watcher,
    connections: { current: () => Promise.resolve({ kind: 'unconfigured' }) },
    folders: { all: () => [] },
    setBadge: (badge) => void badges.push(badge),
  });
  const item = statusBarItems.at(-1) as vscode.StatusBarItem;
  const show = async (...all: readonly BuildProgress[]) => {
    watcher.all = all;
    changed.fire();
    await new Promise(setImmediate);
    return { item, badge: badges.at(-1) };
  };
  /**
   * Returns the parts of the commands' dependencies that commands for watched builds use.
   * @param wanted label of the action to choose
   */
  const commands = (wanted = '') =>
    ({
      apps: { watcher, runBuildCommand: (id: string, { platform = 'all' }) => done.push(`${id} ${platform}`) },
      input: Object.assign(new Input(), {
        pick: (items: readonly PickItem[]) => Promise.resolve(items.find(({ label }) => label === wanted)),
      }),
      notifications: { information: (text: string) => done.push(text), done: (text: string) => done.push(text) },
    }) as unknown as CommandDependencies;
  return { show, commands, done, status };
}

describe('the status bar for watched builds', () => {
  it('shows running builds, and their results until the user sees them', async () => {
    const { show, status } = open();
    const running = await show(createProgress('building'));
    assert.equal(running.item.text, '$(sync~spin) Field $\u200b(zap) Notes: Android, iOS building');
    assert.match(JSON.stringify(running.item.tooltip), /Android building, iOS building/);
    assert.match(running.item.accessibilityInformation?.label ?? '', /^Application build: Field /);
    assert.deepEqual(
      [running.item.backgroundColor, running.badge],
      [undefined, { value: 1, tooltip: '1 build running' }],
    );
    const other = createProgress('complete', { appUrl: `${APP}0`, title: 'Tides' });
    const failed = await show(other, createProgress('failed'));
    assert.equal(failed.item.text, '$(error) Field $\u200b(zap) Notes: build failed');
    assert.equal(failed.item.backgroundColor, undefined, 'the row shows the failure');
    assert.equal(failed.badge, undefined);
    assert.equal((await show(other)).item.text, '$(check) Tides: built');
    const offline = createProgress('building', { trouble: new Error('offline') });
    assert.equal((await show(offline)).item.text, '$(debug-disconnect) Field $\u200b(zap) Notes: no response');
    status.dispose();
  });

  it('cancels, stops watching, and repeats builds', async () => {
    const { show, commands, done } = open();
    await showBuilds(commands());
    assert.match(done.splice(0).join(), /^No builds are being watched/);
    await show(createProgress('building'));
    await showBuilds(commands('Cancel Build'));
    assert.deepEqual(done.splice(0), ['appBuild.cancelBuild all']);
    await assert.rejects(stopWatching(commands(), { url: `${APP}0` }), { kind: 'invalidInput' });
    await stopWatching(commands(), { appUrl: APP, platform: 'android' });
    assert.match(
      done.splice(0).join(),
      /^stop .*,Field .* is no longer watched\. The service continues building it\.$/,
    );
    await show(createProgress('failed'));
    await assert.rejects(stopWatching(commands(), undefined), { kind: 'invalidInput' });
    await showBuilds(commands('Build Again'));
    assert.deepEqual(done, [`seen ${APP}`, 'appBuild.buildAgain all']);
  });
});
