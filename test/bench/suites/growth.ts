/** How cost grows with work: each figure at 10, 100 and 1,000 times beside the one before. Linear is 10 ×. */
import { Agent, request } from 'undici';
import { readResource } from '../../../src/api/hypermedia/readResource.ts';
import { demoBuilder } from '../../../src/localService/builds/demoBuilder.ts';
import { startServer } from '../../../src/localService/server.ts';
import { createService } from '../../../src/localService/service.ts';
import { openDatabase } from '../../../src/localService/store/database.ts';
import { insertDemoData } from '../../../src/localService/store/demoData.ts';
import { addApp } from '../../../src/localService/store/apps.ts';
import { hashSecret } from '../../../src/localService/store/secrets.ts';
import { Store } from '../../../src/localService/store/store.ts';
import { interleaved, timed } from '../rounds.ts';
import { ratioAtMost, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

const scales = [1, 10, 100, 1000] as const;
/** Of the demo user. */
const USER_ID = 1;
const token = (index: number): string => `access-token-${index}`;

/** Ten times the work may take ten times as long, and half as much again for noise and the garbage collector. */
const linear = 15;
const constant = 2;

export const measure: Measure = async (rounds) => {
  const dispatcher = new Agent();
  const ask = async (path: string): Promise<unknown> => (await request(path, { dispatcher })).body.text();
  const services: { readonly close: () => Promise<void> }[] = [];
  /** A service with this many apps, all of the demo user, and as many clients that act for them. */
  const serve = async (apps: number, clients: number): Promise<string> => {
    const store = new Store(openDatabase(undefined, console.error));
    insertDemoData(store, { text: '', hash: '' });
    store.transaction(() => {
      store.run('DELETE FROM apps');
      numbers(apps).forEach((index) => addApp(store, USER_ID, { title: `App ${index}` }));
      numbers(clients).forEach((index) => addClient(store, index));
    });
    const options = { dataFolder: undefined, builder: demoBuilder, report: console.error };
    const service = createService({ store, ...options });
    const server = await startServer(service, { port: 0 });
    services.push(server, service);
    return server.baseUrl;
  };
  const rows: Row[] = [];
  try {
    rows.push(
      ...(await grown('links', linear, rounds, (scale) =>
        read({
          _links: Object.fromEntries(numbers(10 * scale).map((id) => [`rel${id}`, { href: `/api/v1/apps/${id}` }])),
        }),
      )),
    );
    rows.push(
      ...(await grown('siblings', linear, rounds, (scale) =>
        read({ all: numbers(10 * scale).map((id) => ({ id, title: `App ${id}`, link: `/api/v1/apps/${id}` })) }),
      )),
    );
    rows.push(
      ...(await grown('apps', linear, rounds, async (scale) => {
        const url = await serve(scale, 1);
        return () => ask(`${url}/api/v1/apps?access_token=${token(1)}`);
      })),
    );
    rows.push(
      ...(await grown('clients', constant, rounds, async (scale) => {
        const url = await serve(1, scale);
        return () => ask(`${url}/api/v1/me?access_token=${token(scale)}`);
      })),
    );
  } finally {
    await Promise.all(services.map((service) => service.close()));
    await dispatcher.close();
  }
  return rows;
};

/** Repeats what is quick until it can be timed. */
async function grown(
  what: string,
  most: number,
  rounds: number,
  make: (scale: number) => Promise<() => unknown> | (() => unknown),
): Promise<Row[]> {
  const contenders: Record<string, () => Promise<number>> = {};
  for (const scale of scales) {
    const work = await make(scale);
    let once = await timed(work);
    for (let warm = 0; warm < 50 && once > 0; warm += 1) {
      once = Math.min(once, await timed(work));
    }
    const times = Math.max(1, Math.min(1000, Math.ceil(20 / once)));
    contenders[scale] = async () => {
      const milliseconds = await timed(async () => {
        for (let time = 0; time < times; time += 1) {
          await work();
        }
      });
      return milliseconds / times;
    };
  }
  const figures = await interleaved(rounds, contenders);
  return scales
    .slice(1)
    .map((scale, index) =>
      ratioAtMost(
        `growth, ${scale.toLocaleString('en')} × the ${what}: ms, beside ${(scales[index] ?? 1).toLocaleString('en')} ×`,
        { ours: figures[scale] ?? [], peer: figures[scales[index] ?? 1] ?? [] },
        most,
      ),
    );
}

function read(value: unknown): () => unknown {
  return () =>
    readResource({ value, url: 'https://build.example.com/api/v1/apps', headers: {}, mediaType: 'application/json' });
}

/** A client application with the demo user's permission. */
function addClient(store: Store, index: number): void {
  const createdAt = '2026-01-05T09:30:00Z';
  const clientId = `client-${index}`;
  store.insert('clients', {
    ...{ id: clientId, ownerId: USER_ID, name: `Client ${index}`, createdAt },
    ...{ mainUrl: 'https://client.example/', callbackUrl: 'https://client.example/callback' },
    secretHash: hashSecret(`client-secret-${index}`),
  });
  store.insert('accessTokens', { hash: hashSecret(token(index)), userId: USER_ID, clientId, createdAt });
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
