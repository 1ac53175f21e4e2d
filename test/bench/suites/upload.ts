/** A package of 200 MB: sent by the extension's client beside curl, and received by the local service beside a server that only streams. */
import { execFile, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { ZipFile } from 'yazl';
import { AppCalls } from '../../../src/apps/calls/appCalls.ts';
import type { App } from '../../../src/apps/model/app.ts';
import { encodeMultipart, type UploadFile } from '../../../src/resources/requests/multipart.ts';
import { startLocalService } from '../../support/localService.ts';
import { benchClient, clientOf } from '../client.ts';
import { peakMemoryOf } from '../processes.ts';
import { interleaved, timed, type Sample } from '../rounds.ts';
import { atMost, figure, ratioAtMost, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

const MEGABYTES = 200;
/** curl sends from a buffer that it uses again; Node makes a new one for each piece. */
const MAX_SENDING_RATIO = 2.5;
/**
 * A profile shows three things that the streaming server does not do: the search for the end of each part of the form, a sixth of the time;
 * pieces of 64 KiB, which keep the memory low and cost twice as many writes; and the garbage of both.
 */
const MAX_RECEIVING_RATIO = 3;
const MAX_PEAK_MB = 180;
const run = promisify(execFile);

export const measure: Measure = async (rounds) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const file = path.join(folder, 'app.zip');
  await writePackage(file);
  const { size } = await stat(file);
  const upload: UploadFile = { name: 'app.zip', size, bytes: () => createReadStream(file) };
  const received = path.join(folder, 'received');
  await mkdir(received);
  const server = fork(path.join(import.meta.dirname, '..', 'uploadServer.ts'), [received], { execArgv: [] });
  const [{ url }] = (await once(server, 'message')) as [{ readonly url: string }];
  const service = await startLocalService({
    dataFolder: path.join(folder, 'data'),
    demo: false,
    builder: 'demo',
  });
  const calls = new AppCalls(await clientOf(service));
  const client = benchClient(url);
  const remove = async (): Promise<unknown> => (await fetch(url, { method: 'DELETE' })).text();
  const stream = async (): Promise<unknown> => {
    const { headers, body } = encodeMultipart([{ name: 'file', file: upload }]);
    return client.send({ method: 'POST', url, headers, body });
  };
  const contenders: Record<string, () => Promise<Sample>> = {
    service: async () => {
      let made: App | undefined;
      const sample = await timed(async () => {
        made = await calls.createFromFile(upload, {});
      }, service.pid);
      await (made && calls.delete(made));
      return sample;
    },
    streaming: async () => {
      const sample = await timed(stream, server.pid ?? 0);
      await remove();
      return sample;
    },
    ...((await hasCurl()) && {
      curl: async () => {
        const sent = ['--form', `file=@${file}`, url];
        const sample = await timed(
          () => run('curl', ['--silent', '--show-error', '--fail', '--noproxy', '*', ...sent]),
          server.pid ?? 0,
        );
        await remove();
        return sample;
      },
    }),
  };
  try {
    await interleaved(1, contenders);
    const measured = await interleaved(rounds, contenders);
    const { service: ours = [], streaming = [], curl } = measured;
    const rows: Row[] = [
      ratioAtMost(
        { name: `upload, ${MEGABYTES} MB to the local service`, unit: 'ms', ours },
        { name: 'a server that streams to the disk', samples: streaming },
        MAX_RECEIVING_RATIO,
      ),
    ];
    if (curl !== undefined) {
      rows.push(
        ratioAtMost(
          { name: `upload, ${MEGABYTES} MB are sent`, unit: 'ms', ours: streaming },
          { name: 'curl', samples: curl },
          MAX_SENDING_RATIO,
        ),
      );
    }
    const memory = peakMemoryOf(service.pid);
    if (memory !== undefined) {
      rows.push(
        atMost({ name: 'upload, memory of the local service', unit: 'MB', ours: [figure(memory)] }, MAX_PEAK_MB),
      );
    }
    return rows;
  } finally {
    server.kill();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

/** A package of an app with bytes that cannot be compressed. */
async function writePackage(file: string): Promise<void> {
  const archive = new ZipFile();
  archive.addBuffer(Buffer.from('<!doctype html><title>x</title>'), 'index.html');
  archive.addBuffer(randomBytes(MEGABYTES * 1_000_000), 'data.bin', { compress: false });
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(file));
}

async function hasCurl(): Promise<boolean> {
  const found = await run('curl', ['--version']).catch(() => undefined);
  if (found === undefined) {
    console.error('There is no curl on this machine: its row is left out.');
  }
  return found !== undefined;
}
