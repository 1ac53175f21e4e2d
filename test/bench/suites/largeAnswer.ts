/** From the text of the largest documents that are shown to the first rows of the tree, beside parsing their JSON. */
import { MAX_BODY_BYTES } from '../../../src/api/http/transport.ts';
import { parseBody } from '../../../src/api/http/response.ts';
import { Redactor } from '../../../src/api/redaction.ts';
import type { Resource } from '../../../src/api/hypermedia/resource.ts';
import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { interleaved, timed } from '../rounds.ts';
import { atMost, figure, ratioAtMost, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

/** Rows that the tree shows of a list before "Load More…". */
const ROWS = 1000;

const url = 'https://build.example.com/api/v1/apps';
const service = parseServiceUrl('https://build.example.com');
const headers = { 'content-type': 'application/json' };

const sentence = 'Bring your own web assets, and the service builds an app of them for each platform.';

/** By name: a document with this many entries. */
const shapes: Readonly<Record<string, (entries: number) => unknown>> = {
  list: (entries) => ({
    link: '/api/v1/apps',
    all: numbers(entries).map((id) => ({ id, title: `App ${id}`, link: `/api/v1/apps/${id}` })),
  }),
  HAL: (entries) => ({
    _links: { self: { href: '/api/v1/apps' }, next: { href: '/api/v1/apps?page=2' } },
    _embedded: {
      app: numbers(entries).map((id) => ({
        _links: { self: { href: `/api/v1/apps/${id}` }, icon: { href: `/api/v1/apps/${id}/icon` } },
        id,
        title: `App ${id}`,
      })),
    },
  }),
  'flat object': (entries) => Object.fromEntries(numbers(entries).map((id) => [`text${id}`, `${id}: ${sentence}`])),
};

const MAX_RATIO = 4;
const MAX_STALL_MS = 60;

export const measure: Measure = async (rounds) => {
  const rows: Row[] = [];
  for (const [name, make] of Object.entries(shapes)) {
    const bytes = largestBody(make);
    const text = bytes.toString();
    const show = async (): Promise<void> => {
      const body = await parseBody({ bytes, headers, url, service, redactor: new Redactor() });
      if (body.kind !== 'json') {
        throw new Error('The document is no JSON.');
      }
      firstRows(body.resource);
    };
    // The code is compiled, as JSON.parse always is.
    for (let warm = 0; warm < 10; warm += 1) {
      await show();
    }
    const measured = await interleaved(rounds, {
      ours: () => timed(show),
      parsing: () => timed(() => JSON.parse(text)),
      stalls: async () => figure(await longestStall(show)),
    });
    const parsing = { name: 'its JSON.parse', samples: measured.parsing };
    const document = `largeAnswer, ${name} of 4 MiB`;
    rows.push(
      ratioAtMost(
        { name: `${document}: up to the first 1,000 rows`, unit: 'ms', ours: measured.ours },
        parsing,
        MAX_RATIO,
      ),
      atMost({ name: `${document}: longest stall`, unit: 'ms', ours: measured.stalls }, MAX_STALL_MS, parsing),
    );
  }
  return rows;
};

/** Looks at what the tree shows in the first rows: names, values, titles, addresses. */
function firstRows({ fields, embedded, links }: Resource): void {
  const texts = [
    ...fields.slice(0, ROWS).map(({ name, text }) => name + text),
    ...embedded
      .slice(0, ROWS)
      .map(({ rel, resource: { title, self, fields: inner } }) => [rel, title, self?.target.kind, inner.length].join()),
    ...links.slice(0, ROWS).map(({ rel, target }) => rel + target.kind),
  ].slice(0, ROWS);
  if (texts.length < ROWS) {
    throw new Error(`There are only ${texts.length} rows.`);
  }
}

/** The longest time, milliseconds, in which nothing else could run while the work was under way. */
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

/** The document with about as many entries as fit into the largest body that is read. */
function largestBody(make: (entries: number) => unknown): Buffer {
  const sample = 50_000;
  let entries = Math.floor((sample * MAX_BODY_BYTES) / JSON.stringify(make(sample)).length);
  for (;;) {
    const text = JSON.stringify(make(entries));
    if (text.length <= MAX_BODY_BYTES) {
      return Buffer.from(text);
    }
    entries = Math.floor(entries * 0.999);
  }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
