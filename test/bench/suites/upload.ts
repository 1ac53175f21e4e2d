/** An app of 200 MB, uploaded to the local service, beside a server that only streams it to the disk. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { buffer, json, text } from 'node:stream/consumers';

import { ZipFile } from 'yazl';

import { upload } from '../../support/serviceRequests.ts';
import { bundleProgram } from '../bundleProgram.ts';
import { interleaved, timed } from '../rounds.ts';
import { atMost, ratioAtLeast } from '../row.ts';
import type { Measure } from '../suite.ts';

const MEGABYTES = 200;
const MIN_RATIO = 0.8;
const MAX_PEAK_MB = 150;
const PIECE_BYTES = 256 * 1024;

export const measure: Measure = async (rounds) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const { headers = {}, body } = upload(await packageOf(MEGABYTES * 1_000_000), 'app.zip');
  const ours = await start('uploadService', folder);
  const peer = await start('uploadServer', folder);
  /** MB/s */
  const throughput =
    ({ url, query }: Contender) =>
    async (): Promise<number> => {
      let id = 0;
      const milliseconds = await timed(async () => {
        id = await send(url + query, headers, body);
      });
      await (await fetch(`${url}/${id}${query}`, { method: 'DELETE' })).text();
      return (MEGABYTES * 1000) / milliseconds;
    };
  try {
    const contenders = { ours: throughput(ours), peer: throughput(peer) };
    await interleaved(1, contenders);
    const figures = await interleaved(rounds, contenders);
    const name = `upload, ${MEGABYTES} MB to disk`;
    return [
      ratioAtLeast(`${name}: MB/s, beside a bare node:http server that streams and flushes`, figures, MIN_RATIO),
      atMost(`${name}: peak memory of the service, MB, beside the same`, [await ours.peakMemory()], MAX_PEAK_MB, [
        await peer.peakMemory(),
      ]),
    ];
  } finally {
    ours.stop();
    peer.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

interface Contender {
  /** Where apps are created. */
  readonly url: string;
  /** What credentials need. */
  readonly query: string;
  /** MB */
  readonly peakMemory: () => Promise<number>;
  readonly stop: () => void;
}

/** Starts one of the programs beside this folder, bundled: running TypeScript takes memory of its own. */
async function start(name: 'uploadService' | 'uploadServer', folder: string): Promise<Contender> {
  const program = await bundleProgram(name, folder);
  const data = path.join(folder, `${name}-data`);
  await mkdir(data);
  const child = fork(program, [data], { execArgv: [] });
  const [told] = (await once(child, 'message')) as [{ readonly url: string; readonly query: string }];
  return {
    ...told,
    peakMemory: async () => {
      child.send('peak memory');
      const [megabytes] = (await once(child, 'message')) as [number];
      return megabytes;
    },
    stop: () => void child.kill(),
  };
}

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
