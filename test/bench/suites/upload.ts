/**
 * Uploads a package of 200 MB with the extension's client to the local service. The peer is a server that only streams the bytes to disk.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { AppCalls } from '../../../src/extension/apps/calls/appCalls.ts';
import { encodeMultipart, type UploadFile } from '../../../src/extension/resources/requests/multipart.ts';
import { startLocalService } from '../../support/localService.ts';
import { benchClient, createClient } from '../client.ts';
import { interleaved, type Row } from '../rounds.ts';

const MEGABYTES = 200;
/** The service searches for the end of each part and writes chunks of 64 KiB to keep its memory low. */
const MAX_RATIO = 3;

export async function measure(rounds: number): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const file = path.join(folder, 'app.zip');
  await writePackage(file);
  const { size } = await stat(file);
  const upload: UploadFile = { name: 'app.zip', size, bytes: () => createReadStream(file) };
  const received = path.join(folder, 'received');
  const server = createServer((request, response) => {
    void pipeline(request, createWriteStream(received, { flush: true, highWaterMark: 1024 * 1024 })).then(() =>
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1}'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = await startLocalService({ dataFolder: path.join(folder, 'data'), demo: false, bundled: true });
  const calls = new AppCalls(await createClient(service));
  const client = benchClient(url);
  const contenders = {
    ours: async (): Promise<void> => calls.delete(await calls.createFromFile(upload, {})),
    peer: async (): Promise<void> => {
      const { headers, body } = encodeMultipart([{ name: 'file', file: upload }]);
      await client.send({ method: 'POST', url, headers, body });
      await rm(received);
    },
  };
  try {
    await interleaved(1, contenders);
    const { ours, peer } = await interleaved(rounds, contenders);
    return [
      {
        what: `Upload of ${MEGABYTES} MB to the local service`,
        ours,
        peer: { name: 'a server that streams to the disk', times: peer },
        max: MAX_RATIO,
      },
    ];
  } finally {
    server.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes an app's package that contains incompressible bytes. */
async function writePackage(file: string): Promise<void> {
  const archive = new ZipFile();
  archive.addBuffer(Buffer.from('<!doctype html><title>x</title>'), 'index.html');
  archive.addBuffer(randomBytes(MEGABYTES * 1_000_000), 'data.bin', { compress: false });
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(file));
}
