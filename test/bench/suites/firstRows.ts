/** Time from the request to the first rows of 1,000 apps. The bundled local service runs in its own process. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { AppCalls } from '../../../src/extension/apps/calls/appCalls.ts';
import { isApp, readApp } from '../../../src/extension/apps/model/app.ts';
import { addApp } from '../../../src/build-service/store/apps.ts';
import { openStore } from '../../../src/build-service/store/dataFolder.ts';
import { startLocalService } from '../../support/localService.ts';
import { fetchAuthToken, benchClient } from '../client.ts';
import { interleaved, type Row } from '../rounds.ts';

const APPS = 1_000;
const OWNER_ID = 1;
const MAX_RATIO = 3;

export async function measure(rounds: number): Promise<readonly Row[]> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'app-build-bench-'));
  await addApps(dataFolder);
  const service = await startLocalService({ dataFolder, demo: false, bundled: true });
  try {
    const authToken = await fetchAuthToken(service);
    const client = benchClient(service.baseUrl, { type: 'authToken', authToken });
    const calls = new AppCalls(client);
    const contenders = {
      ours: async (): Promise<void> => {
        const { appsUrl = '' } = await calls.home();
        const { body } = await client.get(appsUrl);
        const items = body.kind === 'json' ? body.resource.embedded : [];
        const titles = items.flatMap(({ resource }) => (isApp(resource) ? [readApp(resource, appsUrl).title] : []));
        if (titles.length !== APPS) {
          throw new Error(`The tree has ${titles.length} rows.`);
        }
      },
      peer: async (): Promise<void> => {
        for (const resource of ['me', 'apps']) {
          const { body } = await request(`${service.baseUrl}/api/v1/${resource}?auth_token=${authToken}`);
          await body.json();
        }
      },
    };
    await interleaved(3, contenders);
    const { ours, peer } = await interleaved(rounds, contenders);
    return [
      {
        what: `First rows of ${APPS.toLocaleString('en')} apps`,
        ours,
        peer: { name: 'undici and JSON.parse', times: peer },
        max: MAX_RATIO,
      },
    ];
  } finally {
    await service.stop();
    await rm(dataFolder, { recursive: true });
  }
}

async function addApps(dataFolder: string): Promise<void> {
  const store = await openStore(dataFolder, console.error, { demo: false });
  store.transaction(() => {
    for (let index = 0; index < APPS; index += 1) {
      addApp(store, OWNER_ID, { title: `App ${index}` });
    }
  });
  store.close();
}
