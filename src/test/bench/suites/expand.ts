/** A resource with 1,000 links is expanded and everything it links to is fetched. */
import { Agent, request } from 'undici';
import { benchClient } from '../client.ts';
import { startFixedServer } from '../fixedServer.ts';
import { interleaved, timed } from '../rounds.ts';
import { ratioAtMost } from '../row.ts';
import type { Measure } from '../suite.ts';

const count = 1000;

export const measure: Measure = async (rounds) => {
  const server = await startFixedServer();
  const client = benchClient(server.url);
  // As many as the client opens to one origin
  const dispatcher = new Agent({ connections: 10, pipelining: 1 });
  const json = async (path: string): Promise<unknown> => JSON.parse(await (await request(server.url + path, { dispatcher })).body.text()) as unknown;

  const ours = async (): Promise<void> => {
    const { body } = await client.get(`/list?count=${count}`);
    const targets = body.kind === 'json' ? body.resource.embedded.map(({ resource }) => resource.self?.target) : [];
    const urls = targets.flatMap((target) => (target?.kind === 'internal' ? [target.url] : []));
    expectAll(urls);
    await Promise.all(urls.map((url) => client.get(url)));
  };
  const peer = async (): Promise<void> => {
    const { all } = (await json(`/list?count=${count}`)) as { readonly all: readonly { readonly link: string }[] };
    expectAll(all);
    await Promise.all(all.map(({ link }) => json(link)));
  };
  // The first thousands of calls run code that is not compiled yet.
  for (let warm = 0; warm < 5; warm += 1) {
    await ours();
    await peer();
  }
  const times = await interleaved(rounds, { ours: () => timed(ours), peer: () => timed(peer) });
  server.stop();
  return [ratioAtMost('expand, 1,000 links and fetch all: ms, beside undici + JSON.parse', { ours: times.ours, peer: times.peer }, 1.2)];
};

function expectAll(links: readonly unknown[]): void {
  if (links.length !== count) {
    throw new Error(`${links.length} links were found instead of ${count}.`);
  }
}
