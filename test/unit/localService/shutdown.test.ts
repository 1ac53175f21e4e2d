import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startLocalService } from '../../support/localService.ts';
import { waitUntil } from '../../support/waitUntil.ts';

/** A build that never ends, does not do what SIGTERM asks for, and has started another program. Both hold a connection. */
const BUILDER = `
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
process.on('SIGTERM', () => console.log('not yet'));
connect(Number(process.argv[2]), '127.0.0.1');
if (process.argv[3] !== 'second') {
  spawn(process.execPath, [process.argv[1], process.argv[2], 'second'], { stdio: 'inherit' });
}
`;

describe('local service: its end', () => {
  let folder: string;
  let builders: Server;
  const connections: Socket[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'app-build-end-'));
    await writeFile(join(folder, 'builder.mjs'), BUILDER);
    builders = createServer((socket) => connections.push(socket.on('error', () => undefined).resume()));
    builders.listen(0, '127.0.0.1');
    await once(builders, 'listening');
  });
  after(async () => {
    builders.close();
    await rm(folder, { recursive: true });
  });

  it('comes, with that of every program that builds and of every upload; what was running starts again', async () => {
    const { port } = builders.address() as AddressInfo;
    const dataFolder = join(folder, 'data');
    const start = () =>
      startLocalService({
        dataFolder,
        builder: [join(folder, 'builder.mjs'), `${port}`],
      });
    const service = await start();
    const headers = { Authorization: `token ${service.authToken}` };
    const body = new FormData();
    body.append('data', JSON.stringify({ title: 'Endless', create_method: 'file' }));
    body.append('file', new Blob(['<!doctype html><title>Endless</title>']), 'index.html');
    const created = await fetch(`${service.baseUrl}/api/v1/apps`, { method: 'POST', headers, body });
    const { id } = (await created.json()) as { id: number };
    assert.equal(created.status, 201);
    const build = await fetch(`${service.baseUrl}/api/v1/apps/${id}/build/android`, { method: 'POST', headers });
    assert.equal(build.status, 202);
    await waitUntil(() => connections.length >= 2);
    const upload = request(`${service.baseUrl}/api/v1/apps/${id}`, {
      method: 'PUT',
      headers: {
        ...headers,
        'Content-Type': 'multipart/form-data; boundary=x',
        'Content-Length': '10000000',
        Expect: '100-continue',
      },
    });
    upload.flushHeaders();
    await once(upload, 'continue');
    const broken = new Promise((resolve) => upload.once('error', resolve));
    upload.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n');

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
