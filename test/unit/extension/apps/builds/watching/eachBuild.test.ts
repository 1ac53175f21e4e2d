import assert from 'node:assert/strict';
import { EventEmitter } from 'vscode';
import type { BuildState } from '../../../../../../src/extension/apps/model/app.ts';
import { watchedBuilds, type WatchEnd } from '../../../../../../src/extension/apps/builds/watching/buildProgress.ts';
import { EachBuild } from '../../../../../../src/extension/apps/builds/watching/eachBuild.ts';
import { MapMemento } from '../../../../../support/mapMemento.ts';

const appUrl = 'https://build.example/api/v1/apps/1';

describe('the automatic installation of builds', () => {
  it('installs complete Android builds while the user wants it', async () => {
    const ended = new EventEmitter<{ readonly appUrl: string; readonly end: WatchEnd }>();
    const installed: string[] = [];
    const eachBuild = new EachBuild({
      watcher: { onDidEnd: ended.event },
      selection: { current: undefined },
      globalState: new MapMemento(),
      installOnLastDevice: (subject) =>
        Promise.resolve(void installed.push(`${subject.appUrl} ${subject.platform ?? ''}`)),
      log: { error: (_doing, error) => assert.fail(String(error)) },
    });
    const end = (platform: string, state: BuildState) => {
      const builds = watchedBuilds([platform], []).map((build) => ({ ...build, state }));
      const progress = { appUrl, title: 'Shop', builds, state, startedAt: 0, endedAt: 1, trouble: undefined };
      ended.fire({ appUrl, end: { kind: 'ended', progress } });
    };
    end('android', 'complete');
    await eachBuild.set(appUrl, true);
    end('android', 'failed');
    end('ios', 'complete');
    ended.fire({ appUrl, end: { kind: 'signedOut' } });
    assert.deepEqual(installed, []);
    end('android', 'complete');
    await eachBuild.set(appUrl, false);
    end('android', 'complete');
    assert.deepEqual(installed, [`${appUrl} android`]);
  });
});
