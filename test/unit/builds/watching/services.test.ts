import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { builderOf, PAGE, upload } from '../../../support/builds.ts';
import { startInProcess } from '../../../support/inProcessService.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { addCleanup, cleanUp, clientOf } from '../../../support/servers.ts';
import { sharedByWindows, WatchingWindow } from './watchingWindow.ts';

describe('a watched build', () => {
  afterEach(cleanUp);

  const open = async (url: string, authToken: string): Promise<WatchingWindow> => {
    const client = clientOf({ url }, { credentials: { type: 'authToken', authToken } });
    return new WatchingWindow(client, await sharedByWindows(), new ManualClock());
  };

  it('of the local service ends when its builder is ready, which is named', async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const builder = builderOf(async ({ workFolder }) => {
      await finished;
      await writeFile(path.join(workFolder, 'app.apk'), 'apk');
      return { path: path.join(workFolder, 'app.apk'), fileName: 'app.apk' };
    });
    const service = await startInProcess({ builder });
    addCleanup(() => service.stop());
    const window = await open(service.baseUrl, service.authToken);
    const id = await upload(service, PAGE);
    const app = await window.calls.get(`/api/v1/apps/${id}`);
    window.watches.watch(app, ['android']);
    await window.advance(3_000);
    assert.equal(window.only.state, 'building');
    finish();
    while (window.only.endedAt === undefined) {
      await window.advance(1_000);
    }
    const [build] = window.only.builds;
    assert.equal(build?.state, 'complete');
    assert.match(build.downloadUrl ?? '', /\/android$/);
  });
});
