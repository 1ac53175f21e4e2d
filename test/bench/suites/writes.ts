/** What a write costs the local service with many apps in its database, on disk. Each figure is beside that with fewer apps. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent, FormData, request } from 'undici';
import { demoBuilder } from '../../../src/localService/builds/demoBuilder.ts';
import { startServer } from '../../../src/localService/server.ts';
import { createService } from '../../../src/localService/service.ts';
import { addApp } from '../../../src/localService/store/apps.ts';
import { openDatabase } from '../../../src/localService/store/database.ts';
import { prepareFolder } from '../../../src/localService/store/dataFolder.ts';
import { insertDemoData } from '../../../src/localService/store/demoData.ts';
import { ensureOwnerCredentials, getOwnerCredentials } from '../../../src/localService/store/owner.ts';
import { Store } from '../../../src/localService/store/store.ts';
import { interleaved, timed } from '../rounds.ts';
import { ratioAtMost, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

const APPS = [10, 1_000, 100_000] as const;
const MAX_RATIO = 2;
/** Writes that are timed together. */
const REPETITIONS = 20;

/** The writes, for an app that there is. */
const WRITES = {
  'an app is created from a page': (api) => {
    const body = new FormData();
    body.append('data', JSON.stringify({ title: 'Page', create_method: 'file' }));
    body.append('file', new Blob(['<!doctype html><title>Page</title>']), 'index.html');
    return api('POST', '/apps', body);
  },
  'a title is changed': (api) =>
    api('PUT', '/apps/1001', new URLSearchParams({ data: '{"title":"Other"}' }).toString()),
  'a build is asked for': (api) => api('POST', '/apps/1001/build', ''),
} satisfies Record<string, (api: Api) => Promise<void>>;

type Api = (method: 'POST' | 'PUT', path: string, body: string | FormData) => Promise<void>;

export const measure: Measure = async (rounds) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'app-build-writes-'));
  const dispatcher = new Agent();
  const services = await Promise.all(APPS.map((count) => serve(path.join(folder, String(count)), count)));
  const rows: Row[] = [];
  try {
    for (const [name, write] of Object.entries(WRITES)) {
      const contenders = services.map(({ url, token, count }) => {
        const api: Api = async (method, target, body) => {
          const { statusCode, body: answer } = await request(`${url}/api/v1${target}?auth_token=${token}`, {
            dispatcher,
            method,
            body,
            ...(typeof body === 'string' && { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
          });
          await answer.dump();
          if (statusCode >= 300) {
            throw new Error(`${method} ${target} was answered with ${statusCode}.`);
          }
        };
        return [String(count), () => repeated(() => write(api))] as const;
      });
      await interleaved(1, Object.fromEntries(contenders));
      const figures = await interleaved(rounds, Object.fromEntries(contenders));
      rows.push(
        ...APPS.slice(1).map((count, index) => {
          const fewer = APPS[index] ?? 0;
          return ratioAtMost(
            `writes, ${name}, ${count.toLocaleString('en')} apps: ms, beside ${fewer.toLocaleString('en')} apps`,
            { ours: figures[count] ?? [], peer: figures[fewer] ?? [] },
            MAX_RATIO,
          );
        }),
      );
    }
  } finally {
    await Promise.all(services.map(({ close }) => close()));
    await dispatcher.close();
    await rm(folder, { recursive: true });
  }
  return rows;
};

async function repeated(write: () => Promise<void>): Promise<number> {
  const milliseconds = await timed(async () => {
    for (let count = 0; count < REPETITIONS; count += 1) {
      await write();
    }
  });
  return milliseconds / REPETITIONS;
}

/** A service whose builds do not start, so that they take no time from the writes. */
async function serve(dataFolder: string, count: number) {
  prepareFolder(dataFolder);
  const store = new Store(openDatabase(dataFolder, console.error));
  insertDemoData(store, { text: '', hash: '' });
  store.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      addApp(store, 1, { title: `App ${index}` });
    }
  });
  ensureOwnerCredentials(store, undefined);
  const service = createService({ store, dataFolder, builder: demoBuilder, report: console.error });
  const server = await startServer(service, { port: 0 });
  const close = async (): Promise<void> => {
    await server.close();
    await service.close();
  };
  return { count, url: server.baseUrl, token: getOwnerCredentials(store).authToken, close };
}
