/** A resource with 1,000 links is expanded and everything it links to is fetched. */
import { Agent, request } from 'undici';
import { benchClient } from '../client.ts';
import { startFixedServer } from '../fixedServer.ts';
import { interleaved, timed } from '../rounds.ts';
import { listed, ratioAtMost } from '../row.ts';
import type { Measure } from '../suite.ts';

const count = 1000;
/** As many as the client opens to one origin. */
const connections = 10;
/** Expansions that are measured together. One is too short for the garbage that it makes to be collected in its own time. */
const inARow = 10;

export const measure: Measure = async (rounds) => {
  const server = await startFixedServer();
  const client = benchClient(server.url);
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const json = async (path: string): Promise<unknown> =>
    JSON.parse(await (await request(server.url + path, { dispatcher })).body.text()) as unknown;

  const ours = async (underWay: number): Promise<void> => {
    const { body } = await client.get(`/list?count=${count}`);
    const targets = body.kind === 'json' ? body.resource.embedded.map(({ resource }) => resource.self?.target) : [];
    const urls = targets.flatMap((target) => (target?.kind === 'internal' ? [target.url] : []));
    await fetchAll(urls, (url) => client.get(url), underWay);
  };
  const peer = async (underWay: number): Promise<void> => {
    const { all } = (await json(`/list?count=${count}`)) as { readonly all: readonly { readonly link: string }[] };
    await fetchAll(all, ({ link }) => json(link), underWay);
  };
  const race = async (
    underWay: number,
  ): Promise<{ readonly ours: readonly number[]; readonly peer: readonly number[] }> => {
    // The first ten thousands of calls run code that is compiled meanwhile.
    for (let warm = 0; warm < 80; warm += 1) {
      await ours(underWay);
      await peer(underWay);
    }
    return interleaved(2 * rounds, {
      ours: () => timed(() => again(() => ours(underWay))),
      peer: () => timed(() => again(() => peer(underWay))),
    });
  };
  const what = `expand, 1,000 links and fetch all, ${inARow} times`;
  const rows = [
    ratioAtMost(
      `${what}, as many under way as connections: ms, beside undici + JSON.parse`,
      await race(connections),
      1.2,
    ),
    listed(`${what}, all of them under way at once: ms, beside undici + JSON.parse`, await race(count)),
  ];
  server.stop();
  return rows;
};

async function again(work: () => Promise<void>): Promise<void> {
  for (let time = 0; time < inARow; time += 1) {
    await work();
  }
}

/** What was fetched is kept until the last of it is there. */
async function fetchAll<Item>(
  items: readonly Item[],
  fetch: (item: Item) => Promise<unknown>,
  underWay: number,
): Promise<void> {
  const fetched: unknown[] = [];
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) {
      fetched.push(await fetch(item));
    }
  };
  await Promise.all(Array.from({ length: underWay }, worker));
  if (fetched.length !== count) {
    throw new Error(`${fetched.length} links were found instead of ${count}.`);
  }
}
