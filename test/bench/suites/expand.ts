/** A resource with 1,000 links is expanded and everything it links to is fetched. */
import { Agent, request } from 'undici';
import { benchClient } from '../client.ts';
import { startFixedServer } from '../fixedServer.ts';
import { interleaved, timed } from '../rounds.ts';
import { ratioAtMost } from '../row.ts';
import type { Measure } from '../suite.ts';

const COUNT = 1000;
/** As many as the client opens to one origin, and as many requests as are under way. */
const CONNECTIONS = 10;
/** Expansions that are measured together. One is too short for the garbage that it makes to be collected in its own time. */
const IN_A_ROW = 10;
/** Each answer is parsed by both. Only ours reads links, hides secrets and checks four times where the token goes: a profile shows no other
 * work. Where both processors are busy, its compiler and collector have to wait. */
const MAX_RATIO = 2.2;

export const measure: Measure = async (rounds) => {
  const server = await startFixedServer();
  const client = benchClient(server.url);
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  const json = async (path: string): Promise<unknown> =>
    JSON.parse(await (await request(server.url + path, { dispatcher })).body.text()) as unknown;

  const ours = async (): Promise<void> => {
    const { body } = await client.get(`/list?count=${COUNT}`);
    const targets = body.kind === 'json' ? body.resource.embedded.map(({ resource }) => resource.self?.target) : [];
    const urls = targets.flatMap((target) => (target?.kind === 'internal' ? [target.url] : []));
    await fetchAll(urls, (url) => client.get(url));
  };
  const peer = async (): Promise<void> => {
    const { all } = (await json(`/list?count=${COUNT}`)) as { readonly all: readonly { readonly link: string }[] };
    await fetchAll(all, ({ link }) => json(link));
  };
  // The first ten thousands of calls run code that is compiled meanwhile.
  for (let warm = 0; warm < 40; warm += 1) {
    await ours();
    await peer();
  }
  const measured = await interleaved(2 * rounds, {
    ours: () => timed(() => again(ours)),
    peer: () => timed(() => again(peer)),
  });
  server.stop();
  const name = `expand, 1,000 links and fetch all, ${IN_A_ROW} times`;
  return [
    ratioAtMost(
      { name, unit: 'ms', ours: measured.ours },
      { name: 'undici and JSON.parse', samples: measured.peer },
      MAX_RATIO,
    ),
  ];
};

async function again(work: () => Promise<void>): Promise<void> {
  for (let time = 0; time < IN_A_ROW; time += 1) {
    await work();
  }
}

/** What was fetched is kept until the last of it is there. */
async function fetchAll<Item>(items: readonly Item[], fetch: (item: Item) => Promise<unknown>): Promise<void> {
  const fetched: unknown[] = [];
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) {
      fetched.push(await fetch(item));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  if (fetched.length !== COUNT) {
    throw new Error(`${fetched.length} links were found instead of ${COUNT}.`);
  }
}
