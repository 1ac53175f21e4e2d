/** Reading the links of long documents and looking at each, beside parsing their JSON. */
import assert from 'node:assert/strict';

import { readResource } from '../../../api/hypermedia/reader.ts';
import type { Resource } from '../../../api/hypermedia/resource.ts';
import { parseBody } from '../../../api/responseBody.ts';
import { parseServiceUrl } from '../../../api/serviceUrl.ts';
import { interleaved, timed } from '../rounds.ts';
import { atMost, ratioAtMost, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

const thousand = 1000;
const scales = [1, 10, 100] as const;

const shapes: Readonly<Record<string, (links: number) => unknown>> = {
  'contract list': (links) => ({ link: '/api/v1/apps', all: numbers(links).map((id) => ({ id, title: `App ${id}`, link: `/api/v1/apps/${id}` })) }),
  'HAL links': (links) => ({ _links: { item: numbers(links).map((id) => ({ href: `/api/v1/apps/${id}` })) } }),
  'bare paths': (links) => ({ apps: numbers(links).map((id) => `/api/v1/apps/${id}`) }),
};

const url = 'https://build.example.com/api/v1/apps';
const service = parseServiceUrl(url);
const headers = { 'content-type': 'application/json' };

export const measure: Measure = async (rounds) => {
  const rows: Row[] = [];
  for (const [shape, make] of Object.entries(shapes)) {
    const text = JSON.stringify(make(10));
    for (let warm = 0; warm < 2000; warm += 1) {
      lookAt(readResource({ value: JSON.parse(text), text, url, headers, mediaType: 'application/json' }));
    }
    const perLink: number[][] = [];
    for (const scale of scales) {
      const links = 10 * thousand * scale;
      const { figures, stalls } = await measureDocument(JSON.stringify(make(links)), links, rounds);
      const name = `links, ${shape} of ${links.toLocaleString('en')}`;
      rows.push(ratioAtMost(`${name}: ms, beside its JSON.parse`, figures, 3));
      rows.push(atMost(`${name}: longest stall of JSON.parse and reading, ms, beside JSON.parse`, stalls.ours, 50, stalls.peer));
      perLink.push(figures.ours.map((milliseconds) => milliseconds / scale));
    }
    rows.push(ratioAtMost(`links, ${shape}: ms for 10,000 of 1,000,000, beside 10,000 of 10,000`, { ours: perLink[2] ?? [], peer: perLink[0] ?? [] }, 2));
  }
  return rows;
};

async function measureDocument(text: string, links: number, rounds: number) {
  const value: unknown = JSON.parse(text);
  const read = (): number => lookAt(readResource({ value, text, url, headers, mediaType: 'application/json' }));
  assert.ok(read() >= links, 'every link is found');
  const bytes = Buffer.from(text);
  const times = await interleaved(rounds, {
    ours: () => timed(read),
    peer: () => timed(() => JSON.parse(text)),
    stall: () => longestStall(() => parseBody({ bytes, headers, url, service })),
  });
  return { figures: { ours: times.ours, peer: times.peer }, stalls: { ours: times.stall, peer: times.peer } };
}

/** Looks at relation, target and title of every link in a resource and below it, so that none is left for later; how many there are. */
function lookAt(root: Resource): number {
  let links = 0;
  const pending = [root];
  for (let resource = pending.pop(); resource !== undefined; resource = pending.pop()) {
    for (const { rel, target, title } of resource.self === undefined ? resource.links : [resource.self, ...resource.links]) {
      links += rel !== '' && target.kind === 'internal' && target.url !== '' && title !== '' ? 1 : 0;
    }
    for (const { resource: inner } of resource.embedded) {
      pending.push(inner);
    }
  }
  return links;
}

/** The longest time, milliseconds, that nothing else could run while the work was under way. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  await work();
  tick();
  clearInterval(timer);
  return longest;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
