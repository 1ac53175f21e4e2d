/** 200 MB from a file of this machine, sent by the extension's client and by curl to the same server, which streams it to its disk. */
import { execFile, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { encodeMultipart } from '../../../src/resources/requests/multipart.ts';
import { benchClient } from '../client.ts';
import { interleaved, timed } from '../rounds.ts';
import { ratioAtLeast } from '../row.ts';
import type { Measure } from '../suite.ts';

const MEGABYTES = 200;
const MIN_RATIO = 0.8;
const run = promisify(execFile);

export const measure: Measure = async (rounds) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const file = path.join(folder, 'app.zip');
  await writeFile(file, randomBytes(MEGABYTES * 1_000_000));
  const server = fork(path.join(import.meta.dirname, '..', 'uploadServer.ts'), [folder], { execArgv: [] });
  const [{ url }] = (await once(server, 'message')) as [{ readonly url: string }];
  const client = benchClient(url);
  /** MB/s */
  const throughput = (send: () => Promise<unknown>) => async (): Promise<number> => {
    const milliseconds = await timed(send);
    await (await fetch(url, { method: 'DELETE' })).text();
    return (MEGABYTES * 1000) / milliseconds;
  };
  try {
    const version = await run('curl', ['--version']).catch(() => undefined);
    if (version === undefined) {
      console.error('There is no curl on this machine: its row is left out.');
      return [];
    }
    const contenders = {
      ours: throughput(() => {
        const upload = { name: 'app.zip', size: MEGABYTES * 1_000_000, bytes: () => createReadStream(file) };
        const { headers, body } = encodeMultipart([{ name: 'file', file: upload }]);
        return client.send({ method: 'POST', url, headers, body });
      }),
      peer: throughput(() =>
        run('curl', ['--silent', '--show-error', '--fail', '--noproxy', '*', '--form', `file=@${file}`, url]),
      ),
    };
    await interleaved(1, contenders);
    const figures = await interleaved(rounds, contenders);
    return [ratioAtLeast(`sending, a file of ${MEGABYTES} MB: MB/s, beside curl`, figures, MIN_RATIO)];
  } finally {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  }
};
