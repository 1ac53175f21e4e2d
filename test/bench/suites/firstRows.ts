/** From the request to what the first rows of the apps show, at the local service, which is a process of its own as it ships. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { AppCalls } from '../../../src/apps/calls/appCalls.ts';
import { isApp, readApp } from '../../../src/apps/model/app.ts';
import { addApp } from '../../../src/localService/store/apps.ts';
import { openStore } from '../../../src/localService/store/dataFolder.ts';
import { startLocalService } from '../../support/localService.ts';
import { authTokenOf, benchClient } from '../client.ts';
import { peakMemoryOf } from '../processes.ts';
import { interleaved, timed } from '../rounds.ts';
import { atMost, figure, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

/** The most first: their first look is the first of all, when nothing is compiled and nothing in a cache. */
const MAX_MS_BY_APPS = [
  [100_000, 300],
  [1_000, 150],
  [10, 50],
] as const;
const MAX_FIRST_MS = 500;
const OWNER_ID = 1;
/** Rows that the tree shows of a list before "Load More…". */
const ROWS = 1_000;
/** 70 when it has started, 17 for the check of a password, and then what V8 has not collected of its answers: no more than with 1,000 apps. */
const MAX_MB = 150;

export const measure: Measure = async (rounds) => {
  const rows: Row[] = [];
  const memory = new Map<number, number>();
  for (const [count, maxMs] of MAX_MS_BY_APPS) {
    const dataFolder = await mkdtemp(path.join(tmpdir(), 'app-build-bench-'));
    await addApps(dataFolder, count);
    const service = await startLocalService({ dataFolder, demo: false, bundled: true });
    try {
      const authToken = await authTokenOf(service);
      const client = benchClient(service.baseUrl, { type: 'authToken', authToken });
      const calls = new AppCalls(client);
      const ours = async (): Promise<void> => {
        const { appsUrl = '' } = await calls.home();
        const { body } = await client.get(appsUrl);
        const items = body.kind === 'json' ? body.resource.embedded.slice(0, ROWS) : [];
        const titles = items.flatMap(({ resource }) => (isApp(resource) ? [readApp(resource, appsUrl).title] : []));
        if (titles.length !== Math.min(count, ROWS)) {
          throw new Error(`There are ${titles.length} rows.`);
        }
      };
      const peer = async (): Promise<void> => {
        for (const resource of ['me', 'apps']) {
          const { body } = await request(`${service.baseUrl}/api/v1/${resource}?auth_token=${authToken}`);
          await body.json();
        }
      };
      const first = await timed(ours, service.pid);
      await interleaved(3, { ours, peer });
      const measured = await interleaved(rounds, {
        ours: () => timed(ours, service.pid),
        peer: () => timed(peer, service.pid),
      });
      const name = `firstRows, of ${count.toLocaleString('en')} apps`;
      const peak = peakMemoryOf(service.pid);
      if (peak !== undefined) {
        memory.set(count, peak);
      }
      if (rows.length === 0) {
        rows.push(atMost({ name: `${name}, the first time`, unit: 'ms', ours: [first] }, MAX_FIRST_MS));
      }
      const parsed = { name: 'undici and JSON.parse', samples: measured.peer };
      rows.push(atMost({ name, unit: 'ms', ours: measured.ours }, maxMs, parsed));
    } finally {
      await service.stop();
      await rm(dataFolder, { recursive: true });
    }
  }
  const [many, few] = [100_000, 1_000].map((count) => figure(memory.get(count) ?? NaN));
  if (memory.size > 0 && many !== undefined && few !== undefined) {
    rows.push(
      atMost({ name: 'firstRows, of 100,000 apps: memory of the service', unit: 'MB', ours: [many] }, MAX_MB, {
        name: 'of 1,000 apps',
        samples: [few],
      }),
    );
  }
  return rows;
};

async function addApps(dataFolder: string, count: number): Promise<void> {
  const store = await openStore(dataFolder, console.error, { demo: false });
  store.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      addApp(store, OWNER_ID, { title: `App ${index}` });
    }
  });
  store.close();
}
