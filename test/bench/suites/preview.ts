/**
 * From a saved page to the reloaded preview: the project's pages are read again, and the open page gets an event and loads the saved page.
 * VS Code's report of the saved file and the pause after it aren't measured. The peer copies the folder.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { LivePages } from '../../../src/extension/devices/livePages.ts';
import { PreviewSite } from '../../../src/extension/devices/network/networkSites.ts';
import { EVENTS_PATH, frameDocument } from '../../../src/extension/devices/network/phonePages.ts';
import { CORDOVA_SCRIPT, listenForTest } from '../../support/networkSites.ts';
import { fileUri, plan } from '../../support/packing.ts';
import { fillFolder } from '../folders.ts';
import { interleaved, type Row } from '../rounds.ts';

const FILES = 500;
/** The preview also searches the files for secrets. It copies only the changed ones. */
const MAX_RATIO = 2;

export async function measure(rounds: number): Promise<readonly Row[]> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-bench-'));
  const folder = path.join(directory, 'project');
  const copy = path.join(directory, 'copy');
  await fillFolder(folder, { files: FILES, bytes: 20_000, pictures: 'half' });
  const live = new LivePages((signal) => plan(folder, '', signal));
  const site = new PreviewSite(frameDocument('Bench', undefined), await live.read(), { cordovaScript: CORDOVA_SCRIPT });
  const listener = await listenForTest({ site });
  live.follow(fileUri(folder), { show: (files) => site.show(files), failed: (error) => error && console.error(error) });
  const { headers } = await request(listener.url);
  const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
  const events = (await request(listener.url + EVENTS_PATH)).body.iterator();
  await events.next();
  let saved = 0;
  const contenders = {
    ours: async (): Promise<void> => {
      const page = `<!doctype html><title>Saved ${(saved += 1)}</title>`;
      await writeFile(path.join(folder, 'www', 'index.html'), page);
      void live.refresh();
      await events.next();
      const shown = await request(new URL('/', listener.url), { headers: { cookie } });
      if ((await shown.body.text()) !== page) {
        throw new Error('The preview doesn’t show the saved page.');
      }
    },
    peer: () => cp(folder, copy, { recursive: true }),
  };
  const removeCopy = (): Promise<void> => rm(copy, { recursive: true, force: true });
  try {
    await interleaved(1, contenders, removeCopy);
    const { ours, peer } = await interleaved(rounds, contenders, removeCopy);
    return [
      {
        what: `A saved page in the preview of ${FILES} files`,
        ours,
        peer: { name: 'copying them', times: peer },
        max: MAX_RATIO,
      },
    ];
  } finally {
    live.dispose();
    await listener.close();
    await site.dispose();
    await rm(directory, { recursive: true, force: true });
  }
}
