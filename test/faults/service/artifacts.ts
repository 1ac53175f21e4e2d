import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';

import { findBuild } from '../../../src/localService/store/builds.ts';
import { endOfBuilds, PAGE, upload } from '../../support/builds.ts';
import { startInProcess } from '../../support/inProcessService.ts';
import { call } from '../../support/serviceRequests.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import type { Row } from '../row.ts';
import { measured } from './measured.ts';

const PLATFORM = 'android';
/** More than the buffers of a connection hold, and not to be compressed. */
const LARGE_BYTES = 30_000_000;
const CLIENTS = 20;

/** Clients that go in the middle of a download: no file stays open. */
export function abandonedDownloads(): Promise<Row> {
  const name = `${CLIENTS} clients go in the middle of a download`;
  return measured({ group: 'artifacts', name, expected: 'no file stays open' }, async () => {
    const service = await startInProcess();
    const id = await upload(service, { ...PAGE, 'random.bin': randomBytes(LARGE_BYTES) });
    await endOfBuilds(service, id);
    const path = service.service.files.pathOf(findBuild(service.service.store, id, PLATFORM)?.artifact?.file ?? '');
    const redirect = await call(service, `/api/v1/apps/${id}/${PLATFORM}?auth_token=${service.authToken}`);
    const downloads = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const controller = new AbortController();
        const answer = await fetch(redirect.headers.location ?? '', { signal: controller.signal });
        await answer.body?.getReader().read();
        return controller;
      }),
    );
    const opened = openCount(path);
    downloads.forEach((controller) => controller.abort());
    await waitUntil(() => openCount(path) === 0);
    await service.stop();
    const isCounted = process.platform !== 'linux' || opened === CLIENTS;
    return {
      got: `opened ${opened} times, none left`,
      problems: [...(isCounted ? [] : [`it was open ${opened} times`]), ...service.reports],
    };
  });
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
