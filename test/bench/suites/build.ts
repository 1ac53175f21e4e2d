/** From a folder to a signed Android app on the disk: packed, uploaded, built by the local service as it ships, watched, downloaded. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AppCalls } from '../../../src/apps/calls/appCalls.ts';
import type { App } from '../../../src/apps/model/app.ts';
import { readProgress } from '../../../src/builds/watching/buildProgress.ts';
import { nextPollAt } from '../../../src/builds/watching/watch.ts';
import { writePackage } from '../../../src/projects/packing/packageFile.ts';
import { writeToDisk } from '../../../src/resources/downloads/diskFile.ts';
import { startLocalService } from '../../support/localService.ts';
import { plan } from '../../support/packing.ts';
import { clientOf } from '../client.ts';
import { fillFolder } from '../folders.ts';
import { peakMemoryOf } from '../processes.ts';
import { interleaved, timed } from '../rounds.ts';
import { atMost, figure, ratioAtMost, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

/** A build is asked about a second after it has begun. */
const MAX_SMALL_MS = 3_000;
/** To be told of the end of a build that takes less than five seconds. */
const MAX_TOLD_MS = 1_500;
/** Searched for secrets, packed, sent, unpacked, packed again, signed, and fetched: `zip` packs. */
const MAX_LARGE_RATIO = 18;
const MAX_SERVICE_MB = 350;
const run = promisify(execFile);

export const measure: Measure = async (rounds) => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const dataFolder = path.join(directory, 'data');
  const service = await startLocalService({ dataFolder, demo: false, bundled: true, args: ['--builder', 'builtin'] });
  const client = await clientOf(service);
  const calls = new AppCalls(client);
  const upload = async (folder: string): Promise<App> => {
    const made = await writePackage(await plan(folder));
    try {
      return await calls.createFromFile(made.file, { title: 'Bench' });
    } finally {
      await made.dispose();
    }
  };
  /** Asks as often as a window does. */
  const untilTold = async (app: App): Promise<void> => {
    const startedAt = Date.now();
    for (let askedAt = startedAt, isEnded = false; !isEnded;) {
      const history = { startedAt, askedAt, failures: 0, notBefore: 0 };
      await setTimeout(nextPollAt(history, { isActive: true, atOnce: false }) - Date.now());
      askedAt = Date.now();
      ({ isEnded } = await readProgress(
        calls,
        { url: app.url, platforms: ['android'], known: app },
        new AbortController().signal,
      ));
    }
  };
  const save = async (url: string): Promise<void> => {
    const app = await calls.get(url);
    const { downloadUrl = '' } = app.builds.find(({ platform }) => platform === 'android') ?? {};
    const { body } = await client.download(downloadUrl);
    const saved = path.join(directory, 'app.apk');
    await writeToDisk(body, saved, { mayReplace: true, confirmReplace: () => Promise.resolve(true) });
    if ((await stat(saved)).size < 10_000) {
      throw new Error('No app was built.');
    }
    await calls.delete(app);
  };
  const ours = async (folder: string): Promise<void> => {
    const app = await upload(folder);
    await untilTold(app);
    await save(app.url);
  };
  try {
    const small = path.join(directory, 'small');
    await fillFolder(small, { files: 20, bytes: 50_000, pictures: 'half' });
    const large = path.join(directory, 'large');
    await fillFolder(large, { files: 2_000, bytes: 50_000, pictures: 'half' });
    // The test key is made once for each data folder.
    await ours(small);
    const { whole, told } = await interleaved(rounds, {
      whole: () => timed(() => ours(small), service.pid),
      told: async () => {
        const app = await upload(small);
        const isTold = untilTold(app);
        // Asked without a pause, for the time at which it ends.
        while (!(await calls.status(app)).completed) {
          await new Promise(setImmediate);
        }
        const sample = await timed(() => isTold);
        await save(app.url);
        return sample;
      },
    });
    const rows: Row[] = [
      atMost({ name: 'build, a folder of 1 MB becomes an app on the disk', unit: 'ms', ours: whole }, MAX_SMALL_MS),
      atMost({ name: 'build, its end is told after', unit: 'ms', ours: told }, MAX_TOLD_MS),
    ];
    if (await hasZip()) {
      const zip = async (): Promise<void> => {
        const work = path.join(directory, 'zip');
        await mkdir(work);
        // Pictures are stored as they are, as ours does.
        await run('zip', ['-r', '-q', '-X', '-n', '.jpg', path.join(work, 'app.zip'), '.'], { cwd: large });
        await rm(work, { recursive: true });
      };
      await zip();
      const measured = await interleaved(rounds, {
        ours: () => timed(() => ours(large), service.pid),
        peer: () => timed(zip),
      });
      rows.push(
        ratioAtMost(
          { name: 'build, a folder of 100 MB in 2,000 files becomes an app', unit: 'ms', ours: measured.ours },
          { name: 'zip -r', samples: measured.peer },
          MAX_LARGE_RATIO,
        ),
      );
    } else {
      console.error('There is no zip on this machine: its row is left out.');
    }
    const memory = peakMemoryOf(service.pid);
    if (memory !== undefined) {
      rows.push(atMost({ name: 'build, memory of the service', unit: 'MB', ours: [figure(memory)] }, MAX_SERVICE_MB));
    }
    return rows;
  } finally {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
};

function hasZip(): Promise<boolean> {
  return run('zip', ['-v']).then(
    () => true,
    () => false,
  );
}
