import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { requestBuilds } from '../../../../src/build-service/store/builds.ts';
import { openStore } from '../../../../src/build-service/store/dataFolder.ts';
import { ask, fetchBuilds, waitForBuilds } from '../../../support/builds.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { endUnfinishedBuilds } from '../../../support/inProcessService.ts';
import { startLocalService, type LocalService } from '../../../support/localService.ts';

const [APP, OTHER_APP] = [1004, 1001];

/** Builder that kills the service, as a crash does. It builds the other app. */
const BUILDER = `
import { writeFileSync } from 'node:fs';
const [title, , path] = process.argv.slice(2);
if (title === 'Field Notes') {
  writeFileSync(path, 'artifact');
} else {
  process.kill(process.ppid, 'SIGKILL');
}
`;

describe('local service: a build that kills the service', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  it('fails after the second time, so that the third process keeps running', async () => {
    const [dataFolder, builder] = [join(folder, 'data'), join(folder, 'builder.mjs')];
    await writeFile(builder, BUILDER);
    const store = await openStore(dataFolder, (line) => assert.fail(line), { demo: true });
    endUnfinishedBuilds(store);
    store.transaction(() => requestBuilds(store, APP, ['android']));
    store.close();
    const start = (): Promise<LocalService> => startLocalService({ dataFolder, builder: [builder] });
    for (let process = 0; process < 2; process += 1) {
      // It can be killed even before it prints its address.
      await start().then(
        ({ ended }) => ended,
        (error: unknown) => assert.match(String(error), /^Error: The local service didn’t start/),
      );
    }
    const service = await start();
    const { error } = await fetchBuilds(service, APP);
    assert.equal(error.android, 'The service stopped twice during this build. Build the app again.');
    await ask(service, `/apps/${OTHER_APP}/build/android`, { method: 'POST' });
    assert.equal((await waitForBuilds(service, OTHER_APP)).status.android, 'complete');
    assert.equal(await service.stop(), 0);
    assert.equal(service.errorOutput(), '');
  });
});
