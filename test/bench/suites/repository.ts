/** From a Git repository to an Android app: cloned, packed, and built by the bundled local service. The peer is `git clone` itself. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppCalls } from '../../../src/extension/apps/calls/appCalls.ts';
import type { App } from '../../../src/extension/apps/model/app.ts';
import { startGitServer } from '../../support/gitServer.ts';
import { startLocalService } from '../../support/localService.ts';
import { untilBuilt } from '../builds.ts';
import { createClient } from '../client.ts';
import { fillFolder } from '../folders.ts';
import { interleaved, type Row } from '../rounds.ts';

const FILES = 400;
/** The service also lists the files, checks them, packs them, unpacks them, and builds and signs the app. */
const MAX_RATIO = 12;
const run = promisify(execFile);

export async function measure(rounds: number): Promise<readonly Row[]> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const server = await startGitServer();
  const dataFolder = path.join(directory, 'data');
  const service = await startLocalService({ dataFolder, demo: false, bundled: true, args: ['--builder', 'builtin'] });
  const calls = new AppCalls(await createClient(service));
  const files = path.join(directory, 'files');
  const clone = path.join(directory, 'clone');
  let made: App | undefined;
  const contenders = {
    ours: async (): Promise<void> => {
      made = await calls.createFromRepository(server.url, undefined, { title: 'Bench' });
      await untilBuilt(calls, made);
      const { builds } = await calls.get(made.url);
      if (builds.find(({ platform }) => platform === 'android')?.downloadUrl === undefined) {
        throw new Error('No app was built.');
      }
    },
    peer: () => run('git', ['clone', '--quiet', '--depth', '1', server.url, clone]),
  };
  const cleanUp = async (): Promise<void> => {
    await (made && calls.delete(made));
    made = undefined;
    await rm(clone, { recursive: true, force: true });
  };
  try {
    await fillFolder(files, { files: FILES, bytes: 25_000, pictures: 'half' });
    await server.git('--work-tree', files, 'add', '--all');
    await server.git('commit', '--quiet', '--message', 'files');
    // Creates the test key, which happens once per data folder.
    await interleaved(1, contenders, cleanUp);
    const { ours, peer } = await interleaved(rounds, contenders, cleanUp);
    return [
      {
        what: `A Git repository of ${FILES} files becomes an app`,
        ours,
        peer: { name: 'git clone', times: peer },
        max: MAX_RATIO,
      },
    ];
  } finally {
    await service.stop();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
