/** Starts the local service, as a window does for the first request, until it answers. The peer is a bare server of node:http. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { LocalServiceProcess } from '../../../src/extension/service-host/localServiceProcess.ts';
import { repositoryRoot } from '../../support/repository.ts';
import { bundleProgram } from '../bundleProgram.ts';
import { benchClient } from '../client.ts';
import { interleaved, type Row } from '../rounds.ts';

const ANSWER_BYTES = '1000';
/** The service also loads its code, opens its database, and creates a token. */
const MAX_RATIO = 6;

export async function measure(rounds: number): Promise<readonly Row[]> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const script = path.join(repositoryRoot, 'dist', 'localService.cjs');
  const dataFolder = path.join(directory, 'data');
  const server = await bundleProgram('fixedServer', directory);
  let stop: () => Promise<unknown> = () => Promise.resolve();
  const contenders = {
    ours: async (): Promise<void> => {
      const service = await LocalServiceProcess.start({ script, dataFolder, demo: false, report: console.error });
      stop = () => service.stop();
      const accessToken = await service.accessToken();
      await benchClient(service.url.origin, { type: 'accessToken', accessToken }).home();
    },
    peer: async (): Promise<void> => {
      const child = fork(server, [ANSWER_BYTES]);
      stop = () => {
        child.disconnect();
        return once(child, 'exit');
      };
      const [port] = (await once(child, 'message')) as [number];
      await (await request(`http://127.0.0.1:${port}/`)).body.text();
    },
  };
  const stopLast = (): Promise<unknown> => stop();
  try {
    // Creates the data folder.
    await interleaved(1, contenders, stopLast);
    const { ours, peer } = await interleaved(rounds, contenders, stopLast);
    return [
      {
        what: 'Starting the local service, until its first response',
        ours,
        peer: { name: 'a bare node:http server', times: peer },
        max: MAX_RATIO,
      },
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
