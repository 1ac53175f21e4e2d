/** Artifacts that are not what the database says: gone, cut off, or left by clients that download them. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { rm, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { findBuild } from '../../../src/localService/store/builds.ts';
import { ask, endOfBuilds, PAGE, upload } from '../../support/builds.ts';
import { startInProcess, type InProcessService } from '../../support/inProcessService.ts';
import type { Row } from '../row.ts';

const PLATFORM = 'android';
const MAX_ANSWER_MS = 2_000;
const SENTENCE = 'The file of the android build is missing on the service. Build the app again.';
/** More than the buffers of a connection hold, and not to be compressed. */
const LARGE = randomBytes(30_000_000);
const ABANDONED_DOWNLOADS = 20;

const DAMAGES: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'artifact is missing': (path) => rm(path),
  'artifact is cut off': (path) => truncate(path, 1),
};

export async function brokenArtifacts(): Promise<readonly Row[]> {
  const service = await startInProcess();
  const rows: Row[] = [];
  for (const [name, damage] of Object.entries(DAMAGES)) {
    const { id, path } = await build(service, PAGE);
    await damage(path);
    const start = performance.now();
    const answer = await fetch(await downloadUrl(service, id));
    const { error } = (await answer.json()) as { error: string };
    const milliseconds = performance.now() - start;
    const report = service.reports.at(-1) ?? '';
    await ask(service, `/apps/${id}/build/${PLATFORM}`, { method: 'POST' });
    await endOfBuilds(service, id);
    const again = await fetch(await downloadUrl(service, id));
    await again.arrayBuffer();
    rows.push({
      ...{ group: 'artifacts', name, expected: '404 with a sentence, and whole after another build' },
      ...{ got: `${answer.status}, then ${again.status}`, sentence: error, milliseconds, within: MAX_ANSWER_MS },
      problems: [
        ...(answer.status === 404 && error === SENTENCE ? [] : [`answered ${answer.status}: ${error}`]),
        ...(again.status === 200 ? [] : ['another build does not help']),
        ...(report.includes(`app ${id}`) && !report.includes(path) ? [] : [`reported: ${report}`]),
      ],
    });
  }
  rows.push(await abandonedDownloads(service));
  await service.stop();
  return rows;
}

/** Clients that go in the middle of a download: no file stays open. */
async function abandonedDownloads(service: InProcessService): Promise<Row> {
  const { id, path } = await build(service, { ...PAGE, 'random.bin': LARGE });
  const url = await downloadUrl(service, id);
  const start = performance.now();
  let opened = 0;
  for (let count = 0; count < ABANDONED_DOWNLOADS; count += 1) {
    const controller = new AbortController();
    const answer = await fetch(url, { signal: controller.signal });
    await answer.body?.getReader().read();
    opened += openCount(path);
    controller.abort();
  }
  while (openCount(path) > 0 && performance.now() - start < MAX_ANSWER_MS) {
    await sleep(5);
  }
  const left = openCount(path);
  return {
    ...{ group: 'artifacts', name: `${ABANDONED_DOWNLOADS} clients go in the middle of a download` },
    ...{ expected: 'no file stays open', got: `opened ${opened} times, ${left} left` },
    ...{ milliseconds: performance.now() - start, within: MAX_ANSWER_MS },
    problems: [
      ...(left === 0 ? [] : ['files stay open']),
      ...(process.platform === 'linux' && opened === 0 ? ['no file was seen open'] : []),
    ],
  };
}

/** How often this process has a file open; 0 where the system does not tell. */
function openCount(path: string): number {
  const folder = '/proc/self/fd';
  if (process.platform !== 'linux') {
    return 0;
  }
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`) === path;
    } catch {
      // Closed meanwhile.
      return false;
    }
  }).length;
}

/** An app that is built, and the path of its artifact. */
async function build(
  service: InProcessService,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<{ readonly id: number; readonly path: string }> {
  const id = await upload(service, files);
  await endOfBuilds(service, id);
  const file = findBuild(service.service.store, id, PLATFORM)?.artifact?.file;
  if (file === undefined) {
    throw new Error('The app was not built.');
  }
  return { id, path: service.service.files.pathOf(file) };
}

/** The signed address of a download. */
async function downloadUrl({ baseUrl, authToken }: InProcessService, id: number): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v1/apps/${id}/${PLATFORM}?auth_token=${encodeURIComponent(authToken)}`, {
    redirect: 'manual',
  });
  await answer.arrayBuffer();
  return answer.headers.get('location') ?? '';
}
