/** Requests of a small resource: what the client costs beside its own transport and beside another client. */
import { Agent as HttpAgent, get } from 'node:http';
import pgbApi from 'pgb-api';
import { Agent, request } from 'undici';
import { benchClient, benchToken } from '../client.ts';
import { startFixedServer } from '../fixedServer.ts';
import { interleaved } from '../rounds.ts';
import { percentile, ratioAtLeast, ratioAtMost, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

interface Load {
  readonly perSecond: number;
  /** Milliseconds of each call. */
  readonly latencies: readonly number[];
}

/** Calls are made this long before anything is measured: code is compiled during the first tens of thousands of them. */
const WARM_UP_MS = 2000;

/** All parse the JSON; only ours also reads links and checks where credentials go. */
export const measure: Measure = async (rounds) => {
  const server = await startFixedServer();
  const rows: Row[] = [];
  for (const [connections, count] of [
    [1, 2000],
    [10, 4000],
  ] as const) {
    const callers = callersOf(server.url, connections);
    for (const call of Object.values(callers)) {
      for (const end = performance.now() + WARM_UP_MS; performance.now() < end;) {
        await load(call, connections, 100);
      }
    }
    const loads = mapValues(callers, (call) => () => load(call, connections, count));
    // Ours and undici differ by less than the noise of a short round, so they get longer rounds, and more of them.
    const { ours, undici } = mapValues(callers, (call) => () => load(call, connections, 5 * count));
    const long = await interleaved(2 * rounds, { ours, undici });
    // The slowest calls are slow because of what else the machine does: the median of many short rounds is little affected. The
    // first calls are left out, because the garbage collection before a round slows them down.
    const short = mapValues({ ours: callers.ours, undici: callers.undici }, (call) => async () => {
      await load(call, connections, 50);
      return load(call, connections, count / 5);
    });
    const slowest = await interleaved(20 * rounds, short);
    const measured = await interleaved(rounds, loads);
    const name = `get, ${connections} connection${connections === 1 ? '' : 's'}`;
    rows.push(
      ratioAtLeast(
        `${name}: requests/s beside undici.request`,
        { ours: long.ours.map(perSecond), peer: long.undici.map(perSecond) },
        0.9,
      ),
    );
    rows.push(
      ratioAtMost(
        `${name}: p99, ms, beside undici.request`,
        { ours: slowest.ours.map(p99), peer: slowest.undici.map(p99) },
        1.3,
      ),
    );
    for (const peer of ['node:http', 'pgb-api'] as const) {
      rows.push(
        ratioAtLeast(
          `${name}: requests/s beside ${peer}`,
          { ours: measured.ours.map(perSecond), peer: measured[peer].map(perSecond) },
          1,
        ),
      );
    }
  }
  server.stop();
  return rows;
};

function perSecond(load: Load): number {
  return load.perSecond;
}

function p99({ latencies }: Load): number {
  return percentile(latencies, 0.99);
}

function callersOf(origin: string, connections: number) {
  const url = `${origin}/api/v1/me`;
  const withToken = `${url}?access_token=${benchToken}`;
  const client = benchClient(origin);
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const agent = new HttpAgent({ keepAlive: true, maxSockets: connections });
  const pgb = pgbApi({ baseUrl: `${origin}/api/v1`, agent }).addAuth(benchToken);
  return {
    ours: () => client.get(url),
    undici: async () => (await request(withToken, { dispatcher })).body.json(),
    'node:http': () => nodeGet(withToken, agent),
    'pgb-api': () => pgb.me(),
  };
}

function nodeGet(url: string, agent: HttpAgent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve(JSON.parse(text)));
    }).on('error', reject);
  });
}

async function load(call: () => Promise<unknown>, connections: number, count: number): Promise<Load> {
  const latencies: number[] = [];
  let left = count;
  const start = performance.now();
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const begin = performance.now();
      await call();
      latencies.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { perSecond: (count * 1000) / (performance.now() - start), latencies };
}

function mapValues<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  map: (value: From) => To,
): Record<Name, To> {
  return Object.fromEntries(Object.entries<From>(record).map(([name, value]) => [name, map(value)])) as Record<
    Name,
    To
  >;
}
