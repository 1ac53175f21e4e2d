/** From a folder to a signed Android app on disk: packed, uploaded, built by the bundled local service, watched, and downloaded. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppCalls } from '../../../src/extension/apps/calls/appCalls.ts';
import type { App } from '../../../src/extension/apps/model/app.ts';
import { writePackage } from '../../../src/web-project/packing/packageFile.ts';
import { writeToDisk } from '../../../src/extension/resources/downloads/diskFile.ts';
import { startLocalService } from '../../support/localService.ts';
import { plan } from '../../support/packing.ts';
import { untilBuilt } from '../builds.ts';
import { createClient } from '../client.ts';
import { fillFolder } from '../folders.ts';
import { interleaved, type Row } from '../rounds.ts';

/** Packing, sending, building, asking about the build, and downloading, on a busy computer. */
const MAX_SMALL_MS = 1_000;
/** The extension searches for secrets, packs, sends, unpacks, packs again, signs, and downloads. `zip` only packs. */
const MAX_LARGE_RATIO = 12;
const run = promisify(execFile);

export async function measure(rounds: number): Promise<readonly Row[]> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const dataFolder = path.join(directory, 'data');
  const service = await startLocalService({ dataFolder, demo: false, bundled: true, args: ['--builder', 'builtin'] });
  const client = await createClient(service);
  const calls = new AppCalls(client);
  const upload = async (folder: string): Promise<App> => {
    // As the extension packs for a service on the same computer.
    const made = await writePackage(await plan(folder), { compress: false });
    try {
      return await calls.createFromFile(made.file, { title: 'Bench' });
    } finally {
      await made.dispose();
    }
  };
  const save = async (url: string): Promise<void> => {
    const app = await calls.get(url);
    const { downloadUrl = '' } = app.builds.find(({ platform }) => platform === 'android') ?? {};
    const { body } = await client.download(downloadUrl);
    const saved = path.join(directory, 'app.apk');
    await writeToDisk(body, saved, () => Promise.resolve(true));
    if ((await stat(saved)).size < 10_000) {
      throw new Error('No app was built.');
    }
    await calls.delete(app);
  };
  const ours = async (folder: string): Promise<void> => {
    const app = await upload(folder);
    await untilBuilt(calls, app);
    await save(app.url);
  };
  try {
    const small = path.join(directory, 'small');
    await fillFolder(small, { files: 20, bytes: 50_000, pictures: 'half' });
    const large = path.join(directory, 'large');
    await fillFolder(large, { files: 2_000, bytes: 50_000, pictures: 'half' });
    // Creates the test key, which happens once per data folder.
    await ours(small);
    const smallFolder = await interleaved(rounds, { ours: () => ours(small) });
    const rows: Row[] = [
      { what: 'A folder of 1 MB becomes an app on the disk', ours: smallFolder.ours, max: MAX_SMALL_MS },
    ];
    if (await hasZip()) {
      const zip = async (): Promise<void> => {
        const work = path.join(directory, 'zip');
        await mkdir(work);
        // Stores pictures without compression, as the extension does.
        await run('zip', ['-r', '-q', '-X', '-n', '.jpg', path.join(work, 'app.zip'), '.'], { cwd: large });
        await rm(work, { recursive: true });
      };
      await zip();
      const measured = await interleaved(rounds, { ours: () => ours(large), peer: zip });
      rows.push({
        what: 'A folder of 100 MB in 2,000 files becomes an app',
        ours: measured.ours,
        peer: { name: 'zip -r', times: measured.peer },
        max: MAX_LARGE_RATIO,
      });
    } else {
      console.error('zip isn’t installed on this computer, so its row is left out.');
    }
    return rows;
  } finally {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

function hasZip(): Promise<boolean> {
  return run('zip', ['-v']).then(
    () => true,
    () => false,
  );
}
