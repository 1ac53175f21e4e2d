import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

import { ask, PAGE, upload } from '../../support/builds.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { startLocalService } from '../../support/localService.ts';
import { beginUpload, BOUNDARY } from '../../support/serviceRequests.ts';
import { waitUntil } from '../../support/waitUntil.ts';

/** Builder whose build never ends, ignores SIGTERM, and has started another program. Both keep a connection open. */
const BUILDER = `
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
process.on('SIGTERM', () => console.log('not yet'));
connect(Number(process.argv[2]), '127.0.0.1');
if (process.argv[3] !== 'second') {
  spawn(process.execPath, [process.argv[1], process.argv[2], 'second'], { stdio: 'inherit' });
}
`;

describe('local service: shutdown', () => {
  let folder: string;
  let builders: Server;
  const connections: Socket[] = [];
  useFolderForEachTest(async (made) => {
    folder = made;
    await writeFile(join(folder, 'builder.mjs'), BUILDER);
    builders = createServer((socket) => connections.push(socket.on('error', () => undefined).resume()));
    builders.listen(0, '127.0.0.1');
    await once(builders, 'listening');
  });
  after(() => builders.close());

  it('ends the programs of running builds and all uploads, and repeats the builds after a restart', async () => {
    const { port } = builders.address() as AddressInfo;
    const dataFolder = join(folder, 'data');
    const start = () => startLocalService({ dataFolder, builder: [join(folder, 'builder.mjs'), `${port}`] });
    const service = await start();
    const id = await upload(service, PAGE);
    await ask(service, `/apps/${id}/build/android`, { method: 'POST' });
    await waitUntil(() => connections.length >= 2);
    const unfinished = beginUpload(service, 'Content-Length: 10000000', 'Expect: 100-continue');
    await once(unfinished, 'data');
    const broken = new Promise((resolve) => unfinished.on('error', resolve).once('close', resolve));
    unfinished.write(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n`);

    assert.equal(await service.stop(), 0);
    await Promise.all([broken, ...connections.map((socket) => socket.closed || once(socket, 'close'))]);
    assert.equal(service.errorOutput(), '');

    connections.length = 0;
    const again = await start();
    await waitUntil(() => connections.length >= 2);
    assert.equal(await again.stop(), 0);
    assert.equal(again.errorOutput(), '');
  });
});
