/** Reading the links of long documents and looking at each, beside parsing their JSON. */
import assert from 'node:assert/strict';
import { PerformanceObserver } from 'node:perf_hooks';

import { readResource } from '../../../src/api/hypermedia/reader.ts';
import type { Embedded, Link, Resource } from '../../../src/api/hypermedia/resource.ts';
import { parseBody } from '../../../src/api/http/responseBody.ts';
import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { Transport } from '../../../src/api/http/transport.ts';
import { interleaved, timed } from '../rounds.ts';
import { atMost, listed, ratioAtMost, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

const thousand = 1000;
const scales = [1, 10, 100] as const;

interface Shape {
  readonly make: (links: number) => unknown;
  /** Makes the same values as the reader, knowing this one shape, and nothing else: what values cost, whoever makes them. */
  readonly floor: (value: never) => unknown;
  /** Times JSON.parse that reading may take. */
  readonly limit?: number;
}

const origin = 'https://build.example.com';
const url = `${origin}/api/v1/apps`;
const service = parseServiceUrl(origin);
const headers = { 'content-type': 'application/json' };
/** Bytes that the client reads at most. */
const { maxBodyBytes: largestBody } = new Transport();

const link = (rel: string, path: string, convention: Link['convention'], pointer: string): Link => ({
  rel,
  target: { kind: 'internal', url: origin + path },
  convention,
  pointer,
});
const none: never[] = [];

const shapes: Readonly<Record<string, Shape>> = {
  'contract list': {
    make: (links) => ({
      link: '/api/v1/apps',
      all: numbers(links).map((id) => ({ id, title: `App ${id}`, link: `/api/v1/apps/${id}` })),
    }),
    floor: ({
      all,
    }: {
      readonly all: readonly { readonly id: number; readonly title: string; readonly link: string }[];
    }) =>
      all.map((item, index): Embedded => {
        const pointer = `/all/${index}`;
        const fields = [
          { name: 'id', value: item.id, text: String(item.id) },
          { name: 'title', value: item.title, text: item.title },
        ];
        const self = link('self', item.link, 'plain', `${pointer}/link`);
        return {
          rel: 'all',
          index,
          resource: {
            fields,
            links: none,
            embedded: none,
            forms: none,
            skipped: none,
            pointer,
            self,
            title: item.title,
          },
        };
      }),
    limit: 3,
  },
  'HAL links': {
    make: (links) => ({ _links: { item: numbers(links).map((id) => ({ href: `/api/v1/apps/${id}` })) } }),
    floor: ({ _links }: { readonly _links: { readonly item: readonly { readonly href: string }[] } }) =>
      _links.item.map(({ href }, index) => link('item', href, 'hal', `/_links/item/${index}`)),
    limit: 3,
  },
  // No limit: a guess, which the contract's documents do not need. JSON.parse takes 25 ns for such a path; looking at its
  // characters, as a token may follow it, takes a compiled regular expression 35.
  'bare paths': {
    make: (links) => ({ apps: numbers(links).map((id) => `/api/v1/apps/${id}`) }),
    floor: ({ apps }: { readonly apps: readonly string[] }) =>
      apps.map((path, index) => link('apps', path, 'inferred', `/apps/${index}`)),
  },
};

export const measure: Measure = async (rounds) => {
  const rows: Row[] = [];
  for (const [name, shape] of Object.entries(shapes)) {
    // Warm, as JSON.parse always is: it is no JavaScript.
    const text = JSON.stringify(shape.make(10 * thousand));
    for (let warm = 0; warm < 20; warm += 1) {
      lookAt(readResource({ value: JSON.parse(text), text, url, headers, mediaType: 'application/json' }));
      shape.floor(JSON.parse(text) as never);
    }
    const growth: { readonly ours: number[]; readonly peer: number[] }[] = [];
    for (const scale of scales) {
      const links = 10 * thousand * scale;
      const { ours, parsing, floor } = await measureDocument(shape, links, rounds);
      const document = `links, ${name} of ${links.toLocaleString('en')}`;
      const besideParsing = { ours, peer: parsing };
      rows.push(
        shape.limit === undefined
          ? listed(`${document}: ms, beside its JSON.parse`, besideParsing)
          : ratioAtMost(`${document}: ms, beside its JSON.parse`, besideParsing, shape.limit),
      );
      rows.push(listed(`${document}: ms, beside a loop that makes the same values`, { ours, peer: floor }));
      if (JSON.stringify(shape.make(links)).length <= largestBody) {
        rows.push(...(await measureStall(document, shape, links, rounds)));
      }
      growth.push({
        ours: ours.map((milliseconds) => milliseconds / scale),
        peer: floor.map((milliseconds) => milliseconds / scale),
      });
    }
    const most = Math.floor(
      largestBody / (JSON.stringify(shape.make(thousand * thousand)).length / (thousand * thousand)),
    );
    rows.push(
      ...(await measureStall(`links, ${name} of 32 MiB, the largest body that the client reads`, shape, most, rounds)),
    );
    const [small, , large] = growth;
    const grown = (who: 'ours' | 'peer'): number[] =>
      large?.[who].map((milliseconds, round) => milliseconds / (small?.[who][round] ?? NaN)) ?? [];
    rows.push(
      ratioAtMost(
        `links, ${name}: a link of 1,000,000 in units of one of 10,000, beside that of the loop`,
        { ours: grown('ours'), peer: grown('peer') },
        2,
      ),
    );
  }
  return rows;
};

async function measureDocument(shape: Shape, links: number, rounds: number) {
  const text = JSON.stringify(shape.make(links));
  const value: unknown = JSON.parse(text);
  const read = (): number => lookAt(readResource({ value, text, url, headers, mediaType: 'application/json' }));
  assert.ok(read() >= links, 'every link is found');
  return interleaved(rounds, {
    ours: () => timed(read),
    parsing: () => timed(() => JSON.parse(text)),
    floor: () => timed(() => shape.floor(value as never)),
  });
}

/**
 * From the bytes of a body to its links. The collector's pauses are listed apart: they come with the values that JSON.parse
 * makes, whoever reads them, and nobody can divide them.
 */
async function measureStall(document: string, shape: Shape, links: number, rounds: number): Promise<readonly Row[]> {
  const bytes = Buffer.from(JSON.stringify(shape.make(links)));
  const { stalls, parsing } = await interleaved(rounds, {
    stalls: () => longestStall(() => parseBody({ bytes, headers, url, service })),
    parsing: async () => ({ stall: await timed(() => JSON.parse(bytes.toString())), pause: 0 }),
  });
  return [
    atMost(
      `${document}: longest stall of parsing and reading without the collector’s longest pause, ms`,
      stalls.map(({ stall, pause }) => stall - pause),
      50,
    ),
    listed(`${document}: longest stall with it, ms, beside that of one JSON.parse`, {
      ours: stalls.map(({ stall }) => stall),
      peer: parsing.map(({ stall }) => stall),
    }),
  ];
}

/** Looks at relation, target and title of every link in a resource and below it, so that none is left for later; how many there are. */
function lookAt(resource: Resource): number {
  let links = resource.self === undefined ? 0 : looked(resource.self);
  for (const link of resource.links) {
    links += looked(link);
  }
  for (const embedded of resource.embedded) {
    links += lookAt(embedded.resource);
  }
  return links;
}

function looked({ rel, target, title }: Link): number {
  return rel !== '' && target.kind === 'internal' && target.url !== '' && title !== '' ? 1 : 0;
}

/** The longest time, milliseconds, that nothing else could run while the work was under way; and of that for the collector alone. */
async function longestStall(work: () => Promise<unknown>): Promise<{ readonly stall: number; readonly pause: number }> {
  let last = performance.now();
  let stall = 0;
  let pause = 0;
  const tick = (): void => {
    const now = performance.now();
    stall = Math.max(stall, now - last);
    last = now;
  };
  const pauses = new PerformanceObserver((list) => {
    pause = Math.max(pause, ...list.getEntries().map(({ duration }) => duration));
  });
  pauses.observe({ entryTypes: ['gc'] });
  const timer = setInterval(tick, 1);
  await work();
  tick();
  clearInterval(timer);
  // Entries arrive in a task of their own.
  await new Promise(setImmediate);
  pauses.disconnect();
  return { stall, pause };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
