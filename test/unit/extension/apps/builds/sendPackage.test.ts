import assert from 'node:assert/strict';
import { request as forward } from 'node:http';
import { pipeline } from 'node:stream/promises';

import yauzl from 'yauzl';

import { MAX_STORED_BYTES } from '../../../../../src/extension/apps/builds/limits.ts';
import { sendPlan } from '../../../../../src/extension/apps/builds/sendPackage.ts';
import { AppCalls } from '../../../../../src/extension/apps/calls/appCalls.ts';
import type { TransportOptions } from '../../../../../src/service-client/http/transport.ts';
import type { PackagePlan } from '../../../../../src/web-project/index.ts';
import { createCertificate } from '../../../../support/certificates.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';
import { OriginalService } from '../../../../support/originalService.ts';
import { addFiles, plan } from '../../../../support/packing.ts';
import { startProxy } from '../../../../support/proxyServer.ts';
import { addCleanup, cleanUp, createClient, serve } from '../../../../support/servers.ts';

const HOST = 'build.example';

describe('the package that is sent to a service', () => {
  let folder: string;
  let service: OriginalService;
  useFolderForEachTest((made) => {
    folder = made;
  });
  beforeEach(async () => {
    service = await OriginalService.start();
  });
  afterEach(cleanUp);

  /** Sends the folder's package. @returns whether the service received each file of the package compressed */
  async function send(
    url: string,
    carrier: TransportOptions = {},
    planned?: PackagePlan,
  ): Promise<Readonly<Record<string, boolean>>> {
    const credentials = { type: 'authToken', authToken: service.token } as const;
    const calls = new AppCalls(createClient({ url }, { credentials, carrier }));
    const signal = new AbortController().signal;
    const target = { kind: 'create', title: 'Notes' } as const;
    const { app } = await sendPlan(calls, planned ?? (await plan(folder)), target, undefined, signal, () => undefined);
    assert.equal(app.title, 'Notes');
    const [{ bytes } = assert.fail('nothing was sent')] = service.uploads;
    const compressed: Record<string, boolean> = {};
    for await (const entry of (await yauzl.fromBufferPromise(bytes)).eachEntry()) {
      compressed[entry.fileName] = entry.compressionMethod === 8;
    }
    return compressed;
  }

  /** Starts a proxy that leads to the service under another host's name. */
  async function startElsewhere(): Promise<TransportOptions> {
    const certificate = await createCertificate({ hosts: [HOST] });
    const { port } = await serve(async (request, response) => {
      const { method, headers, url = '' } = request;
      const onward = forward(new URL(url, service.url), { method, headers });
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
      await pipeline(request, onward);
    }, certificate);
    const proxy = await startProxy({ hosts: { [`${HOST}:443`]: port } });
    addCleanup(() => proxy.close());
    return {
      authorities: () => Promise.resolve([certificate.cert]),
      proxyFor: () => Promise.resolve({ url: proxy.url }),
    };
  }

  it('isn’t compressed for a service on this computer, but for any other', async () => {
    await addFiles(folder, { 'index.html': 'a'.repeat(10_000), 'long.js': 'b'.repeat(2_000_000), 'c.png': 'c' });
    const here = await send(service.url);
    assert.deepEqual(here, { 'config.xml': false, 'www/index.html': false, 'www/long.js': false, 'www/c.png': false });
    service.uploads.length = 0;
    const there = await send(`https://${HOST}`, await startElsewhere());
    assert.deepEqual(there, { 'config.xml': true, 'www/index.html': true, 'www/long.js': true, 'www/c.png': false });
  });

  it('is compressed for a service on this computer if it’s too large otherwise', async () => {
    await addFiles(folder, { 'index.html': 'a'.repeat(10_000) });
    const large = { ...(await plan(folder)), totalBytes: MAX_STORED_BYTES + 1 };
    assert.equal((await send(service.url, {}, large))['www/index.html'], true);
  });
});
