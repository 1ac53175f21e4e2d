/** An app of 200 MB, uploaded to the local service as it is shipped, beside a server that only streams it to the disk. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buffer, json, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { ZipFile } from 'yazl';

import { repositoryRoot } from '../../support/repository.ts';
import { upload } from '../../support/serviceRequests.ts';
import { interleaved, timed } from '../rounds.ts';
import { atMost, ratioAtLeast } from '../row.ts';
import type { Measure } from '../suite.ts';
import { peakMemory, startUploadServer } from '../uploadServer.ts';

const MEGABYTES = 200;
const MIN_RATIO = 0.8;
const MAX_PEAK_MB = 150;
const PIECE_BYTES = 256 * 1024;

export const measure: Measure = async (rounds) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const { headers = {}, body } = upload(await packageOf(MEGABYTES * 1_000_000), 'app.zip');
  const data = path.join(folder, 'data');
  const ours = await startShippedService(data);
  const peer = await startUploadServer(folder);
  /** MB/s. */
  const throughput = async (origin: string, query = ''): Promise<number> => {
    let id = 0;
    const milliseconds = await timed(async () => {
      id = await send(`${origin}/api/v1/apps${query}`, headers, body);
    });
    // So that it is not built while others are measured.
    await (await fetch(`${origin}/api/v1/apps/${id}${query}`, { method: 'DELETE' })).text();
    await untilEmpty(path.join(data, 'work'));
    return (MEGABYTES * 1000) / milliseconds;
  };
  const contenders = {
    ours: () => throughput(ours.url, `?auth_token=${ours.authToken}`),
    peer: () => throughput(peer.url),
  };
  try {
    await interleaved(1, contenders);
    const figures = await interleaved(rounds, contenders);
    const peaks = [await ours.stop(), await peer.stop()] as const;
    return [
      ratioAtLeast(
        `upload, ${MEGABYTES} MB to disk: MB/s, beside a bare node:http server that streams and flushes`,
        figures,
        MIN_RATIO,
      ),
      atMost(
        `upload, ${MEGABYTES} MB to disk: peak memory of the service, MB, beside the same`,
        [peaks[0]],
        MAX_PEAK_MB,
        [peaks[1]],
      ),
    ];
  } finally {
    ours.end();
    await rm(folder, { recursive: true, force: true });
  }
};

/** A zip archive of an app with so many bytes that cannot be compressed. */
async function packageOf(bytes: number): Promise<Buffer> {
  const archive = new ZipFile();
  archive.addBuffer(Buffer.from('<!doctype html><title>x</title>'), 'index.html');
  archive.addBuffer(randomBytes(bytes), 'data.bin', { compress: false });
  archive.end();
  return buffer(archive.outputStream);
}

/** Sends a body piece by piece, as it would come from a file. @returns the `id` of the answer */
async function send(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<number> {
  const sent = request(url, { method: 'POST', headers: { ...headers, 'Content-Length': body.length }, agent: false });
  const answered = once(sent, 'response');
  for (let start = 0; start < body.length; start += PIECE_BYTES) {
    if (!sent.write(body.subarray(start, start + PIECE_BYTES))) {
      await once(sent, 'drain');
    }
  }
  sent.end();
  const [response] = (await answered) as [IncomingMessage];
  if (response.statusCode !== 201) {
    throw new Error(`The answer is ${response.statusCode} ${await text(response)}`);
  }
  return ((await json(response)) as { readonly id: number }).id;
}

async function untilEmpty(folder: string): Promise<void> {
  while ((await readdir(folder)).length > 0) {
    await sleep(20);
  }
}

interface ShippedService {
  readonly url: string;
  readonly authToken: string;
  /** Ends it. @returns its peak memory in MB */
  readonly stop: () => Promise<number>;
  readonly end: () => void;
}

/** The bundle: running TypeScript takes memory of its own. */
async function startShippedService(dataFolder: string): Promise<ShippedService> {
  const sayPeak = `process.on('exit', () => console.log((${peakMemory.toString()})()));`;
  const child = spawn(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(sayPeak)}`],
      path.join(repositoryRoot, 'dist/localService.cjs'),
      ...['--json', '--data', dataFolder, '--builder', 'demo'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines = createInterface(child.stdout);
  const [first] = (await once(lines, 'line')) as [string];
  const { baseUrl, authToken } = JSON.parse(first) as { readonly baseUrl: string; readonly authToken: string };
  return {
    url: baseUrl,
    authToken,
    stop: async () => {
      child.kill();
      const [peak] = (await once(lines, 'line')) as [string];
      return Number(peak);
    },
    end: () => void child.kill(),
  };
}
